package agents_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// The messages of distress of these tests, and the word by which a test finds them in
// requests to models.
const (
	cry    = "I want to die, and Zanzibar knows"
	secret = "Zanzibar"
)

// counted is a library that counts its searches.
type counted struct{ n *atomic.Int32 }

func (c counted) SearchMaterials(context.Context, string, classroom.MaterialQuery) (classroom.Found, error) {
	c.n.Add(1)
	return classroom.Found{}, nil
}
func (counted) NextPassages(context.Context, string, int, int, bool) ([]classroom.Passage, error) {
	return nil, nil
}
func (counted) IndexProgress() (classroom.Progress, bool)                       { return classroom.Progress{}, false }
func (counted) Materials(context.Context, string) ([]classroom.Material, error) { return nil, nil }

// seenBy counts the requests to a model that contain a message of distress.
func seenBy(model *llmtest.Script) (n int) {
	for _, r := range model.Requests() {
		if text, _ := json.Marshal(r); strings.Contains(string(text), secret) {
			n++
		}
	}
	return n
}

// checkSafety checks that the last exchange ended once as distress in lang, without
// the fixed text in the log, and that no model saw any of it.
func (c *runtimeRig) checkSafety(lang string) {
	c.t.Helper()
	log := c.settle()
	card := classroom.Of(log).LastCard()
	ended := card.State == classroom.CardCompleted && card.End.Code == classroom.CodeSafety && card.End.Message == ""
	if card.Safety == nil || !ended {
		c.t.Errorf("the card is %+v with %+v and %+v", card.State, card.Safety, card.End)
		return
	}
	want := classroom.Safety{
		Prompt: card.Safety.Prompt, Kind: classroom.DistressSelfHarm, Lang: lang, Action: classroom.ActionAdult,
	}
	if card.Safety.Safety != want || card.End.Params["lang"] != lang {
		c.t.Errorf("safety %+v, run_end %+v", card.Safety, card.End.Params)
	}
	n := 0
	for _, e := range log {
		if e.Type == classroom.TypeSafety && e.Exchange == card.Exchange {
			n++
		}
	}
	last := log[len(log)-2:]
	if n != 1 || last[0].Type != classroom.TypeSafety || last[1].Type != classroom.TypeRunEnd {
		c.t.Errorf("%d safety events; the log ends with %s, %s", n, last[0].Type, last[1].Type)
	}
	if n := seenBy(c.model); n > 0 {
		c.t.Errorf("%d requests hold the message", n)
	}
}

func TestDistressAsAPrompt(t *testing.T) {
	for lang, text := range map[string]string{
		"en": cry, "de": "Ich will sterben, Zanzibar", "fr": "je veux mourir Zanzibar", "es": "Quiero morir, Zanzibar",
	} {
		searches := new(atomic.Int32)
		bubble(t, llmtest.New(llmtest.Say("Fine.")), []string{"ada"}, func(c *runtimeRig) {
			c.log.openUntitled("s")
			if r := c.send(text, ""); r.Delivery != classroom.Prompt || *r.Exchange != 1 {
				t.Errorf("receipt %+v", r)
			}
			c.checkSafety(lang)
			want := "session_start user_message:prompt run_start safety run_end:completed/safety"
			if got := outline(c.settle()); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if len(c.model.Requests()) > 0 || searches.Load() > 0 {
				t.Errorf("%d requests, %d searches", len(c.model.Requests()), searches.Load())
			}
			if err := c.rt.Resume(c.t.Context(), "s"); !errors.Is(err, classroom.ErrNothingToResume) {
				t.Errorf("resume: %v", err)
			}
			c.send("Why are leaves green?", "")
			f := classroom.Of(c.settle())
			if len(c.model.Requests()) != 1 || seenBy(c.model) > 0 || f.Title != "Why are leaves green?" {
				t.Errorf("the next question: %d of %d requests hold the message, title %q",
					seenBy(c.model), len(c.model.Requests()), f.Title)
			}
		}, func(o *agents.Options) { o.Tools = []agents.Tool{agents.SearchMaterials(counted{searches})} })
	}
}

// openUntitled opens a session whose title comes from its first question.
func (m *memoryStore) openUntitled(id string) {
	m.mu.Lock()
	m.events[id] = nil
	m.mu.Unlock()
	start := classroom.SessionStart{ClassID: "c", Mode: classroom.ModeQA, Roster: m.class.Roster[:1]}
	if _, err := m.Append(context.Background(), id, 0, classroom.Draft{Payload: start}); err != nil {
		panic(err)
	}
}

