package agents_test

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// A refuser is a model that refuses tools and remembers it.
type refuser struct {
	*llmtest.Script
	refused atomic.Bool
}

func (r *refuser) RefusesTools() bool { return r.refused.Load() }

func (r *refuser) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	if len(req.Tools) > 0 {
		r.refused.Store(true)
	}
	return r.Script.Stream(ctx, req)
}

var errNoTools = &llm.Error{Fault: llm.ToolsRefused, Status: 400, Message: "It cannot use tools."}

func withTools(req llm.Request) bool { return len(req.Tools) > 0 }

// modelWithoutTools returns a model that refuses tools, its library, and the options
// that use both.
func modelWithoutTools(replies ...llmtest.Reply) (*refuser, *memoryLibrary, func(*agents.Options)) {
	model := &refuser{Script: llmtest.New(replies...)}
	model.When(withTools, llmtest.Reply{llmtest.Fail(errNoTools)}, llmtest.Reply{llmtest.Fail(errNoTools)})
	lib := new(memoryLibrary)
	lib.add("Light", "# Leaves\n\nChlorophyll reflects green.")
	return model, lib, func(o *agents.Options) {
		o.Library, o.Tools = lib, []agents.Tool{agents.SearchMaterials(lib), agents.CueUser()}
		o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model { return model }
	}
}

// A model that refuses tools gets a second request in the same turn, with passages
// for the question. Later requests have passages from the start.
func TestModelWithoutToolsGetsPassages(t *testing.T) {
	model, lib, change := modelWithoutTools(llmtest.Say("One."), llmtest.Say("Two."))
	bubble(t, model.Script, []string{"ada"}, func(c *runtimeRig) {
		c.send("Why are leaves green?", "")
		got := outline(c.settle())
		want := "session_start user_message:prompt run_start agent_start:ada turn_start message_start" +
			" message_end:error retry message_start message_end:stop turn_end agent_end:stop run_end:completed"
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		c.send("And green ones?", "")
		log := c.settle()
		retries := payloads[classroom.Retry](log)
		if len(retries) != 1 || retries[0].Reason != "without_tools" {
			t.Errorf("retries %+v", retries)
		}
		asked := model.Requests()
		if len(asked) != 3 {
			t.Fatalf("%d requests, want 3", len(asked))
		}
		for i, question := range []string{"Why are leaves green?", "And green ones?"} {
			checkPassages(t, asked[i+1], question)
		}
	}, change)
	if got := strings.Join(lib.queries, " | "); got != "Why are leaves green? | And green ones?" {
		t.Errorf("searched for %s", got)
	}
}

// checkPassages checks that a request has no tools and has passages before the question.
func checkPassages(t *testing.T, req llm.Request, question string) {
	t.Helper()
	n := len(req.Messages)
	told := strings.Contains(req.System, "You have no tools.") && !strings.Contains(req.System, "search_materials")
	if len(req.Tools) > 0 || n < 2 || !told {
		t.Fatalf("asked with %+v", req)
	}
	if strings.HasSuffix(req.Messages[n-1].Text, "it is your turn.") {
		n--
	}
	if last := req.Messages[n-1]; last.Text != question {
		t.Errorf("the last message is %q", last.Text)
	}
	if p := req.Messages[n-2]; !p.Peer || !strings.Contains(p.Text, "[1] Light, Leaves\nChlorophyll reflects green.") {
		t.Errorf("before it stands %+v", p)
	}
}

// A model that refuses the request without tools too ends the run.
func TestRefusalWithoutToolsEndsTheRun(t *testing.T) {
	model, _, change := modelWithoutTools(llmtest.Reply{llmtest.Fail(errNoTools)})
	bubble(t, model.Script, []string{"ada"}, func(c *runtimeRig) {
		c.send("Why green?", "")
		end := payloads[classroom.RunEnd](c.settle())[0]
		if end.Status != classroom.Failed || end.Code != "tools_refused" || len(model.Requests()) != 2 {
			t.Errorf("%+v after %d requests", end, len(model.Requests()))
		}
	}, change)
}

// An agent that may not search gets no passages. A question that is too long for a
// query is truncated.
func TestPassagesKeepToTheSearch(t *testing.T) {
	model, lib, change := modelWithoutTools(llmtest.Say("One."), llmtest.Say("Two."))
	bubble(t, model.Script, []string{"ada"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Roster[0].Tools = []string{"cue_user"}
		c.log.mu.Unlock()
		c.send("Why green?", "")
		c.settle()
		if req := model.Requests()[1]; len(req.Messages) != 2 {
			t.Errorf("asked with %+v ", req.Messages)
		}
		c.log.mu.Lock()
		c.log.class.Roster[0].Tools, lib.queries = nil, nil
		c.log.mu.Unlock()
		c.send(strings.Repeat("ä", 3000), "")
		c.settle()
		if len(lib.queries) != 1 || lib.queries[0] != strings.Repeat("ä", 2000) {
			t.Errorf("searched for %q", lib.queries)
		}
	}, change)
}

// Past calls become text for a model that accepts no tools.
func TestCallsBecomeText(t *testing.T) {
	call := []llm.Call{{ID: "c1", Name: "search_materials"}}
	got := agents.WithoutTools(llm.Request{Tools: []llm.Tool{{Name: "f"}}, Messages: []llm.Message{
		{Role: llm.User, From: "Ms Moss", Text: "q"}, {Role: llm.Self, Calls: call},
		{Role: llm.ToolResult, CallID: "c1", Text: "found"}, {Role: llm.Self, Text: "I look.", Calls: call},
		{Role: llm.ToolResult, CallID: "c1", Text: "failed", IsError: true}, {Role: llm.Self, Text: "So."},
	}})
	var texts []string
	for _, m := range got.Messages {
		if m.Role == llm.ToolResult || len(m.Calls) > 0 {
			t.Errorf("a call or its result stays: %+v", m)
		}
		texts = append(texts, m.Text)
	}
	all := strings.Join(texts, " | ")
	if all != "q | Found in the materials before:\n\nfound | I look. | So." || got.Tools != nil {
		t.Errorf("%q, tools %v", all, got.Tools)
	}
}

// Generate does the same outside a session.
func TestGenerateWithoutTools(t *testing.T) {
	model, lib, change := modelWithoutTools(llmtest.Say("One."), llmtest.Say("Two."))
	k := newRuntimeRig(t, newMemoryStore(), model.Script, change)
	defer k.rt.Close()
	for _, want := range []string{"One.", "Two."} {
		said := ""
		for text, err := range k.rt.Generate(t.Context(), k.log.class, "Why green?") {
			if err != nil {
				t.Fatal(err)
			}
			said += text
		}
		if said != want {
			t.Errorf("said %q, want %q", said, want)
		}
	}
	asked := model.Requests()
	if len(asked) != 3 || len(lib.queries) != 2 {
		t.Fatalf("%d requests after %d searches", len(asked), len(lib.queries))
	}
	checkPassages(t, asked[1], "Why green?")
	checkPassages(t, asked[2], "Why green?")
}
