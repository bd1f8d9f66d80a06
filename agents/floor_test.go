package agents_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// directs reports whether a request is one to the director.
func directs(req llm.Request) bool { return strings.HasPrefix(req.System, "You are the director") }

// asks returns a condition for requests to an agent.
func asks(agent string) func(llm.Request) bool {
	return func(r llm.Request) bool { return r.Speaker.ID == agent }
}

// floorOf returns who had the floor, as "agent role round by" for each window.
func floorOf(log []classroom.Event) []string {
	var out []string
	for _, e := range types(log, classroom.TypeAgentStart) {
		p, _ := classroom.Decode(e)
		a := p.(classroom.AgentStart)
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %d %s", e.Agent, a.StageRole, a.Round, a.By)))
	}
	return out
}

// discuss asks a question in a new session, and returns the log once its run has ended.
func discuss(
	t *testing.T, mode string, rounds int, model *llmtest.Script, question string, roster ...string,
) (*runtimeRig, []classroom.Event) {
	t.Helper()
	log := newMemoryStore()
	log.openAs("s", mode, rounds, roster...)
	c := newRuntimeRig(t, log, model)
	c.send(question, "")
	events := c.settle()
	return c, events
}

// TestRounds: a discussion has as many rounds as were asked for.
func TestRounds(t *testing.T) {
	for _, rounds := range []int{1, 2, 10} {
		t.Run(fmt.Sprint(rounds), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := llmtest.New()
				model.Always(directs, llmtest.Say("END"))
				model.Always(nil, llmtest.Say("A thought."))
				c, log := discuss(t, classroom.ModeDiscussion, rounds, model, "What is a plant?")
				defer c.rt.Close()
				spoke := map[string]int{}
				for _, e := range types(log, classroom.TypeAgentStart) {
					p, _ := classroom.Decode(e)
					spoke[fmt.Sprintf("%s in round %d", e.Agent, p.(classroom.AgentStart).Round)]++
				}
				for _, agent := range []string{"ada", "ben", "cleo", "dan"} {
					for round := 1; round <= rounds; round++ {
						if n := spoke[fmt.Sprintf("%s in round %d", agent, round)]; n != 1 {
							t.Errorf("%s spoke %d times in round %d", agent, n, round)
						}
					}
				}
				if end := payloads[classroom.RunEnd](log); len(end) != 1 || end[0].Status != classroom.Completed {
					t.Errorf("run_end %+v", end)
				}
			})
		})
	}
}

// TestDirectorEnds: with no number asked for the director may end a discussion
// between rounds, and the run says so.
func TestDirectorEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.New()
		model.Always(directs, llmtest.Say("END"))
		model.Always(nil, llmtest.Say("A thought."))
		c, log := discuss(t, classroom.ModeDiscussion, 0, model, "What is a plant?")
		defer c.rt.Close()
		if n := len(floorOf(log)); n != 4 {
			t.Errorf("%d windows, want one round of 4", n)
		}
		end := payloads[classroom.RunEnd](log)[0]
		if end.Code != "closed" || end.Params["round"] != "1" || end.Params["rounds"] != "3" {
			t.Errorf("run_end %+v", end)
		}
	})
}

// TestDirectorChooses: the first speaker needs no director; after that its choice
// counts where its reply can be read, and the rule's where it cannot.
func TestDirectorChooses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.New()
		model.When(directs, llmtest.Say("**Dan**"), llmtest.Say("I would say nobody"), llmtest.Say("END"))
		model.Always(nil, llmtest.Say("A thought."))
		c, log := discuss(t, classroom.ModeDiscussion, 1, model, "What is a plant?")
		defer c.rt.Close()
		if directs(model.Requests()[0]) {
			t.Error("the director was asked before the first word")
		}
		want := "ada  1 rule,dan  1 director,ben  1 rule,cleo  1 rule"
		if got := strings.Join(floorOf(log), ","); got != want {
			t.Errorf("floor %s, want %s", got, want)
		}
	})
}

// TestStopWhileTheDirectorChooses: Stop is quick then too, and nobody gets the floor after it.
func TestStopWhileTheDirectorChooses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.openAs("s", classroom.ModeDiscussion, 2)
		model := llmtest.New()
		model.Always(directs, llmtest.Reply{llmtest.Hang()})
		model.Always(nil, llmtest.Say("A thought."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		c.send("What is a plant?", "")
		synctest.Wait()
		began := time.Now()
		if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		events := c.settle()
		if took := time.Since(began); took > time.Second {
			t.Errorf("Stop took %s", took)
		}
		if got := strings.Join(floorOf(events), ","); got != "ada  1 rule" {
			t.Errorf("floor %s", got)
		}
		if end := payloads[classroom.RunEnd](events); len(end) != 1 || end[0].Status != classroom.Cancelled {
			t.Errorf("run_end %+v", end)
		}
	})
}