// A steer ends the exchange wherever its window is, and at once.
func TestDistressAsASteer(t *testing.T) {
	deaf := echo
	deaf.Run = func(context.Context, agents.Call) (agents.Result, error) {
		time.Sleep(time.Hour)
		return agents.Result{}, nil
	}
	for name, reply := range map[string]llmtest.Reply{
		"before the first byte": {llmtest.Hang()},
		"in text":               {llmtest.Text("partial text"), llmtest.Hang()},
		"in a tool":             llmtest.Use(llmtest.Call(0, "x", "echo", `{"say":"x"}`)),
		"in a retry's wait":     {llmtest.Fail(&llm.Error{Fault: llm.Overloaded, Message: "Busy."})},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, llmtest.New(reply), nil, func(c *runtimeRig) {
				c.send("Why?", "")
				time.Sleep(300 * time.Millisecond)
				synctest.Wait()
				if r := c.send(cry, ""); r.Delivery != classroom.Steer || *r.Exchange != 1 {
					t.Errorf("receipt %+v", r)
				}
				began := time.Now()
				c.checkSafety("en")
				if took := time.Since(began); took > time.Second {
					t.Errorf("the run ended %v later", took)
				}
				log := c.settle()
				got := outline(log)
				last := strings.HasSuffix(got, " queue_update safety run_end:completed/safety")
				if !last || strings.Contains(got, "agent_end:stop") {
					t.Errorf("got %s", got)
				}
				f := classroom.Of(log)
				s := f.LastCard().Safety
				if s.Steer == nil || s.Steer.Text != cry || f.Queue.Len() > 0 || len(c.model.Requests()) != 1 {
					t.Errorf("safety %+v, queue %+v, %d requests", s, f.Queue, len(c.model.Requests()))
				}
				c.model.Always(nil, llmtest.Say("Fine."))
				c.send("And now?", "")
				c.settle()
				if n := seenBy(c.model); n > 0 {
					t.Errorf("%d later requests hold the message", n)
				}
				time.Sleep(2 * time.Hour) // until the deaf tool has ended
			}, func(o *agents.Options) { o.Tools = []agents.Tool{deaf} })
		})
	}
}

// A follow-up is asked before the others, and also after a run that failed.
func TestDistressAsAFollowUp(t *testing.T) {
	for _, together := range []bool{false, true} {
		for _, ending := range []llmtest.Step{llmtest.Finish(llm.Stop), llmtest.Fail(errors.New("broken"))} {
			bubble(t, llmtest.New(), []string{"ada"}, func(c *runtimeRig) {
				c.log.class.Rules.DeliverAll = together
				gate := make(chan struct{})
				c.model.Add(llmtest.Reply{llmtest.Text("One."), llmtest.Wait(gate), ending}, llmtest.Say("Fine."))
				c.send("Why?", "")
				synctest.Wait()
				c.send("And then?", classroom.FollowUp)
				if r := c.send(cry, classroom.FollowUp); r.Delivery != classroom.FollowUp || r.Exchange != nil {
					t.Errorf("receipt %+v", r)
				}
				close(gate)
				f := classroom.Of(c.settle())
				if len(f.Cards) != 3 {
					t.Fatalf("%d cards", len(f.Cards))
				}
				first, then := f.Cards[1], f.Cards[2]
				if !first.Distressed() || len(first.Windows) > 0 {
					t.Errorf("the second card is %+v", first)
				}
				if then.State != classroom.CardCompleted || then.Question.Text != "And then?" {
					t.Errorf("the third card is %+v", then)
				}
				if n := seenBy(c.model); n > 0 {
					t.Errorf("%d requests hold the message", n)
				}
			})
		}
	}
}

// Behind the barrier everything else is refused.
func TestDistressBehindTheBarrier(t *testing.T) {
	cut := llmtest.Reply{llmtest.Call(0, "x", "echo", `{"say`), llmtest.Finish(llm.Length)}
	bubble(t, llmtest.New(cut, llmtest.Reply{llmtest.Hang()}), []string{"ada"}, func(c *runtimeRig) {
		c.send("Why?", "")
		synctest.Wait()
		_, err := c.rt.Send(c.t.Context(), "s", classroom.Post{Text: "Shorter."})
		if !errors.Is(err, classroom.ErrBarrier) {
			t.Errorf("another message: %v", err)
		}
		c.send(cry, "")
		c.checkSafety("en")
	})
}

