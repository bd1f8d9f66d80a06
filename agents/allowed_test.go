package agents_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// TestToolsOfOthersAreNotRun: a model that calls a tool which its agent may not call,
// or not in its role, gets an error result. The tool is neither offered nor run.
func TestToolsOfOthersAreNotRun(t *testing.T) {
	for name, forbid := range map[string]func(a *classroom.Agent, o *agents.Options){
		"not on the agent's list": func(a *classroom.Agent, _ *agents.Options) { a.Tools = []string{"other"} },
		"not in the role": func(_ *classroom.Agent,
			o *agents.Options) {
			o.Tools[0].Roles = []classroom.Role{"x"}
		},
	} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { callForbidden(t, forbid) }) })
	}
}

func callForbidden(t *testing.T, forbid func(*classroom.Agent, *agents.Options)) {
	log := newMemoryStore()
	model := llmtest.New(llmtest.Use(llmtest.Call(0, "x", "echo", `{"say":"x"}`)), llmtest.Say("Sorry."))
	c := newRuntimeRig(t, log, model, func(o *agents.Options) {
		o.Tools = slices.Clone(o.Tools)
		i := slices.IndexFunc(log.class.Roster, func(a classroom.Agent) bool { return a.ID == "ada" })
		forbid(&log.class.Roster[i], o)
	})
	defer c.rt.Close()
	log.open("s", "ada")
	c.send("Why?", "")
	got := c.settle()
	ends := payloads[classroom.ToolExecutionEnd](got)
	if len(ends) != 1 || !ends[0].IsError || len(types(got, classroom.TypeToolExecutionUpdate)) != 0 {
		t.Errorf("results %+v", ends)
	}
	for _, q := range model.Requests() {
		if slices.ContainsFunc(q.Tools, func(t llm.Tool) bool { return t.Name == "echo" }) {
			t.Error("the tool is offered")
		}
	}
}
