package conform

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

func fragments(t *testing.T, d Dialect) {
	for name, body := range d.Fragments {
		t.Run(name, func(t *testing.T) {
			EveryChunking(t, d, body, Outcome{Calls: TwoCalls, Usage: d.WantUsage, Reason: llm.ToolUse}, NoError)
		})
	}
}

// brokenArguments: invalid arguments are delivered unchanged; missing ones become an
// empty object.
func brokenArguments(t *testing.T, d Dialect) {
	for _, args := range []string{`{"topic":"fractions"`, `{"n":1,}`, "{\"a\":\"b\nc\"}", ""} {
		want := args
		if args == "" {
			want = "{}"
		}
		EveryChunking(t, d, d.Body([]Block{Call("c", "f", args)}, llm.ToolUse),
			Outcome{Calls: []llm.Call{{ID: "c", Name: "f", Args: raw(want)}}, Usage: d.WantUsage, Reason: llm.ToolUse},
			NoError)
	}
	EveryChunking(t, d, d.Body([]Block{Call("c", "f")}, llm.ToolUse),
		Outcome{Calls: []llm.Call{{ID: "c", Name: "f", Args: raw("{}")}}, Usage: d.WantUsage, Reason: llm.ToolUse},
		NoError)
}

// nameFirst: the name is delivered before the arguments have arrived.
func nameFirst(t *testing.T, d Dialect) {
	body := d.Body([]Block{Call("c", "f", `{"a`, `":"`, `b"}`)}, llm.ToolUse)
	at := strings.Index(body, `":\"`) // the second fragment
	if at < 0 {
		t.Fatal("the dialect does not write one event for each piece")
	}
	at = strings.LastIndex(body[:at], "\n\n") + 2
	read := make(chan struct{})
	u := llmtest.Serve(t,
		llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(body[:at]), llmtest.Until(read), llmtest.Bytes(body[at:]))})
	args, named := "", false
	for e, err := range d.New(t, u).Stream(t.Context(), Question("q")) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != llm.CallDelta {
			continue
		}
		named = named || e.Name == "f" && e.ID == "c"
		if args += e.Text; args == `{"a` {
			close(read)
		}
	}
	if !named || args != `{"a":"b"}` {
		t.Errorf("named %v, arguments %s", named, args)
	}
}

func tags(t *testing.T, d Dialect) {
	for name, c := range map[string]struct {
		pieces         []string
		thinking, text string
	}{
		"a split":      {[]string{"<th", "ink>plan-7</thin", "k>visible-7"}, "plan-7", "visible-7"},
		"after spaces": {[]string{"\n", "<think>", "plan-7", "</think>\n\nvisible-7"}, "plan-7", "visible-7"},
		"b not closed": {[]string{"<think>plan-7 </thi"}, "plan-7 </thi", ""},
		"d in code": {[]string{"Write `<think>x</think>`, `</think>` ends."}, "",
			"Write `<think>x</think>`, `</think>` ends."},
		"e less than":  {[]string{"3 < 5"}, "", "3 < 5"},
		"e cut":        {[]string{"3 <", " 5 <", "/", "b>"}, "", "3 < 5 </b>"},
		"other tag":    {[]string{"<thi", "s>"}, "", "<this>"},
		"only a start": {[]string{"<thi"}, "", "<thi"},
		"second block": {[]string{"<think>a</think>b<think>c</think>"}, "a", "b<think>c</think>"},
		"c lone":       {[]string{"plan-7", "</think>", "visible-7"}, "plan-7", "visible-7"},
		"c in a piece": {[]string{"plan-7.\n</think>\n\nvisible-7"}, "plan-7.\n", "visible-7"},
		"c at once":    {[]string{"</think>\n\nvisible-7"}, "", "visible-7"},
		"c own line":   {[]string{"a stray ` here\n", "  </think>", " visible-7"}, "a stray ` here\n  ", "visible-7"},
		"c line ends":  {[]string{"plan-7 </think> \nvisible-7"}, "plan-7 ", "visible-7"},
		"c sentence": {[]string{"Plan <think> it. <b>", "</think> </think>", " So.</think> visible-7"},
			"Plan <think> it. <b></think> </think> So.", "visible-7"},
		"c only":       {[]string{"plan-7</think>"}, "plan-7", ""},
		"d in a fence": {[]string{"Like so:\n```\n</think>\n", "```"}, "", "Like so:\n```\n</think>\n```"},
		"d in words": {[]string{"In HTML you close with </think>, as in"}, "",
			"In HTML you close with </think>, as in"},
		"in the midst": {[]string{"Say <think>c</think>."}, "", "Say <think>c</think>."},
	} {
		t.Run(name, func(t *testing.T) {
			want := Outcome{Thinking: c.thinking, Text: c.text, Usage: d.WantUsage, Reason: llm.Stop}
			if !d.InlineThinking {
				want.Thinking, want.Text = "", strings.Join(c.pieces, "")
			}
			EveryChunking(t, d, d.Body([]Block{Text(c.pieces...)}, llm.Stop), want, NoError)
		})
	}
}

