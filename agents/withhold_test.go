package agents_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/agents/llm/tutor"
	"colloquy/classroom"
)

// leaks are ways in which a model may try to give the answers away: the solutions 2 and 3.
var leaks = []llmtest.Reply{
	llmtest.Say("The solutions are 2 and 3."),
	llmtest.Say("Well. Think of it. It is two", ", and the other one is thr", "ee."),
	llmtest.Say("One solution is two. ", "That is all I say. ", "The other one is three."),
	llmtest.Say("| x | solution |\n| - | - |\n| a | 2 |\n", "| b | 3 |"),
	llmtest.Say("Die Lösungen sind zwei und drei."),
	llmtest.Say("Les solutions sont deux et trois."),
	llmtest.Say("Las soluciones son dos y tres."),
	llmtest.Say("x = 2, and of course x = 3 too."),
	llmtest.Say("The solutions of the equation are $x_1 = 2$ and $x_2 = 3$"),
	llmtest.Say("Only the first one: ", "2", "."),
	llmtest.Say("The bigger one is **3**."),
	llmtest.Say("It is 6/3 or \\frac{6}{2}."),
	llmtest.Say("t-w-o, and t-h-r-e-e"),
	llmtest.Say("2\u200b and\u200b 3"),
	{llmtest.Thinking("The solutions are 2 and 3, but I keep them."), llmtest.Text("I keep them."),
		llmtest.Finish(llm.Stop)},
	{llmtest.Text("I have it: the solutions are 2"), llmtest.Usage(llm.Usage{Output: 3}), llmtest.Text(" and 3."),
		llmtest.Finish(llm.Stop)},
	{llmtest.Text("Solutions 2 and 3."), llmtest.Rethink(), llmtest.Text("Think."), llmtest.Finish(llm.Stop)},
	{llmtest.Text("The solutions are 2 and 3")}, // and no end
	llmtest.Use(llmtest.Call(0, "x", "search_materials", `{"query":"solutions `, `2 and `, `3"}`)),
	llmtest.Use(llmtest.Call(0, "x", "search_materials", `{"query":"solutions \u0032 and \u0033"}`)),
	llmtest.Use(llmtest.Call(0, "x", "search_materials", `{"query":"the solutions of the equation"}`)),
	llmtest.Use(llmtest.Call(0, "x", "it_is_2", `{}`)),
}

// Ten pupils press in English and in German, for eight turns each, a model that tries to
// give the answer in every one, and then the tutor: nothing of it reaches what the class
// reads, and no fixed hint is said twice in a script.
func TestPressureLeaksNothing(t *testing.T) {
	content, err := os.ReadFile("testdata/pressure.txt")
	if err != nil {
		t.Fatal(err)
	}
	scripts := strings.Split(strings.TrimSpace(string(content)), "\n\n")
	if len(scripts) != 10 {
		t.Fatalf("%d scripts", len(scripts))
	}
	for i, script := range scripts {
		turns := strings.Split(script, "\n")
		if len(turns) != 8 {
			t.Fatalf("script %d has %d turns", i, len(turns))
		}
		for _, manner := range classroom.Manners() {
			model := llmtest.New()
			for n := range 8 * len(turns) {
				model.Add(leaks[(i*7+n*3)%len(leaks)])
			}
			for name, m := range map[string]llm.Model{"model": model, "tutor": tutor.New(tutor.Options{})} {
				t.Run(fmt.Sprintf("%d %s %s", i, manner, name), func(t *testing.T) {
					press(t, m, model, manner, turns)
				})
			}
		}
	}
}

const equations = "# Factorising\n\nThe solutions of $x^2 - 5x + 6 = 0$ are $x = 2$ and $x = 3$.\n\n" +
	"# Method\n\nLook for numbers whose product and sum fit the equation."

func press(t *testing.T, m llm.Model, script *llmtest.Script, manner string, turns []string) {
	lib := new(memoryLibrary)
	lib.add("Equations", equations)
	bubble(t, script, []string{"ada"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules = classroom.Rules{Withheld: "the solutions of x² − 5x + 6 = 0", Manner: manner}
		c.log.mu.Unlock()
		for _, text := range turns {
			c.send(text, "")
			c.settle()
		}
		log := c.settle()
		said := map[string]bool{}
		for _, card := range classroom.Of(log).Cards {
			for _, w := range card.Windows {
				for _, e := range w.Entries {
					if e.Message == nil || e.Message.Superseded || e.Message.Text() == "" || card.Replaced == 0 {
						continue
					}
					if text := e.Message.Text(); said[text] {
						t.Errorf("%q is said twice", text)
					} else {
						said[text] = true
					}
				}
			}
		}
		for _, text := range agentTexts(t, classroom.ForClass.FilterAll(log)) {
			said := numbering.ReplaceAllString(exponent.ReplaceAllString(text, "x"), "")
			if leak := giveaway.FindString(said); leak != "" {
				t.Errorf("%q gives %q away", text, leak)
			}
		}
	}, withLibrary(lib, m))
}

