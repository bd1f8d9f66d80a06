package tutor_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
)

// events collects a whole sequence.
func events(m llm.Model, req llm.Request) (out []llm.Event, err error) {
	for e, err := range m.Stream(context.Background(), req) {
		if err != nil {
			return out, err
		}
		out = append(out, e)
	}
	return out, nil
}

func TestFirstReplyIsOneWholeCall(t *testing.T) {
	t.Parallel()
	c := theClass(t)
	c.ask("Why are leaves green?")
	m := gather(t, tutor.New(tutor.Options{}), c.request(cast[0]))
	if m.Text != "" || len(m.Calls) != 1 || m.Calls[0].Name != "search_materials" || m.Calls[0].ID == "" {
		t.Fatalf("got %+v, want one call of search_materials", m)
	}
	if got, want := string(m.Calls[0].Args), `{"query":"leaves green"}`; got != want {
		t.Errorf("arguments %s, want %s", got, want)
	}
}

func TestSameRequestSameEvents(t *testing.T) {
	t.Parallel()
	c := theClass(t)
	c.ask("How does a bill become a law?")
	for _, who := range cast {
		c.speak(who)
		req := c.request(who)
		req.Messages = req.Messages[:len(req.Messages)-1] // before the answer
		first, err := events(tutor.New(tutor.Options{}), req)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			again, err := events(tutor.New(tutor.Options{}), req)
			if err != nil || !reflect.DeepEqual(first, again) {
				t.Fatalf("%s answered the same request in two ways: %v", who.Name, err)
			}
		}
	}
}

func TestCallsHaveDifferentIDs(t *testing.T) {
	t.Parallel()
	c := theClass(t)
	seen := map[string]bool{}
	for range 3 {
		c.ask("What is photosynthesis?")
		for _, who := range cast {
			c.speak(who)
		}
	}
	for _, l := range c.lines {
		for _, call := range l.msg.Calls {
			if seen[call.ID] {
				t.Errorf("the call id %s comes twice", call.ID)
			}
			seen[call.ID] = true
		}
	}
	if len(seen) != 9 {
		t.Errorf("%d calls, want 9", len(seen))
	}
}

func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := theClass(t)
		c.ask("What is photosynthesis?")
		c.speak(cast[0])
		req := c.request(cast[0])
		req.Messages = req.Messages[:3]
		start, words := time.Now(), 0
		var text strings.Builder
		for e, err := range tutor.New(tutor.Options{Pace: 80 * time.Millisecond}).Stream(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind != llm.TextDelta {
				continue
			}
			if got, want := time.Since(start), time.Duration(words)*80*time.Millisecond; got != want {
				t.Fatalf("word %d after %v, want %v", words+1, got, want)
			}
			if n := len(strings.Fields(e.Text)); n != 1 {
				t.Fatalf("a delta holds %d words: %q", n, e.Text)
			}
			words++
			text.WriteString(e.Text)
		}
		if want := c.lines[len(c.lines)-1].msg.Text; text.String() != want {
			t.Errorf("the words make %q, want %q", text.String(), want)
		}
	})
}

func TestCancelStopsAtTheNextWord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Who are you?"}}}
		words, start := 0, time.Now()
		var last error
		for e, err := range tutor.New(tutor.Options{Pace: time.Hour}).Stream(ctx, req) {
			last = err
			if e.Kind == llm.TextDelta && err == nil {
				words++
			}
			if words == 2 {
				time.AfterFunc(time.Minute, cancel)
			}
		}
		if words != 2 || !errors.Is(last, context.Canceled) || time.Since(start) != time.Hour+time.Minute {
			t.Errorf("%d words and %v after %v, want 2 and a cancellation after 1h1m", words, last, time.Since(start))
		}
	})
}

func TestCancelStopsAnswerWithoutPace(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	words := 0
	var last error
	for _, err := range tutor.New(tutor.Options{}).Stream(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Who are you?"}}}) {
		if last = err; err == nil {
			words++
		}
		cancel()
	}
	if words != 1 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d words and %v, want 1 and a cancellation", words, last)
	}
}

func TestCancelledBeforeTheStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	for e, err := range tutor.New(tutor.Options{}).Stream(ctx, llm.Request{}) {
		if n++; !errors.Is(err, context.Canceled) || e != (llm.Event{}) {
			t.Errorf("got %+v, %v", e, err)
		}
	}
	if n != 1 {
		t.Errorf("%d steps, want 1", n)
	}
}

