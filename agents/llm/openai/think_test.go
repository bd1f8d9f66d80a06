package openai

import (
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// V09 c: only a closing tag comes, as the template opened the block. What stands
// before it is never in the answer: of a model whose name says so, of one that a
// level of thinking is asked of, and of any after its first such answer.
func TestOnlyAClosingTag(t *testing.T) {
	lone := []string{"plan", "-7", "</thi", "nk>", "\n\nvisible-7"}
	for name, c := range map[string]struct {
		model  string
		level  llm.Level
		spoilt int // how many answers may show their thinking
	}{
		"by name":  {"deepseek-r1:8b", "", 0},
		"by level": {"fake-model", llm.ThinkLow, 0},
		"learned":  {"fake-model", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t)
			m := named(t, u, c.model)
			req := question("q")
			req.Thinking = c.level
			for n := range 3 {
				u.Add(answered(lone...))
				got := listen(t, t.Context(), m, req)
				if !strings.HasSuffix(got.Text, "visible-7") || strings.Contains(got.Text, "think") {
					t.Errorf("answer %d: %+v", n, got)
				}
				if shown := strings.Contains(got.Text, "plan"); shown != (n < c.spoilt) || !shown && got.Thinking != "plan-7" {
					t.Errorf("answer %d: %+v", n, got)
				}
			}
		})
	}
}

// An answer that was held back for nothing is whole, and the next one streams.
func TestHeldBackForNothing(t *testing.T) {
	u := llmtest.Serve(t, answered("3 <", " 5"))
	m := named(t, u, "deepseek-r1")
	if got := listen(t, t.Context(), m, question("q")); got.Text != "3 < 5" || got.Thinking != "" {
		t.Fatalf("got %+v", got)
	}
	read := make(chan struct{})
	u.Add(llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(llmtest.Data(text("now"))), llmtest.Until(read), llmtest.Bytes(llmtest.Data(text(" then"), finish("stop"))))})
	said := ""
	for e, err := range m.Stream(t.Context(), question("q")) {
		if err != nil {
			t.Fatal(err)
		}
		if said += e.Text; said == "now" && e.Kind == llm.TextDelta {
			close(read)
		}
	}
	if said != "now then" {
		t.Errorf("said %q", said)
	}
}

func TestHeldBack(t *testing.T) {
	long := strings.Repeat("x", maxHeld+1)
	for name, c := range map[string]struct {
		body           string
		thinking, text string
	}{
		"broken off":        {llmtest.Data(text("plan-7")), "plan-7", ""},
		"opened after all":  {llmtest.Data(text("<think>plan-7"), text("</think>visible-7"), finish("stop")), "plan-7", "visible-7"},
		"thinking in field": {llmtest.Data(delta(`{"reasoning":"plan-7"}`), text("visible-7"), finish("stop")), "plan-7", "visible-7"},
		"too long":          {llmtest.Data(text(long), text("</think>a"), finish("stop")), "", long + "a"},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(c.body)})
			got := listen(t, t.Context(), named(t, u, "qwq"), question("q"))
			if got.Thinking != c.thinking || got.Text != c.text {
				t.Errorf("thinking %.40q, text %.40q, %v", got.Thinking, got.Text, got.Err)
			}
		})
	}
}

// Services that part thinking themselves are never waited for.
func TestHostedModelsAreNotHeldBack(t *testing.T) {
	for address, want := range map[string]bool{"": false, "https://generativelanguage.googleapis.com/v1beta/openai": false, "http://localhost:8000": true} {
		m, err := New(Options{BaseURL: address, Model: "deepseek-r1"})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.holds(llm.ThinkHigh); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}
