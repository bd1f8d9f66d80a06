package classroom

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// logStart is the time of the first event of the logs made here.
const logStart = Stamp(1_796_029_200_000)

// slimLog is the log that a store keeps of drafts.
func slimLog(t interface{ Fatalf(string, ...any) }, drafts []Draft) []Event {
	log := make([]Event, len(drafts))
	for i, d := range drafts {
		e, err := d.Encode(Cursor(i+1), logStart+Stamp(i*137))
		if err != nil {
			t.Fatalf("encode draft %d: %v", i, err)
		}
		log[i] = stored(e)
	}
	return log
}

// stored is e as it is read from a database: its payload has to be decoded.
func stored(e Event) Event {
	e.payload = nil
	return e
}

// fullLog is the same log with nothing left out.
func fullLog(t interface{ Fatalf(string, ...any) }, drafts []Draft) []Event {
	log := slimLog(t, drafts)
	for i, d := range drafts {
		data, err := json.Marshal(d.Payload)
		if err != nil {
			t.Fatalf("marshal draft %d: %v", i, err)
		}
		log[i].Data = data
	}
	return log
}

// hostileLogs draws a log that no server of ours writes: a lesson with events
// left out, doubled, moved and broken, and anything put between them. Cursors
// may repeat, jump and go back.
var hostileLogs = rapid.Custom(func(t *rapid.T) []Event {
	drafts := lessons.Draw(t, "lesson").drafts
	from := rapid.IntRange(0, len(drafts)-1).Draw(t, "from")
	drafts = drafts[from:min(len(drafts), from+50)]
	if rapid.Bool().Draw(t, "from the beginning") {
		drafts = append(append([]Draft{}, lessonOpening...), drafts...)
	}
	var log []Event
	at := Cursor(0)
	for _, e := range slimLog(t, drafts) {
		for _, e := range mangle(t, e) {
			at += Cursor(rapid.SampledFrom([]int{1, 1, 1, 1, 1, 1, 0, -1, 2, 9}).Draw(t, "step"))
			e.ID = at
			log = append(log, e)
		}
	}
	return log
})

// lessonOpening lets much of what follows find a card and a window.
var lessonOpening = []Draft{
	{Exchange: 1, Payload: UserMessage{Text: "Why?", Delivery: Prompt}},
	{Exchange: 1, Payload: RunStart{Prompt: 1}},
	{Exchange: 1, Agent: "ada", Payload: AgentStart{Name: "Ada", Role: Teacher}},
}

func mangle(t *rapid.T, e Event) []Event {
	if rapid.IntRange(0, 9).Draw(t, "spare") < 6 {
		return []Event{e}
	}
	other := slimLog(t, []Draft{someDraft.Draw(t, "other")})[0]
	switch rapid.IntRange(0, 7).Draw(t, "harm") {
	case 0:
		return nil
	case 1:
		return []Event{e, e}
	case 2:
		return []Event{e, other}
	case 3:
		e.Exchange = other.Exchange
	case 4:
		e.Agent, e.Attempt = other.Agent, other.Attempt
	case 5:
		e.Type = rapid.SampledFrom([]Type{other.Type, "telepathy", ""}).Draw(t, "type")
	case 6:
		e.Data = json.RawMessage(rapid.SampledFrom([]string{"", "{", "null", "[]", `"x"`, `{"text":7}`,
			`{"blocks":[null]}`, `{"steer":null}`}).Draw(t, "data"))
	case 7:
		return []Event{other}
	}
	return []Event{e}
}

// anyLog draws a plausible log or a hostile one.
var anyLog = rapid.OneOf(
	rapid.Custom(func(t *rapid.T) []Event { return slimLog(t, lessons.Draw(t, "lesson").drafts) }),
	hostileLogs,
)

// TestLessonsHoldEverything proves that the plausible logs are worth folding:
// together they hold every type and bring a card into every state.
func TestLessonsHoldEverything(t *testing.T) {
	seen, events := map[string]int{}, 0
	for seed := range 150 {
		l := lessons.Example(seed)
		events += len(l.drafts)
		f := new(Fold)
		for _, e := range slimLog(t, l.drafts) {
			f.Apply(e)
			seen[string(e.Type)]++
			if c := f.LastCard(); c != nil {
				seen["card "+string(c.State)]++
				seen[fmt.Sprint("superseded ", len(c.Windows) > 0 && supersedes(c.LastWindow()))]++
			}
			seen[fmt.Sprint("barrier ", f.Barrier)]++
		}
	}
	t.Logf("%d events in 150 lessons: %v", events, seen)
	for _, typ := range Types() {
		if seen[string(typ)] == 0 {
			t.Errorf("no lesson has a %s", typ)
		}
	}
	for _, want := range []string{"card asked", "card running", "card interrupted", "card completed", "card failed",
		"card cancelled", "superseded true", "barrier true"} {
		if seen[want] == 0 {
			t.Errorf("no lesson shows %q", want)
		}
	}
}

func supersedes(w *Window) bool {
	for _, x := range w.Entries {
		if x.Message != nil && x.Message.Superseded {
			return true
		}
	}
	return false
}
