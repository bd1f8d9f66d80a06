package agents_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// bubble runs f in a synctest bubble, over a new runtime whose session "s" has those agents.
func bubble(
	t *testing.T, model *llmtest.Script, roster []string, f func(c *runtimeRig), change ...func(*agents.Options),
) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", roster...)
		c := newRuntimeRig(t, log, model, change...)
		defer c.rt.Close()
		f(c)
	})
}

const window = " agent_start:%s turn_start message_start message_end:stop turn_end agent_end:stop"

func TestAgentsSpeakInTurn(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Say("one"), llmtest.Say("two"), llmtest.Say("three")), nil, func(c *runtimeRig) {
		r := c.send("Why?", "")
		if r.Delivery != classroom.Prompt || r.Exchange == nil || *r.Exchange != 1 || r.Cursor != 2 {
			t.Errorf("receipt %+v", r)
		}
		got := outline(c.settle())
		want := "session_start user_message:prompt run_start"
		for _, who := range []string{"ada", "ben", "cleo"} {
			want += strings.ReplaceAll(window, "%s", who)
		}
		if want += " run_end:completed"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestNamedAgentSpeaksFirst(t *testing.T) {
	bubble(t, llmtest.New(llmtest.Say("one"), llmtest.Say("two"), llmtest.Say("three")), nil, func(c *runtimeRig) {
		c.send("What do you think, @Dan?", "")
		var who []string
		for _, e := range types(c.settle(), classroom.TypeAgentStart) {
			who = append(who, e.Agent)
		}
		if got := strings.Join(who, " "); got != "dan ada ben" {
			t.Errorf("spoke: %s, want dan ada ben", got)
		}
	})
}

func TestEachSeesTheOthersByName(t *testing.T) {
	model := llmtest.New(llmtest.Say("Light."), llmtest.Say("Terms."))
	bubble(t, model, []string{"ada", "ben"}, func(c *runtimeRig) {
		c.send("Why?", "")
		c.settle()
		last := model.Requests()[1]
		if len(last.Messages) != 3 || last.Messages[0].From != "Ms Moss" || last.Messages[0].Peer {
			t.Fatalf("messages %+v", last.Messages)
		}
		if m := last.Messages[1]; m.From != "Ms Ada, teacher" || !m.Peer || m.Role != llm.User || m.Text != "Light." {
			t.Errorf("the peer's line is %+v", m)
		}
		if !strings.Contains(last.System, "You are Ben, ") || !strings.Contains(last.System, "Ms Ada, teacher") {
			t.Errorf("system prompt: %s", last.System)
		}
	})
}

func TestToolTurn(t *testing.T) {
	model := llmtest.New(llmtest.Use(llmtest.Text("Let me look."),
		llmtest.Call(0, "x", "echo", `{"say":`, `"hi"}`)), llmtest.Say("Found it."))
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		log := c.settle()
		want := "session_start user_message:prompt run_start agent_start:ada turn_start message_start" +
			" message_end:tool_use" +
			" tool_execution_start tool_execution_update tool_execution_end:false turn_end" +
			" turn_start message_start message_end:stop turn_end agent_end:stop run_end:completed"
		if got := outline(log); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		second := model.Requests()[1].Messages
		if n := len(second); n != 3 || second[1].Calls[0].ID != second[2].CallID || second[2].Text != "hi" ||
			string(second[2].Details) != `{"Say":"hi"}` {
			t.Errorf("second request: %+v", second)
		}
		end := payloads[classroom.TurnEnd](log)[0]
		if len(end.ToolResults) != 1 || end.Message != nil || end.Results != nil {
			t.Errorf("turn_end %+v is not slim", end)
		}
	})
}

