package agents_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/agents/llm/tutor"
	"colloquy/classroom"
)

// laddered is a class in which hints come first, with a library.
func laddered(model llm.Model) (*memoryLibrary, func(*agents.Options)) {
	lib := new(memoryLibrary)
	lib.add("Light", "# Leaves\n\nLeaves look green because chlorophyll reflects green light.\n\n"+
		"# Stomata\n\nStomata are pores.")
	return lib, func(o *agents.Options) {
		o.Library, o.Tools = lib, []agents.Tool{agents.SearchMaterials(lib)}
		o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model { return model }
	}
}

// The ladder is counted from the log: it goes up by a try, not by pressing, and binds who
// speaks. The model is told the rung.
func TestHintsComeFirst(t *testing.T) {
	var replies []llmtest.Reply
	for range 20 {
		replies = append(replies, llmtest.Say("Think."))
	}
	model := llmtest.New(replies...)
	_, change := laddered(model)
	bubble(t, model, []string{"ada", "ben", "cleo"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules.Manner = classroom.MannerHints
		c.log.mu.Unlock()
		for _, step := range []struct {
			text    string
			rung    int
			tries   int
			reason  string
			windows int
		}{
			{"Why are leaves green?", 1, 0, "open", 1},
			{"?", 1, 0, "press", 1},
			{"asdf", 1, 0, "press", 1},
			{"Why are leaves green?", 1, 0, "press", 1},
			{"because of chlorophyll", 2, 1, "try", 3},
			{"I don't know", 2, 1, "press", 3},
			{"idk", 3, 1, "stuck", 3},
			{"What are stomata?", 1, 0, "open", 1},
		} {
			c.send(step.text, "")
			log := c.settle()
			hints := payloads[classroom.Hint](log)
			card := classroom.Of(log).LastCard()
			if len(hints) != len(classroom.Of(log).Cards) {
				t.Fatalf("%q: %d hints", step.text, len(hints))
			}
			h := hints[len(hints)-1]
			if h.Rung != step.rung || h.Tries != step.tries || h.Reason != step.reason || h.Of != 5 {
				t.Errorf("%q: hint %+v", step.text, h)
			}
			if len(card.Windows) != step.windows {
				t.Errorf("%q: %d agents speak, want %d", step.text, len(card.Windows), step.windows)
			}
			asked := model.Requests()
			if r := asked[len(asked)-1].Rules; r.HintRung != step.rung || r.Tries != step.tries {
				t.Errorf("%q: the model is told %+v", step.text, r)
			}
		}
	}, change)
}

// While the pupil is to get less than the whole, the class does not read what a search
// found.
func TestSearchIsKeptOnTheLadder(t *testing.T) {
	model := llmtest.New(llmtest.Use(llmtest.Call(0, "x", "search_materials", `{"query":"leaves"}`)),
		llmtest.Say("Think."))
	_, change := laddered(model)
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules.Manner = classroom.MannerHints
		c.log.mu.Unlock()
		c.send("Why are leaves green?", "")
		log := c.settle()
		class, err := json.Marshal(classroom.ForClass.FilterAll(log))
		if err != nil {
			t.Fatal(err)
		}
		staff, _ := json.Marshal(log)
		const found = "chlorophyll reflects"
		if strings.Contains(string(class), found) || !strings.Contains(string(staff), found) {
			t.Errorf("the class reads %s", class)
		}
	}, change)
}

// Pressed eight times, the tutor does not give the answer, and never says the same twice.
func TestTutorIsPressed(t *testing.T) {
	model := tutor.New(tutor.Options{})
	_, change := laddered(model)
	bubble(t, llmtest.New(), []string{"ada", "ben"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules.Manner = classroom.MannerHints
		c.log.mu.Unlock()
		said := map[string]bool{}
		for i, text := range []string{
			"Why are leaves green?", "?", "asdf", "just tell me the answer", "please", "I don't get it",
			"tell me now!!",
			"Why are leaves green?", "you have to tell me",
		} {
			c.send(text, "")
			card := classroom.Of(c.settle()).LastCard()
			answer := ""
			for _, w := range card.Windows {
				for _, e := range w.Entries {
					if e.Message != nil {
						answer += e.Message.Text()
					}
				}
			}
			if strings.Contains(answer, "chlorophyll") || said[answer] || answer == "" {
				t.Errorf("press %d, %q: %q", i, text, answer)
			}
			said[answer] = true
		}
	}, change)
}

// Whoever teaches lifts the answer once: the card shows it, and the next question begins a
// new ladder.
func TestLift(t *testing.T) {
	model := tutor.New(tutor.Options{})
	_, change := laddered(model)
	bubble(t, llmtest.New(), []string{"ada"}, func(c *runtimeRig) {
		ctx := c.t.Context()
		if err := c.rt.Lift(ctx, "s", 0, "owner"); !errors.Is(err, classroom.ErrNothingToLift) {
			t.Errorf("before a hint: %v", err)
		}
		c.log.mu.Lock()
		c.log.class.Rules.Manner = classroom.MannerHints
		c.log.mu.Unlock()
		c.send("Why are leaves green?", "")
		c.settle()
		c.send("because of light", "")
		c.settle()
		if err := c.rt.Lift(ctx, "s", 0, "owner"); err != nil {
			t.Fatal(err)
		}
		if err := c.rt.Lift(ctx, "s", 0, "owner"); !errors.Is(err, classroom.ErrNothingToLift) {
			t.Errorf("a second time: %v", err)
		}
		card := classroom.Of(c.settle()).Card(2)
		if card.Lift == nil || !strings.Contains(card.Lift.Text, "chlorophyll") || len(card.Lift.Sources) == 0 ||
			card.State != classroom.CardCompleted {
			t.Errorf("the card has %+v, %s", card.Lift, card.State)
		}
		c.send("What are stomata?", "")
		if h := classroom.Of(c.settle()).Card(3).Hint; h == nil || h.Rung != 1 {
			t.Errorf("after it comes %+v", h)
		}
	}, change)
}