// TestDirectorIsNotWaitedForLong: where the director sends nothing, the rule's choice stands.
func TestDirectorIsNotWaitedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.New()
		model.Always(directs, llmtest.Reply{llmtest.Hang()})
		model.Always(nil, llmtest.Say("A thought."))
		c, log := discuss(t, classroom.ModeDiscussion, 1, model, "What is a plant?")
		defer c.rt.Close()
		if n := len(floorOf(log)); n != 4 {
			t.Errorf("%d windows", n)
		}
		if end := payloads[classroom.RunEnd](log)[0]; end.Status != classroom.Completed {
			t.Errorf("run_end %+v", end)
		}
	})
}

// TestNamedSpeaksFirst: an agent named in the question has the floor first, in every mode.
func TestNamedSpeaksFirst(t *testing.T) {
	for _, mode := range []string{classroom.ModeQA, classroom.ModeDiscussion, classroom.ModeDebate} {
		t.Run(mode, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := llmtest.New()
				model.Always(nil, llmtest.Say("A thought."))
				c, log := discuss(t, mode, 1, model, "@Dan, what is a plant?")
				defer c.rt.Close()
				if got := floorOf(log)[0]; !strings.HasPrefix(got, "dan") || !strings.HasSuffix(got, classroom.ByName) {
					t.Errorf("first is %s", got)
				}
			})
		})
	}
}

// TestQuestionOutranksEnd: a question that a person puts to a
// classmate at the very end reaches the teacher, whatever the director says.
func TestQuestionOutranksEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.openAs("s", classroom.ModeDiscussion, 0, "ada", "cleo")
		model := llmtest.New()
		gate := make(chan struct{})
		model.Always(directs, llmtest.Say("END"))
		model.When(asks("cleo"), sayUntil("Well", gate))
		model.Always(nil, llmtest.Say("A thought."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		c.send("What is a plant?", "")
		synctest.Wait()
		c.send("But why is it green?", classroom.Steer)
		close(gate)
		events := c.settle()
		if got := strings.Join(floorOf(events), ","); got != "ada  1 rule,cleo  1 rule,ada reply 1 question" {
			t.Errorf("floor %s", got)
		}
	})
}

// TestDirectorSeesWhoSaidWhat: each line has its role and name, and
// the person is marked apart.
func TestDirectorSeesWhoSaidWhat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.New()
		model.Always(directs, llmtest.Say("cleo"))
		model.When(asks("ada"), llmtest.Say("It grows."))
		model.Always(nil, llmtest.Say("I doubt that."))
		c, _ := discuss(t, classroom.ModeDiscussion, 1, model, "What is a plant?", "ada", "ben", "cleo")
		defer c.rt.Close()
		for _, r := range model.Requests() {
			if !directs(r) {
				continue
			}
			text := r.Messages[0].Text
			for _, line := range []string{"[the person] Ms Moss: What is a plant?", "[teacher] Ms Ada: It grows."} {
				if !strings.Contains(text, line) {
					t.Errorf("the director does not see %q in:\n%s", line, text)
				}
			}
			if len(r.Tools) != 0 || !strings.Contains(r.System, "ben (Ben, assistant)") {
				t.Errorf("director's request %+v", r)
			}
			return
		}
		t.Error("no director")
	})
}

// TestDebate: the moderator opens, two sides speak in each round, the moderator
// closes, and everybody's prompt says who is who.
func TestDebate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.New()
		model.Always(nil, llmtest.Say("A point."))
		c, log := discuss(t, classroom.ModeDebate, 0, model, "School should start at ten.")
		defer c.rt.Close()
		want := "ada moderator 0 rule,cleo for 1 rule,dan against 1 rule," +
			"cleo for 2 rule,dan against 2 rule,ada summary 2 rule"
		if got := strings.Join(floorOf(log), ","); got != want {
			t.Errorf("floor %s, want %s", got, want)
		}
		for i, r := range model.Requests() {
			if !strings.Contains(r.System, "For: Cleo. Against: Dan. Moderator: Ms Ada.") {
				t.Errorf("request %d does not say who is who: %s", i, r.System)
			}
		}
		opening := llm.Staging{
			Mode: "debate", StageRole: llm.StageFor, Round: 1, Rounds: 2, For: "Cleo", Against: "Dan",
		}
		if s := model.Requests()[1].Staging; s != opening {
			t.Errorf("scene %+v", s)
		}
	})
}

// TestLecture: the teacher gives a section, the floor goes to the person, a
// question is answered before the next section, and the last section sums up.
func TestLecture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.openAs("s", classroom.ModeLecture, 3)
		model := llmtest.New()
		model.Always(nil, llmtest.Say("A part."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		for _, said := range []string{"Plants", "Go on", "What is a leaf?", "next", "Animals"} {
			c.send(said, "")
			c.settle()
		}
		events := log.log("s")
		want := "ada lecture 1 rule,ada lecture 2 rule,ada reply 2 rule,ada summary 3 rule,ada lecture 1 rule"
		if got := strings.Join(floorOf(events), ","); got != want {
			t.Errorf("floor %s, want %s", got, want)
		}
		cues := payloads[classroom.CueUser](events)
		if len(cues) != 4 || len(cues[0].Options) != 4 {
			t.Errorf("cues %+v", cues)
		}
	})
}