// Each wrong call gets a readable error result, and the window continues.
func TestWrongCalls(t *testing.T) {
	for name, args := range map[string]string{
		"cut": `{"say":"x"`, "comma": `{"say":1,}`, "type": `{"say":7}`, "missing": `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			model := llmtest.New(llmtest.Use(llmtest.Call(0, "x", "echo", args)), llmtest.Say("Sorry."))
			bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
				c.send("Why?", "")
				log := c.settle()
				ends := payloads[classroom.ToolExecutionEnd](log)
				if len(ends) != 1 || !ends[0].IsError || ends[0].Content[0].Text == "" {
					t.Fatalf("results %+v", ends)
				}
				if end := payloads[classroom.RunEnd](log); end[0].Status != classroom.Completed {
					t.Errorf("run_end %+v", end)
				}
			})
		})
	}
	model := llmtest.New(llmtest.Use(llmtest.Call(0, "x", "shell", `{}`)), llmtest.Say("Sorry."))
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		if ends := payloads[classroom.ToolExecutionEnd](c.settle()); !ends[0].IsError ||
			!strings.Contains(ends[0].Content[0].Text, "echo") {
			t.Errorf("unknown tool: %+v", ends)
		}
	})
}

func TestToolTroubleIsAnErrorResult(t *testing.T) {
	trouble := map[string]func(context.Context, agents.Call) (agents.Result, error){
		"panic": func(context.Context, agents.Call) (agents.Result, error) { panic("secret path") },
		"error": func(context.Context, agents.Call) (agents.Result, error) {
			return agents.Result{}, errors.New("no disk")
		},
		"timeout": func(ctx context.Context, _ agents.Call) (agents.Result, error) {
			<-ctx.Done()
			return agents.Result{}, ctx.Err()
		},
	}
	for name, f := range trouble {
		t.Run(name, func(t *testing.T) {
			model := llmtest.New(llmtest.Use(llmtest.Call(0, "x", "echo", `{"say":"x"}`)), llmtest.Say("Sorry."))
			bad := echo
			bad.Run = f
			bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
				c.send("Why?", "")
				ends := payloads[classroom.ToolExecutionEnd](c.settle())
				if len(ends) != 1 || !ends[0].IsError || strings.Contains(ends[0].Content[0].Text, "secret") {
					t.Errorf("results %+v", ends)
				}
			}, func(o *agents.Options) { o.Tools = []agents.Tool{bad} })
		})
	}
}

// The first delta of a block is written at once, later ones at most every 100 ms.
func TestDeltasAreCoalesced(t *testing.T) {
	pieces := llmtest.Reply{}
	for range 100 {
		pieces = append(pieces, llmtest.Text("word "), llmtest.Pause(10*time.Millisecond))
	}
	model := llmtest.New(append(pieces, llmtest.Finish(llm.Stop)))
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		log := c.settle()
		rows := types(log, classroom.TypeMessageUpdate)
		if len(rows) < 9 || len(rows) > 12 {
			t.Errorf("%d rows for a second of text", len(rows))
		}
		asked := types(log, classroom.TypeTurnStart)[0].Time
		if first := rows[0].Time; first != asked {
			t.Errorf("the first delta waited %d ms", first-asked)
		}
		if end := payloads[classroom.MessageEnd](log)[0]; end.Blocks[0].Text != strings.Repeat("word ", 100) {
			t.Errorf("message_end holds %q", end.Blocks[0].Text)
		}
	})
}

// What the model sent before it paused is written within 100 ms.
func TestSilentModelsWordsAreWritten(t *testing.T) {
	model := llmtest.New(llmtest.Reply{llmtest.Text("a "), llmtest.Text("b "), llmtest.Hang()})
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		time.Sleep(150 * time.Millisecond)
		synctest.Wait()
		text := ""
		for _, u := range payloads[classroom.MessageUpdate](c.log.log("s")) {
			text += u.Delta
		}
		if text != "a b " {
			t.Errorf("the log holds %q", text)
		}
	})
}

// What a teacher changes in a class counts from the next question on.
func TestRulesChangeBetweenQuestions(t *testing.T) {
	model := llmtest.New(llmtest.Say("One."), llmtest.Say("Two."))
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		c.settle()
		c.log.mu.Lock()
		c.log.class.Rules.Manner = "hints"
		c.log.mu.Unlock()
		c.send("And now?", "")
		c.settle()
		if got := model.Requests()[1].Rules.Manner; got != "hints" {
			t.Errorf("the stance is %q", got)
		}
	})
}
