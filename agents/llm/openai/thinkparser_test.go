package openai

import (
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// There is only a closing tag, because the template opens the block. The text
// before it is not part of the answer; if the tag was expected, it was never shown.
func TestOnlyAClosingTag(t *testing.T) {
	lone := []string{"plan", "-7", "</thi", "nk>", "\n\nvisible-7"}
	for name, c := range map[string]struct {
		model string
		level llm.Level
		shown int // how many answers may show their thinking before they take it back
	}{
		"by name":  {"deepseek-r1:8b", "", 0},
		"by level": {"fake-model", llm.ThinkLow, 0},
		"learned":  {"fake-model", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t)
			m := modelNamed(t, u, c.model)
			req := question("q")
			req.Thinking = c.level
			for n := range 3 {
				u.Add(answerOf(lone...), answerOf(lone...))
				if got := collect(t, t.Context(), m, req); got.Text != "visible-7" || got.Thinking != "plan-7" {
					t.Errorf("answer %d: %+v", n, got)
				}
				if n >= c.shown && kinds(t, m, req) != "thinking plan-7, text visible-7" {
					t.Errorf("answer %d: %s", n, kinds(t, m, req))
				}
			}
		})
	}
}

// kinds lists the events of an answer, with consecutive deltas of one kind joined.
func kinds(t *testing.T, m *Model, req llm.Request) string {
	t.Helper()
	var out []string
	last := llm.Finish
	for e, err := range m.Stream(t.Context(), req) {
		switch {
		case err != nil:
			t.Fatal(err)
		case e.Kind == last:
			out[len(out)-1] += e.Text
		case e.Kind == llm.TextDelta:
			out = append(out, "text "+e.Text)
		case e.Kind == llm.ThinkingDelta:
			out = append(out, "thinking "+e.Text)
		case e.Kind == llm.Rethink:
			out = append(out, "rethink")
		case e.Kind == llm.CallDelta:
			out = append(out, "call "+e.Name)
		}
		last = e.Kind
	}
	return strings.Join(out, ", ")
}

