package locale

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"

	"colloquy/classroom"
)

// RunEnd returns the sentence that says why a run ended, and whether there is one. A
// log of an earlier version holds the sentence itself.
func (l *Language) RunEnd(e classroom.RunEnd) (string, bool) {
	switch {
	case e.Message != "":
		return e.Message, true
	case e.Code == classroom.CodeSafety:
		return classroom.Safety{
			Lang: e.Params["lang"], Adult: e.Params["adult"], HelpLine: e.Params["help_line"],
		}.Text(), true
	}
	if text, ok := l.fillModel(e.Key(), e.Params); ok {
		return text, true
	}
	return l.fillModel("run_end."+e.Code, e.Params) // a problem of a later version
}

// RunInterrupt returns the sentence that says why a run was interrupted.
func (l *Language) RunInterrupt(e classroom.RunInterrupt) string {
	if text, ok := l.Fill("run_interrupt."+e.Reason, nil); ok {
		return text
	}
	return l.Text("run_interrupt.crash")
}

// Retry returns the sentence that says why the model is asked again. A log of an
// earlier version holds the sentence itself.
func (l *Language) Retry(e classroom.Retry) string {
	if text, ok := l.fillModel(e.Key(), e.Params); ok {
		return text
	}
	return e.Reason
}

// fillModel is Fill for a sentence about a model. Where its server said how long to
// wait, the sentence says so.
func (l *Language) fillModel(key string, params classroom.Params) (string, bool) {
	named := classroom.Params{"model": l.Text("model.the_model")}
	maps.Copy(named, params)
	if seconds, err := strconv.Atoi(params["seconds"]); err == nil && seconds > 0 && l.Has(key+"_wait") {
		key += "_wait"
		named["wait"] = l.wait(seconds)
	}
	return l.Fill(key, named)
}

// wait returns how long a time is, in seconds below two minutes.
func (l *Language) wait(seconds int) string {
	if seconds < 120 {
		return l.Count("format.wait_seconds", seconds)
	}
	return l.Count("format.wait_minutes", (seconds+59)/60)
}

// CueUser returns e with its question and the labels of its options.
func (l *Language) CueUser(e classroom.CueUser) classroom.CueUser {
	if e.Code == "" {
		return e
	}
	e.Question, _ = l.Fill("cue."+e.Code, e.Params)
	options := make([]classroom.Option, len(e.Options))
	for i, o := range e.Options {
		if o.Label == "" {
			o.Label, _ = l.Fill("cue.option_"+o.ID, nil)
		}
		options[i] = o
	}
	e.Options = options
	return e
}

// Event returns e as readers of a log get it: with the sentences that the log keeps as
// codes. Other events are returned unchanged.
func (l *Language) Event(e classroom.Event) classroom.Event {
	switch e.Type {
	case classroom.TypeRunEnd, classroom.TypeRunInterrupt, classroom.TypeRetry, classroom.TypeCueUser:
	default:
		return e
	}
	payload, err := classroom.Decode(e)
	if err != nil {
		return e // it is passed on as it is, as one of a later version
	}
	switch p := payload.(type) {
	case classroom.RunEnd:
		if text, ok := l.RunEnd(p); ok && p.Message == "" {
			return withField(e, "message", text)
		}
	case classroom.RunInterrupt:
		return withField(e, "message", l.RunInterrupt(p))
	case classroom.Retry:
		return withField(e, "message", l.Retry(p))
	case classroom.CueUser:
		if p.Code == "" {
			return e
		}
		cue := l.CueUser(p)
		return withField(withField(e, "question", cue.Question), "options", cue.Options)
	}
	return e
}

// withField returns e with a field set in its data. The other fields stay, also those
// that this version does not know.
func withField(e classroom.Event, name string, value any) classroom.Event {
	var fields map[string]json.RawMessage
	raw, err := json.Marshal(value)
	if err != nil || json.Unmarshal(e.Data, &fields) != nil || len(fields) == 0 {
		return e
	}
	if _, ok := fields[name]; !ok { // the order of the others stays
		out := append(bytes.TrimSuffix(bytes.Clone(e.Data), []byte("}")), `,"`+name+`":`...)
		return e.WithData(append(append(out, raw...), '}'))
	}
	fields[name] = raw
	data, err := json.Marshal(fields)
	if err != nil {
		return e
	}
	return e.WithData(data)
}
