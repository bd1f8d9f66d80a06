package agents_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// sleeper is a tool that takes as long as its argument says.
func sleeper(parallel bool) agents.Tool {
	return agents.Tool{
		Name: "wait", Description: "Waits.", Parallel: parallel,
		Input: json.RawMessage(`{"type":"object","properties":{"ms":{"type":"integer"}},"required":["ms"]}`),
		Run: func(ctx context.Context, c agents.Call) (agents.Result, error) {
			var args struct{ MS int }
			_ = json.Unmarshal(c.Args, &args)
			time.Sleep(time.Duration(args.MS) * time.Millisecond)
			c.Progress("nearly")
			return agents.Result{Text: string(c.Args), Terminate: args.MS == 1}, nil
		},
	}
}

func runCalls(t *testing.T, tools []agents.Tool, calls ...llmtest.Step) []classroom.Event {
	t.Helper()
	log := newMemoryStore()
	log.open("s", "ada")
	c := newRuntimeRig(t, log, llmtest.New(llmtest.Use(calls...), llmtest.Say("Done.")),
		func(o *agents.Options) { o.Tools = tools })
	defer c.rt.Close()
	c.send("Go.", "")
	return c.settle()
}

// TestParallelTools: tools that may run in parallel do; they end as they finish,
// and their results keep the order of the calls.
func TestParallelTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		log := runCalls(t, []agents.Tool{sleeper(true)},
			llmtest.Call(0, "a", "wait", `{"ms":3000}`), llmtest.Call(1, "b", "wait", `{"ms":1000}`),
			llmtest.Call(2, "c", "wait", `{"ms":"no"}`))
		if took := time.Since(began); took > 3500*time.Millisecond {
			t.Errorf("took %s", took)
		}
		var ended []string
		for _, e := range payloads[classroom.ToolExecutionEnd](log) {
			ended = append(ended, e.CallID[strings.LastIndexByte(e.CallID, '-')+1:])
		}
		if got := strings.Join(ended, ","); got != "3,2,1" {
			t.Errorf("ended in the order %s", got)
		}
		results := payloads[classroom.TurnEnd](log)[0].ToolResults
		for i, id := range results {
			if !strings.HasSuffix(id, "-"+string(rune('1'+i))) {
				t.Errorf("results %v", results)
			}
		}
	})
}

// TestSequentialTools: one tool that may not run in parallel makes all run in sequence.
func TestSequentialTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := runCalls(t, []agents.Tool{sleeper(true), echo},
			llmtest.Call(0, "a", "wait", `{"ms":500}`), llmtest.Call(1, "b", "echo", `{"say":"x"}`))
		open := 0
		for _, e := range log {
			switch e.Type {
			case classroom.TypeToolExecutionStart:
				open++
			case classroom.TypeToolExecutionEnd:
				open--
			}
			if open > 1 {
				t.Fatal("two tools at once")
			}
		}
	})
}

// TestTerminate: where all results of a message say so the window ends without
// another call of the model; where only some do, it continues.
func TestTerminate(t *testing.T) {
	for name, x := range map[string]struct {
		other string
		turns int
	}{"all": {`{"ms":1}`, 1}, "some": {`{"ms":0}`, 2}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := runCalls(t, []agents.Tool{sleeper(true)}, llmtest.Call(0, "a", "wait", `{"ms":1}`),
					llmtest.Call(1, "b", "wait", x.other))
				if got := payloads[classroom.AgentEnd](log)[0].Turns; got != x.turns {
					t.Errorf("%d turns, want %d", got, x.turns)
				}
			})
		})
	}
}

// TestOutputSchema: a result that does not match its tool's schema is an error.
func TestOutputSchema(t *testing.T) {
	for name, details := range map[string]any{"fits": map[string]any{"n": 1}, "does not": map[string]any{"n": "one"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tool := agents.Tool{Name: "count", Input: json.RawMessage(`{"type":"object"}`),
					Output: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
					Run: func(context.Context, agents.Call) (agents.Result, error) {
						return agents.Result{Text: "one", Details: details}, nil
					}}
				log := runCalls(t, []agents.Tool{tool}, llmtest.Call(0, "a", "count", `{}`))
				if end := payloads[classroom.ToolExecutionEnd](log)[0]; end.IsError != (name != "fits") {
					t.Errorf("result %+v", end)
				}
			})
		})
	}
}

// TestStopEndsParallelTools: Stop gives every open call its result, even where a
// tool ignores its context.
func TestStopEndsParallelTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		c := newRuntimeRig(t, log, llmtest.New(llmtest.Use(llmtest.Call(0, "a", "wait", `{"ms":60000}`),
			llmtest.Call(1, "b", "wait", `{"ms":10}`))),
			func(o *agents.Options) { o.Tools = []agents.Tool{sleeper(true)} })
		c.send("Go.", "")
		time.Sleep(time.Second)
		if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		events := c.settle()
		ends := payloads[classroom.ToolExecutionEnd](events)
		if len(ends) != 2 || ends[0].IsError || !ends[1].IsError {
			t.Errorf("ends %+v", ends)
		}
		c.rt.Close()
		time.Sleep(time.Minute) // the tool returns, and nobody waits for it
	})
}