// Emitted thinking is taken back once.
func TestRethink(t *testing.T) {
	call := callDelta(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}}`)
	long := strings.Repeat("plan ", 100)
	for name, c := range map[string]struct {
		model, body, want string
	}{
		"not expected": {"m",
			llmtest.Data(text("plan"), text("-7\n"), text("</think>"), text("\n\nvisible-7</think>"), finish("stop")),
			"text plan-7\n, rethink, text visible-7</think>"},
		"longer than held": {"qwq",
			llmtest.Data(text(long), text("end."), text("</think>"), text("visible-7"), finish("stop")),
			"text " + long + "end., rethink, text visible-7"},
		"then a call": {"m", llmtest.Data(text("plan-7"), text("</think>"), call, finish("tool_calls")),
			"text plan-7, rethink, call f"},
		"nothing more": {"m", llmtest.Data(text("plan-7\n"), text("</think>"), finish("stop")),
			"text plan-7\n, rethink"},
		"after a call": {"m", llmtest.Data(text("a"), call, text("b\n</think>\n"), finish("tool_calls")),
			"text a, call f, text b\n</think>\n"},
		"call while held": {"qwq", llmtest.Data(text("Let me look."), call, finish("tool_calls")),
			"text Let me look., call f"},
	} {
		t.Run(name, func(t *testing.T) {
			m := modelNamed(t,
				llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(c.body)},
					llmtest.Answer{Body: llmtest.Bytes(c.body)}), c.model)
			if got := kinds(t, m, question("q")); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// An answer that was held back without a tag is complete, and the next one streams.
func TestHeldBackWithoutATag(t *testing.T) {
	u := llmtest.Serve(t, answerOf("3 <", " 5"))
	m := modelNamed(t, u, "deepseek-r1")
	if got := collect(t, t.Context(), m, question("q")); got.Text != "3 < 5" || got.Thinking != "" {
		t.Fatalf("got %+v", got)
	}
	read := make(chan struct{})
	u.Add(llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(llmtest.Data(text("now"))), llmtest.Until(read),
		llmtest.Bytes(llmtest.Data(text(" then"), finish("stop"))))})
	answer := ""
	for e, err := range m.Stream(t.Context(), question("q")) {
		if err != nil {
			t.Fatal(err)
		}
		if answer += e.Text; answer == "now" && e.Kind == llm.TextDelta {
			close(read)
		}
	}
	if answer != "now then" {
		t.Errorf("got %q", answer)
	}
}

func TestHeldBack(t *testing.T) {
	for name, c := range map[string]struct {
		body           string
		thinking, text string
	}{
		"broken off": {llmtest.Data(text("plan-7")), "plan-7", ""},
		"opened after all": {llmtest.Data(text("<think>plan-7"), text("</think>visible-7"), finish("stop")), "plan-7",
			"visible-7"},
		"thinking in field": {llmtest.Data(delta(`{"reasoning":"plan-7"}`), text("visible-7"), finish("stop")),
			"plan-7", "visible-7"},
		"tag, broken off": {llmtest.Data(text("plan-7"), text("</think>")), "plan-7", ""},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(c.body)})
			got := collect(t, t.Context(), modelNamed(t, u, "qwq"), question("q"))
			if got.Thinking != c.thinking || got.Text != c.text {
				t.Errorf("thinking %.40q, text %.40q, %v", got.Thinking, got.Text, got.Err)
			}
		})
	}
}

// An answer about tags is complete, even if a closing tag was expected. After
// it no answer is held back.
func TestHeldAnswersAboutTags(t *testing.T) {
	for _, answer := range []string{
		"Use `<think>x</think>` tags", "Use ``a` </think>`` or `\n` \n", "In HTML you close with </think>, as in…",
		"Say <think>c</think>.\nThen go on.",
		"```xml\n<a>\n</think>\n```\nends", "Close with </think>", "Write “x</think>” at its end.",
		"You close with </think> and go on",
	} {
		u := llmtest.Serve(t)
		m := modelNamed(t, u, "m")
		u.Add(answerOf("plan-7\n</think>\n\nvisible-7"), answerOf(strings.SplitAfter(answer, "")...))
		collect(t, t.Context(), m, question("q"))
		if !m.holdsBack("") {
			t.Error("a lone tag was forgotten")
		}
		if got := collect(t, t.Context(), m, question("q")); got.Text != answer || got.Thinking != "" {
			t.Errorf("%q became %+v", answer, got)
		}
		if m.holdsBack("") || m.holdsBack(llm.ThinkHigh) {
			t.Errorf("the answer after %q would be held back", answer)
		}
	}
}

// Only the beginning of an ordinary answer is held back.
func TestHoldBackLimit(t *testing.T) {
	u, read := llmtest.Serve(t), make(chan struct{})
	long := strings.Repeat("ä", maxHeldBack)
	u.Add(llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(llmtest.Data(text(long), text("!"))), llmtest.Until(read),
		llmtest.Bytes(llmtest.Data(text("?"), finish("stop"))))})
	answer := ""
	for e, err := range modelNamed(t, u, "qwq").Stream(t.Context(), question("q")) {
		if err != nil {
			t.Fatal(err)
		}
		if answer += e.Text; answer == long+"!" {
			close(read)
		}
	}
	if answer != long+"!?" {
		t.Errorf("got %q", answer)
	}
}

// Answers of services that separate thinking themselves are never held back.
func TestHostedModelsAreNotHeldBack(t *testing.T) {
	for address, want := range map[string]bool{"": false,
		"https://generativelanguage.googleapis.com/v1beta/openai": false, "http://localhost:8000": true} {
		m, err := New(Options{BaseURL: address, Model: "deepseek-r1"})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.holdsBack(llm.ThinkHigh); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}