func withLibrary(lib *memoryLibrary, m llm.Model) func(*agents.Options) {
	return func(o *agents.Options) {
		o.Library, o.Tools = lib, []agents.Tool{agents.SearchMaterials(lib)}
		o.Model = func(context.Context, classroom.Class, classroom.Agent) llm.Model { return m }
	}
}

var (
	exponent  = regexp.MustCompile(`x(\^2|²)`)
	numbering = regexp.MustCompile(`(?m)^\[\d+\]`) // of passages in a result
	giveaway  = regexp.MustCompile(
		`(?i)(^|[^\pL\d])(2|3|6/3|two|three|zwei|drei|deux|trois|dos|tres|t-w-o|t-h-r-e-e|\\frac\{6\})($|[^\pL\d])`)
)

// agentTexts returns all texts of the events of agents, and the text of each message as its
// pieces give it.
func agentTexts(t *testing.T, log []classroom.Event) []string {
	t.Helper()
	var out []string
	pieces := map[string]string{}
	for _, e := range log {
		if e.Agent == "" {
			continue
		}
		p, err := classroom.Decode(e)
		if err != nil {
			t.Fatal(err)
		}
		if u, ok := p.(classroom.MessageUpdate); ok {
			pieces[fmt.Sprint(u.MessageID, u.Block)] += u.Delta
		}
		var value any
		if err := json.Unmarshal(e.Data, &value); err != nil {
			t.Fatal(err)
		}
		out = append(out, texts(value)...)
	}
	for _, text := range pieces {
		out = append(out, text)
	}
	return out
}

// texts returns the texts in JSON that are no ids.
func texts(value any) []string {
	var out []string
	switch v := value.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, x := range v {
			out = append(out, texts(x)...)
		}
	case map[string]any:
		for key, x := range v {
			if !strings.HasSuffix(key, "_id") && key != "tool_results" {
				out = append(out, texts(x)...)
			}
		}
	}
	return out
}

// withholding runs f in a class that withholds the solutions of an equation.
func withholding(t *testing.T, model *llmtest.Script, f func(*runtimeRig), change ...func(*agents.Options)) {
	lib := new(memoryLibrary)
	lib.add("Equations", equations)
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules.Withheld = "the solutions of x² − 5x + 6 = 0"
		c.log.mu.Unlock()
		f(c)
	}, append([]func(*agents.Options){withLibrary(lib, model)}, change...)...)
}

// A model that gives the answer away is asked once more, and then a fixed hint stands in its
// place; a model that does not is heard as it is.
func TestWithheldIsAskedAgainThenReplaced(t *testing.T) {
	leak := llmtest.Say("Let us see. ", "The solutions are 2 and 3.")
	model := llmtest.New(leak, llmtest.Say("Which numbers have the product 6?"), leak, leak)
	withholding(t, model, func(c *runtimeRig) {
		c.send("What is x?", "")
		c.settle()
		c.send("Come on", "")
		log := c.settle()
		var actions []string
		for _, w := range payloads[classroom.Withheld](log) {
			actions = append(actions, w.Action)
		}
		if got := strings.Join(actions, " "); got != "asked_again asked_again replaced" {
			t.Errorf("done is %q", got)
		}
		cards := classroom.Of(log).Cards
		first, second := lastText(cards[0]), lastText(cards[1])
		if first != "Which numbers have the product 6?" || second == "" || second == first ||
			strings.Contains(second, "2") {
			t.Errorf("the class reads %q, then %q", first, second)
		}
		asked := model.Requests()[1].Messages
		if !strings.Contains(asked[len(asked)-1].Text, "gave away") {
			t.Errorf("the model is asked again with %+v", asked[len(asked)-1])
		}
	})
}

func lastText(card *classroom.Card) string {
	entries := card.LastWindow().Entries
	return entries[len(entries)-1].Message.Text()
}

// The guard stays where the request changes: a model that refuses tools is guarded too.
func TestWithheldAfterToolsAreRefused(t *testing.T) {
	leak := llmtest.Say("The solutions are 2 and 3.")
	refuse := llmtest.Reply{llmtest.Fail(&llm.Error{Fault: llm.ToolsRefused, Message: "no tools"})}
	model := llmtest.New(refuse, leak, leak)
	withholding(t, model, func(c *runtimeRig) {
		c.send("What is x?", "")
		log := c.settle()
		if got := lastText(classroom.Of(log).LastCard()); got == "" || giveaway.MatchString(got) {
			t.Errorf("the class reads %q", got)
		}
		if n := len(payloads[classroom.Withheld](log)); n != 2 {
			t.Errorf("%d events say that something was kept back", n)
		}
	})
}