// An edit of a queued message is checked like a new message.
func TestDistressByAnEdit(t *testing.T) {
	for _, as := range []classroom.Delivery{classroom.Steer, classroom.FollowUp} {
		bubble(t, llmtest.New(llmtest.Reply{llmtest.Hang()}), []string{"ada"}, func(c *runtimeRig) {
			c.send("Why?", "")
			synctest.Wait()
			waits := []classroom.Queued{{Cursor: c.send("And then?", as).Cursor, Text: cry}}
			steer, followUp := waits, []classroom.Queued(nil)
			if as == classroom.FollowUp {
				steer, followUp = nil, waits
			}
			if err := c.rt.EditQueue(c.t.Context(), "s", 0, steer, followUp); err != nil {
				t.Fatal(err)
			}
			if as == classroom.FollowUp {
				synctest.Wait()
				if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
					t.Fatal(err)
				}
			}
			c.checkSafety("en")
		})
	}
	bubble(t, llmtest.New(llmtest.Reply{llmtest.Hang()}), []string{"ada"}, func(c *runtimeRig) { // while nothing runs
		c.send("Why?", "")
		synctest.Wait()
		first := classroom.Queued{Cursor: c.send("And then?", classroom.FollowUp).Cursor, Text: "And then?"}
		second := classroom.Queued{Cursor: c.send("And who?", classroom.FollowUp).Cursor, Text: cry}
		if err := c.rt.Cancel(c.t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		c.model.Add(llmtest.Say("Fine."))
		if err := c.rt.EditQueue(c.t.Context(), "s", 0, nil, []classroom.Queued{first, second}); err != nil {
			t.Fatal(err)
		}
		f := classroom.Of(c.settle())
		if len(f.Cards) != 3 || !f.Cards[1].Distressed() ||
			f.Cards[2].Question.Text != "And then?" || seenBy(c.model) > 0 {
			t.Errorf("%d cards, the second %+v", len(f.Cards), f.Cards[1].Question)
		}
	})
}

// TestDistressBetweenWindowAndModel: the message arrives after the agent was chosen and
// before its turn begins. It is not delivered, and no model gets a request.
func TestDistressBetweenWindowAndModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.open("s", "ada")
		model := llmtest.New(llmtest.Say("Fine."))
		var c *runtimeRig
		named := 0
		watched := watchedModel{model, func() {
			if named++; named == 2 { // the first is for run_start, the second for agent_start
				c.send(cry, classroom.Steer)
			}
		}}
		c = newRuntimeRig(t, log, model, func(o *agents.Options) {
			o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model { return watched }
		})
		defer c.rt.Close()
		c.send("Why?", "")
		c.checkSafety("en")
		if n := len(model.Requests()); n > 0 {
			t.Errorf("%d requests", n)
		}
	})
}

// A watchedModel calls a function each time it is asked for its name.
type watchedModel struct {
	*llmtest.Script
	named func()
}

func (m watchedModel) Name() string {
	m.named()
	return m.Script.Name()
}

// logsOfDistress are logs with a message of distress, by how it was sent.
func logsOfDistress(t *testing.T) map[string]*memoryStore {
	logs := map[string]*memoryStore{}
	for _, as := range []classroom.Delivery{classroom.Prompt, classroom.Steer, classroom.FollowUp} {
		slow := llmtest.Reply{llmtest.Text("One."), llmtest.Pause(time.Second), llmtest.Finish(llm.Stop)}
		bubble(t, llmtest.New(slow), []string{"ada"}, func(c *runtimeRig) {
			if as != classroom.Prompt {
				c.send("Why?", "")
				synctest.Wait()
			}
			c.send(cry, as)
			c.checkSafety("en")
			logs[string(as)] = c.log
		})
	}
	return logs
}