// TestCue: a tool gives the floor to the person, with choices; nobody speaks
// after that, and the answer opens the next exchange.
func TestCue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s")
		args := `{"question":"Which?","options":["A leaf","A root"]}`
		model := llmtest.New(llmtest.Use(llmtest.Text("Choose."), llmtest.Call(0, "x", "cue_user", args)))
		c := newRuntimeRig(t, log, model, func(o *agents.Options) { o.Tools = append(o.Tools, agents.CueUser()) })
		defer c.rt.Close()
		c.send("Teach me.", "")
		events := c.settle()
		if got := strings.Join(floorOf(events), ","); got != "ada  0 rule" {
			t.Errorf("floor %s", got)
		}
		card := classroom.Of(events).LastCard()
		if card.State != classroom.CardCompleted || card.Cue == nil || card.Cue.Options[1].Label != "A root" {
			t.Errorf("card %+v", card)
		}
		for _, tool := range model.Requests()[0].Tools {
			if tool.Name == "cue_user" {
				return
			}
		}
		t.Error("the teacher is not offered the tool")
	})
}

// TestCodeWord: four agents over twelve turns still know what was
// said in the first.
func TestCodeWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.New()
		model.When(asks("ada"), llmtest.Say("The code word is heliotrope."))
		model.Always(nil, llmtest.Say("Noted."))
		c, log := discuss(t, classroom.ModeDiscussion, 12, model, "Remember the code word.")
		defer c.rt.Close()
		if n := len(floorOf(log)); n != 48 {
			t.Fatalf("%d windows", n)
		}
		for i, r := range model.Requests()[1:] {
			if directs(r) {
				continue
			}
			found := false
			for _, m := range r.Messages {
				found = found || strings.Contains(m.Text, "heliotrope")
			}
			if !found {
				t.Fatalf("request %d no longer knows the code word", i+1)
			}
		}
	})
}

// TestStoppedSectionIsGivenAgain: a section of a lecture that was stopped does not count.
func TestStoppedSectionIsGivenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.openAs("s", classroom.ModeLecture, 3, "ada")
		model := llmtest.New()
		model.When(nil, llmtest.Reply{llmtest.Text("First"), llmtest.Hang()})
		model.Always(nil, llmtest.Say("A part."))
		c := newRuntimeRig(t, log, model)
		defer c.rt.Close()
		c.send("Plants", "")
		synctest.Wait()
		if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		c.send("Go on", "")
		if got := strings.Join(floorOf(c.settle()), ","); got != "ada lecture 1 rule,ada lecture 1 rule" {
			t.Errorf("floor %s", got)
		}
	})
}

// TestCueSurvivesACrash: the floor is still with the person after a crash between
// the tool and the end of its window.
func TestCueSurvivesACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s")
		cue, other := llmtest.Call(0, "x", "cue_user", `{"question":"Which?"}`),
			llmtest.Call(1, "y", "echo", `{"say":"x"}`)
		model := llmtest.New(llmtest.Use(cue, other), llmtest.Reply{llmtest.Hang()})
		tools := func(o *agents.Options) { o.Tools = append(o.Tools, agents.CueUser()) }
		c := newRuntimeRig(t, log, model, tools)
		c.send("Teach me.", "")
		synctest.Wait()
		c.rt.Close()
		c = newRuntimeRig(t, log, model, tools)
		defer c.rt.Close()
		if err := c.rt.Recover(c.t.Context()); err != nil {
			t.Fatal(err)
		}
		events := c.settle()
		if got := strings.Join(floorOf(events), ","); got != "ada  0 rule" {
			t.Errorf("floor %s", got)
		}
		if card := classroom.Of(events).LastCard(); card.State != classroom.CardCompleted || card.Cue == nil {
			t.Errorf("card is %s, cue %+v", card.State, card.Cue)
		}
	})
}

// TestCueArguments: a cue that cannot be shown is refused with a reason for the model.
func TestCueArguments(t *testing.T) {
	for _, args := range []string{
		`{"question":"  "}`, `{"question":"x","options":["a"," "]}`, `{"question":"x","options":["a","a "]}`,
		`{"question":"x","OPTIONS":["a"]}`, `{"question":"x","options":["1","2","3","4","5","6","7"]}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			log := newMemoryStore()
			log.open("s", "ada")
			model := llmtest.New(llmtest.Use(llmtest.Call(0, "x", "cue_user", args)), llmtest.Say("Done."))
			c := newRuntimeRig(t, log, model, func(o *agents.Options) { o.Tools = []agents.Tool{agents.CueUser()} })
			defer c.rt.Close()
			c.send("Go.", "")
			events := c.settle()
			end := payloads[classroom.ToolExecutionEnd](events)[0]
			if !end.IsError || len(payloads[classroom.CueUser](events)) != 0 {
				t.Errorf("%s: %+v", args, end)
			}
		})
	}
}