// opaque: opaque state is sent back to the model that generated it, with the results
// of its tools, and to no other model.
func opaque(t *testing.T, d Dialect) {
	thought, call := Thinking("plan-7"), Call("c1", "f", `{"a":1}`)
	thought.Opaque, call.Opaque = "opaque-t", "opaque-c"
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.EachByte(d.Body([]Block{thought, call}, llm.ToolUse))})
	m := d.New(t, u)
	first := Collect(t, t.Context(), m, Question("q"))
	if first.Err != nil || first.Thinking != "plan-7" || len(first.Opaque) == 0 {
		t.Fatalf("first round: %+v", first)
	}
	for name, by := range map[string]string{"same": m.Name(), "other": "other:model", "unknown": ""} {
		req := Question("q")
		req.Messages = append(req.Messages, first.Message(by),
			llm.Message{Role: llm.ToolResult, CallID: "c1", Text: "found"})
		u.Add(llmtest.Answer{Body: llmtest.Bytes(d.Body([]Block{Text("a")}, llm.Stop))})
		if got := Collect(t, t.Context(), m, req); got.Err != nil {
			t.Fatalf("%s: %v", name, got.Err)
		}
		body := string(u.Requests()[len(u.Requests())-1].Body)
		if strings.Contains(body, "opaque") != (by == m.Name()) || !strings.Contains(body, "plan-7") ||
			strings.Contains(body, "<think") {
			t.Errorf("%s: sent %s", name, body)
		}
	}
}

// ids: ids of another provider are replaced by ids that this one accepts, in calls and
// in results.
func ids(t *testing.T, d Dialect) {
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(d.Body([]Block{Text("a")}, llm.Stop))})
	long, odd := strings.Repeat("x", 90), "call|fc:1 é"
	req := Question("q")
	for range 2 { // the same ids twice: some servers number them anew in every answer
		req.Messages = append(req.Messages,
			llm.Message{Role: llm.Self, Model: "other:model",
				Calls: []llm.Call{{ID: long, Name: "f"}, {ID: odd, Name: "f"}, {ID: "call_0", Name: "f"}}},
			llm.Message{Role: llm.ToolResult, CallID: long, Text: "x"},
			llm.Message{Role: llm.ToolResult, CallID: odd, Text: "y"},
			llm.Message{Role: llm.ToolResult, CallID: "call_0", Text: "z"})
	}
	if got := Collect(t, t.Context(), d.New(t, u), req); got.Err != nil {
		t.Fatal(got.Err)
	}
	body := string(u.Requests()[0].Body)
	var made, answered []string
	for _, m := range regexp.MustCompile(`"(id|tool_call_id|tool_use_id)":"([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if m[1] == "id" {
			made = append(made, m[2])
		} else {
			answered = append(answered, m[2])
		}
	}
	seen := map[string]bool{}
	for _, id := range made {
		if seen[id] || !regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`).MatchString(id) {
			t.Errorf("id %q", id)
		}
		seen[id] = true
	}
	if len(made) != 6 || !reflect.DeepEqual(made, answered) {
		t.Errorf("calls %q, results %q in %s", made, answered, body)
	}
}
