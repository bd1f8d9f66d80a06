package agents

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom/text"
	"colloquy/classroom/withheld"
)

// errGaveAway ends a message that was about to give away what the teacher withholds.
var errGaveAway = errors.New("the message gives away what is withheld")

// A guarded model passes on whole sentences only, and none that gives anything away: in its
// text, in its thinking or in the arguments of a call. Its answer ends there with errGaveAway.
type guarded struct {
	llm.Model
	set withheld.Set
}

// Profile returns the profile of the guarded model.
func (g guarded) Profile() llm.Profile { return llm.ProfileOf(g.Model) }

// RefusesTools reports whether the guarded model is known to refuse tools.
func (g guarded) RefusesTools() bool { return llm.RefusesTools(g.Model) }

// Stream answers req, a sentence at a time.
func (g guarded) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		// A scripted model quotes passages, from which what is withheld is taken out before.
		gives := g.set.Gives
		if llm.ProfileOf(g.Model).Scripted {
			gives = func(_, said string) bool { return g.set.Holds(said) }
		}
		h := heldBack{gives: gives}
		for e, err := range g.Model.Stream(ctx, req) {
			var ready []llm.Event
			if err == nil {
				ready, err = h.add(e)
			}
			for _, out := range ready {
				if !yield(out, nil) {
					return
				}
			}
			if err != nil {
				yield(llm.Event{}, err)
				return
			}
		}
	}
}

// heldBack is what a guarded model said and did not pass on yet.
type heldBack struct {
	gives func(before, said string) bool
	kind  llm.Kind    // of text: TextDelta or ThinkingDelta
	text  string      // the beginning of a sentence
	said  string      // what was passed on, of text and thinking
	calls []llm.Event // the pieces of calls
}

// add adds an event, and returns what may be passed on.
func (h *heldBack) add(e llm.Event) ([]llm.Event, error) {
	switch e.Kind {
	case llm.UsageReport: // it may come in the middle of a sentence
		return []llm.Event{e}, nil
	case llm.CallDelta:
		out, err := h.flushText()
		h.calls = append(h.calls, e)
		return out, err
	case llm.TextDelta, llm.ThinkingDelta:
	default:
		out, err := h.flush()
		if err != nil {
			return nil, err
		}
		return append(out, e), nil
	}
	var out []llm.Event
	if len(h.calls) > 0 || e.Kind != h.kind {
		var err error
		if out, err = h.flush(); err != nil {
			return nil, err
		}
	}
	h.kind = e.Kind
	h.text += e.Text
	e.Text = ""
	whole := len(h.text)
	if e.Opaque == "" {
		whole = endOfSentences(h.text)
	}
	if err := h.check(h.text[:whole]); err != nil {
		return nil, err
	}
	e.Text, h.text = h.text[:whole], h.text[whole:]
	if e.Text == "" && e.Opaque == "" {
		return out, nil
	}
	return append(out, e), nil
}

// endOfSentences returns where the last sentence begins, which may go on.
func endOfSentences(s string) int {
	spans := text.Sentences(s)
	if len(spans) < 2 {
		return 0
	}
	return spans[len(spans)-1].From
}

// flush returns all that is held back.
func (h *heldBack) flush() ([]llm.Event, error) {
	out, err := h.flushText()
	if err != nil {
		return nil, err
	}
	calls, err := h.flushCalls()
	return append(out, calls...), err
}

func (h *heldBack) flushText() ([]llm.Event, error) {
	if h.text == "" {
		return nil, nil
	}
	if err := h.check(h.text); err != nil {
		return nil, err
	}
	out := []llm.Event{{Kind: h.kind, Text: h.text}}
	h.text = ""
	return out, nil
}

func (h *heldBack) flushCalls() ([]llm.Event, error) {
	args := map[int]string{}
	for _, e := range h.calls {
		args[e.Index] += e.Text
		if h.gives("", e.Name) {
			return nil, errGaveAway
		}
	}
	for _, a := range args {
		if h.gives("", a) || h.gives("", strings.Join(stringsIn(a), ". ")) {
			return nil, errGaveAway
		}
	}
	out := h.calls
	h.calls = nil
	return out, nil
}

// check checks sentences one by one, and notes that they are said.
func (h *heldBack) check(said string) error {
	for _, span := range text.Sentences(said) {
		sentence := said[span.From:span.To]
		if h.gives(h.said, sentence) {
			return errGaveAway
		}
		h.said += sentence + "\n"
	}
	return nil
}

// stringsIn returns the texts and the numbers of JSON, which escapes may hide; none of what
// is no JSON.
func stringsIn(raw string) []string {
	var value any
	if json.Unmarshal([]byte(raw), &value) != nil {
		return nil
	}
	var out []string
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, x := range v {
				visit(x)
			}
		case map[string]any:
			for key, x := range v {
				out = append(out, key)
				visit(x)
			}
		}
	}
	visit(value)
	return out
}