// What a provider wants back with its thinking passes a guarded model.
func TestWithheldKeepsOpaqueThinking(t *testing.T) {
	model := llmtest.New(llmtest.Reply{
		llmtest.Thinking("They have not tried. ", "So I ask."),
		llmtest.Emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: "sig"}),
		llmtest.Text("What did you try?"), llmtest.Finish(llm.Stop),
	})
	withholding(t, model, func(c *runtimeRig) {
		c.send("What is x?", "")
		end := payloads[classroom.MessageEnd](c.settle())[0]
		if len(end.Blocks) != 2 || end.Blocks[0].Opaque != "sig" ||
			end.Blocks[0].Text != "They have not tried. So I ask." || end.Blocks[1].Text != "What did you try?" {
			t.Errorf("the message is %+v", end.Blocks)
		}
	})
}

// brokenLibrary cannot be searched.
type brokenLibrary struct{ *memoryLibrary }

func (brokenLibrary) SearchMaterials(context.Context, string, classroom.MaterialQuery) (classroom.Found, error) {
	return classroom.Found{}, errors.New("broken")
}

// Where what is withheld cannot be looked up, no agent speaks.
func TestWithheldUnknown(t *testing.T) {
	model := llmtest.New(llmtest.Say("The solutions are 2 and 3."))
	withholding(t, model, func(c *runtimeRig) {
		c.send("What is x?", "")
		log := c.settle()
		end := payloads[classroom.RunEnd](log)[0]
		if end.Code != "withheld_unknown" || len(model.Requests()) > 0 {
			t.Errorf("the run ends with %q after %d requests", end.Code, len(model.Requests()))
		}
	}, func(o *agents.Options) { o.Library = brokenLibrary{new(memoryLibrary)} })
}

// A lift gives the answer free, in its card and from then on in the session.
func TestLiftGivesFree(t *testing.T) {
	model := llmtest.New(
		llmtest.Say("The solutions are 2 and 3."), llmtest.Say("Try."), llmtest.Say("They are 2 and 3."))
	withholding(t, model, func(c *runtimeRig) {
		if err := c.rt.Lift(c.t.Context(), "s", 0, "p1"); !errors.Is(err, classroom.ErrNothingToLift) {
			t.Errorf("lift before a question: %v", err)
		}
		c.send("What are the solutions of x² − 5x + 6 = 0?", "")
		c.settle()
		if err := c.rt.Lift(c.t.Context(), "s", 0, "p1"); err != nil {
			t.Fatal(err)
		}
		if err := c.rt.Lift(c.t.Context(), "s", 0, "p1"); !errors.Is(err, classroom.ErrNothingToLift) {
			t.Errorf("a second lift: %v", err)
		}
		c.send("And now?", "")
		log := c.settle()
		cards := classroom.Of(log).Cards
		if l := cards[0].Lift; l == nil || !strings.Contains(l.Text, "$x = 2$ and $x = 3$") || l.By != "p1" {
			t.Errorf("the lift is %+v", l)
		}
		if got := lastText(cards[1]); got != "They are 2 and 3." {
			t.Errorf("after the lift: %q", got)
		}
	})
}

// After a lift the ladder of the question stands on its last rung, and another question
// opens another ladder.
func TestLiftFreesTheLadder(t *testing.T) {
	var replies []llmtest.Reply
	for range 8 {
		replies = append(replies, llmtest.Say("Think."))
	}
	model := llmtest.New(replies...)
	_, change := laddered(model)
	bubble(t, model, []string{"ada"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules.Manner = classroom.MannerHints
		c.log.mu.Unlock()
		c.send("Why are leaves green?", "")
		c.settle()
		if err := c.rt.Lift(c.t.Context(), "s", 0, "p1"); err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			text string
			rung int
		}{{"Why are leaves green?", 5}, {"?", 5}, {"What are stomata?", 1}} {
			c.send(step.text, "")
			if h := classroom.Of(c.settle()).LastCard().Hint; h == nil || h.Rung != step.rung {
				t.Errorf("%q after the lift: %+v", step.text, h)
			}
		}
	}, change)
}

// A report of usage may come in the middle of a word: what stands before it waits.
func TestWithheldWordAroundUsage(t *testing.T) {
	leak := llmtest.Reply{
		llmtest.Text("It is called chloro"), llmtest.Usage(llm.Usage{Output: 3}), llmtest.Text("phyll."),
		llmtest.Finish(llm.Stop),
	}
	model := llmtest.New(leak, leak)
	withholding(t, model, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules.Withheld = "the pigment: chlorophyll"
		c.log.mu.Unlock()
		c.send("What is it called?", "")
		for _, text := range agentTexts(c.t, c.settle()) {
			if strings.Contains(text, "chloro") {
				t.Errorf("the log has %q", text)
			}
		}
	})
}