func TestReportsNoTokens(t *testing.T) {
	t.Parallel()
	all, err := events(tutor.New(tutor.Options{}), llm.Request{System: "12345678", Messages: []llm.Message{{Role: llm.User, Text: "Thanks!"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Kind == llm.UsageReport || e.Usage != (llm.Usage{}) {
			t.Errorf("the tutor, which asks no model, reports %+v", e)
		}
	}
}

func TestConsumerMayStopAnyTime(t *testing.T) {
	t.Parallel()
	c := theClass(t)
	c.ask("What is photosynthesis?")
	c.speak(cast[0])
	for _, n := range []int{1, 3} { // before the call, before the answer
		req := c.request(cast[0])
		req.Messages = req.Messages[:n]
		all, err := events(tutor.New(tutor.Options{}), req)
		if err != nil {
			t.Fatal(err)
		}
		for stop := range all {
			seen := 0
			for range tutor.New(tutor.Options{}).Stream(t.Context(), req) {
				if seen++; seen > stop {
					break
				}
			}
		}
	}
}

// A cut answer goes on with the block that was cut, wherever it was cut.
func TestCutAnswerGoesOn(t *testing.T) {
	t.Parallel()
	c := theClass(t)
	c.ask("Why did the French Revolution begin?")
	whole := c.speak(cast[0])
	req := c.request(cast[0])
	at := len(req.Messages) - 1
	nudge := llm.Message{Role: llm.User, From: "Classroom", Peer: true, Text: "Your answer was cut off here. Go on."}
	for cut := 1; cut < len(whole)-1; cut += 3 {
		said := strings.ToValidUTF8(whole[:cut], "")
		if strings.TrimSpace(said) == strings.TrimSpace(whole) {
			continue
		}
		req.Messages[at] = llm.Message{Role: llm.Self, Text: said}
		again := req
		again.Messages = append(again.Messages[:at+1:at+1], nudge)
		rest := gather(t, tutor.New(tutor.Options{}), again).Text
		if rest == "" || !strings.HasSuffix(strings.TrimSpace(whole), rest) {
			t.Fatalf("cut after %q it goes on with %q", said, rest)
		}
		if lost := len(strings.TrimSpace(whole)) - len(rest) - len(said); lost > 0 && strings.TrimSpace(whole[len(said):len(whole)-len(rest)]) != "" {
			t.Fatalf("cut after %q, %d bytes are lost before %q", said, lost, rest)
		}
	}
}

func TestNothingToAnswer(t *testing.T) {
	t.Parallel()
	for name, req := range map[string]llm.Request{
		"no messages": {},
		"only peers":  {Messages: []llm.Message{{Role: llm.User, Peer: true, Text: "What is photosynthesis?"}}},
		"blank":       {Messages: []llm.Message{{Role: llm.User, Text: " \n"}}},
	} {
		m := gather(t, tutor.New(tutor.Options{}), req)
		if len(m.Calls) > 0 || !strings.Contains(m.Text, "no question yet") {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

func TestBrokenResults(t *testing.T) {
	t.Parallel()
	ask := llm.Message{Role: llm.User, Text: "What is photosynthesis?"}
	call := llm.Message{Role: llm.Self, Calls: []llm.Call{{ID: "1", Name: "search_materials"}}}
	tools := []llm.Tool{{Name: "search_materials"}}
	say := func(results ...llm.Message) llm.Message {
		req := llm.Request{Tools: tools, Messages: []llm.Message{ask}}
		for _, r := range results {
			r.Role, r.CallID = llm.ToolResult, "1"
			req.Messages = append(req.Messages, call, r)
		}
		return gather(t, tutor.New(tutor.Options{}), req)
	}
	for _, details := range []string{"", "nonsense", `[]`, `{"passages":7}`, `{"passages":[null,{}]}`, `{"query":"x"}`} {
		if m := say(llm.Message{Text: "Photosynthesis is invented.", Details: json.RawMessage(details)}); !strings.Contains(m.Text, "found nothing") {
			t.Errorf("details %q: %+v", details, m)
		}
	}
	if m := say(llm.Message{IsError: true}); len(m.Calls) != 1 {
		t.Errorf("after a failed search: %+v, want one more search", m)
	}
	if m := say(llm.Message{IsError: true}, llm.Message{IsError: true}); !strings.Contains(m.Text, "could not search") {
		t.Errorf("after two failed searches: %+v", m)
	}
}

// Where nothing was found because the index is being rebuilt, nobody says that
// the materials hold nothing; what was found is used all the same.
func TestIndexIsRebuilt(t *testing.T) {
	const leaves = `[{"material":"Leaves","text":"Photosynthesis is how plants make sugar."}]`
	says := regexp.MustCompile("prepared for the search|all our materials yet|ready for the search")
	for _, who := range cast {
		c := theClass(t)
		c.ask("What is photosynthesis?")
		first := gather(t, tutor.New(tutor.Options{}), c.request(who))
		for found, want := range map[string]bool{`[]`: true, leaves: false} {
			req := c.request(who)
			details := `{"query":"x","passages":` + found + `,"topics":["Leaves"],"reading":{"done":2,"total":9}}`
			req.Messages = append(req.Messages, first, llm.Message{
				Role: llm.ToolResult, CallID: first.Calls[0].ID, Details: json.RawMessage(details),
			})
			m := gather(t, tutor.New(tutor.Options{}), req)
			if says.MatchString(m.Text) != want {
				t.Errorf("%s with %s: %q", who.Name, found, m.Text)
			}
		}
	}
}

// Only what follows the newest line of a person is this answer's state.
func TestEarlierResultsAreNoState(t *testing.T) {
	t.Parallel()
	c := theClass(t)
	c.ask("What is photosynthesis?")
	c.speak(cast[0])
	c.ask("How does a bill become a law?")
	m := gather(t, tutor.New(tutor.Options{}), c.request(cast[0]))
	if len(m.Calls) != 1 || string(m.Calls[0].Args) != `{"query":"bill law"}` {
		t.Errorf("got %+v, want a new search", m)
	}
}

// BenchmarkAnswer measures the time to the first word of an answer from six passages.
func BenchmarkAnswer(b *testing.B) {
	c := theClass(b)
	c.ask("What is photosynthesis?")
	c.speak(cast[0])
	req := c.request(cast[0])
	req.Messages = req.Messages[:3]
	for b.Loop() {
		for range tutor.New(tutor.Options{}).Stream(b.Context(), req) {
			break
		}
	}
}