// TestDistressAtAnyCut: after any prefix of the log, which a crash or a fork may leave,
// no model gets the message by recovery, Continue or the next question.
func TestDistressAtAnyCut(t *testing.T) {
	for name, whole := range logsOfDistress(t) {
		for n := 1; n <= len(whole.log("s")); n++ {
			for _, fork := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					model := llmtest.New()
					model.Always(nil, llmtest.Say("Fine."))
					c := newRuntimeRig(t, whole.crash("s", n), model)
					defer c.rt.Close()
					open := c.rt.Recover
					if fork {
						open = func(ctx context.Context) error { return c.rt.CloseFork(ctx, "s") }
					}
					if err := open(c.t.Context()); err != nil {
						t.Fatal(err)
					}
					c.settle()
					err := c.rt.Resume(c.t.Context(), "s")
					if err != nil && !errors.Is(err, classroom.ErrNothingToResume) {
						t.Fatal(err)
					}
					c.settle()
					c.send("And now?", "")
					for _, card := range classroom.Of(c.settle()).Cards {
						asked := strings.Contains(card.Question.Text, secret)
						said := card.Safety != nil
						unsaid := said && card.End.Code != classroom.CodeSafety
						if asked != card.Distressed() || asked && len(card.Windows) > 0 || unsaid {
							t.Errorf("%s cut at %d: card %d %+v", name, n, card.Exchange, card.Safety)
						}
					}
					if seen, said := seenBy(model), len(types(c.settle(), classroom.TypeSafety)); seen > 0 || said > 1 {
						t.Errorf("%s cut at %d: %d requests hold the message, %d safety events", name, n, seen, said)
					}
				})
			}
		}
	}
}

func TestDistressInGenerate(t *testing.T) {
	model := llmtest.New(llmtest.Say("Fine."))
	searches := new(atomic.Int32)
	c := newRuntimeRig(t, newMemoryStore(), model, func(o *agents.Options) {
		o.Tools = []agents.Tool{agents.SearchMaterials(counted{searches})}
	})
	defer c.rt.Close()
	said := ""
	for text, err := range c.rt.Generate(c.t.Context(), c.log.class, "Je veux mourir") {
		if err != nil {
			t.Fatal(err)
		}
		said += text
	}
	if said != (classroom.Safety{Lang: "fr"}).Text() || len(model.Requests()) > 0 || searches.Load() > 0 {
		t.Errorf("said %q with %d requests and %d searches", said, len(model.Requests()), searches.Load())
	}
}

// TestDistressInAnImportedLog: an earlier version let a model answer the message. No
// later request contains it, including those for summaries and by the director.
func TestDistressInAnImportedLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemoryStore()
		log.openAs("s", classroom.ModeDiscussion, 0)
		filler := strings.Repeat("A plant grows. ", 300)
		in := func(p classroom.Payload) classroom.Draft {
			return classroom.Draft{Exchange: 1, Attempt: 1, Agent: "ada", Payload: p}
		}
		said := []classroom.Block{{Kind: classroom.BlockText, Text: filler}}
		end := classroom.MessageEnd{MessageID: "m", Blocks: said, StopReason: classroom.StopEnd}
		failed := classroom.RunEnd{Status: classroom.Failed, Code: "upstream"}
		steer := []classroom.Queued{{Cursor: 5, Text: cry}}
		_, err := log.Append(t.Context(), "s", 0,
			classroom.Draft{Exchange: 1, Payload: classroom.UserMessage{Text: cry, Delivery: classroom.Prompt}},
			classroom.Draft{Exchange: 1, Attempt: 1, Payload: classroom.RunStart{Prompt: 2}},
			in(classroom.AgentStart{Name: "Ms Ada", Role: classroom.Teacher}),
			classroom.Draft{Exchange: 1, Payload: classroom.UserMessage{Text: cry, Delivery: classroom.Steer}},
			classroom.Draft{Payload: classroom.QueueUpdate{Steer: steer}},
			in(classroom.QueueUpdate{Delivered: []classroom.Cursor{5}}),
			in(end),
			in(classroom.Compaction{Summary: "What was said:\n" + cry + "\nPlants.", FirstKept: 2}),
			in(classroom.AgentEnd{StopReason: classroom.StopEnd}),
			classroom.Draft{Exchange: 1, Attempt: 1, Payload: failed})
		if err != nil {
			t.Fatal(err)
		}
		model := llmtest.New()
		model.Always(nil, llmtest.Say(filler))
		c := newRuntimeRig(t, log, model, small(model, 8000))
		defer c.rt.Close()
		for _, text := range []string{"What is a plant?", "And a leaf?"} {
			c.send(text, "")
			c.settle()
		}
		kinds := map[bool]int{}
		for _, r := range model.Requests() {
			kinds[summarises(r)]++
		}
		if seenBy(model) > 0 || kinds[true] == 0 || kinds[false] == 0 {
			t.Errorf("%d of the requests hold the message; summaries and others: %v", seenBy(model), kinds)
		}
		if err := c.rt.Resume(c.t.Context(), "s"); err != nil && !errors.Is(err, classroom.ErrNothingToResume) {
			t.Fatal(err)
		}
	})
}
