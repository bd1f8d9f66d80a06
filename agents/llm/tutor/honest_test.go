package tutor_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
)

var questions = []string{
	"What is photosynthesis?", "Why are leaves green?", "Why did the French Revolution begin?", "How does a bill become a law?",
	"How do you find the hypotenuse?", "Tell me about the French Revolution", "What are the three estates?", "Who was Robespierre?",
	"What is the difference between photosynthesis and respiration?", "Give me an example of a Pythagorean triple", "What is a veto?",
	"Where does photosynthesis take place?", "What is a comet?", "Why does a comet's tail shine?", "comet", "Is a comet a heading?",
	"What is a comet of code?", "How many people were executed in the Terror?", "What is the formula of Pythagoras?", "When did the king die?",
}

// letters keeps the letters and digits of a text, so that marks, spaces and
// escapes do not matter.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// Every quoted paragraph stands in the materials, word for word.
func TestQuotesAreInTheMaterials(t *testing.T) {
	quotes := 0
	for _, stance := range []string{"", "hints", "socratic"} {
		for _, q := range questions {
			c := theClass(t)
			c.rules.Manner = stance
			c.ask(q)
			var all strings.Builder
			for _, x := range c.texts {
				all.WriteString(letters(linkless(x.Text)))
			}
			for _, who := range cast {
				for _, quote := range quoted(c.speak(who)) {
					quotes++
					if !strings.Contains(all.String(), letters(quote)) {
						t.Errorf("%s on %q quotes what no material says: %q", who.Name, q, quote)
					}
				}
			}
		}
	}
	if quotes < 100 {
		t.Errorf("only %d quotes were looked at", quotes)
	}
}

// linkless drops the addresses of the one material with links.
func linkless(s string) string {
	return strings.NewReplacer("(https://evil.example/t.png)", "", "(javascript:alert(3))", "").Replace(s)
}

// quoted returns the paragraphs of block quotes, sources apart, and what stands in “ ” after a colon.
func quoted(answer string) (out []string) {
	for _, p := range strings.Split(answer, "\n") {
		body, ok := strings.CutPrefix(p, "> ")
		switch {
		case ok && !strings.HasPrefix(body, "— ") && !strings.HasPrefix(body, "| ---") && !strings.HasPrefix(body, "```"):
			out = append(out, body)
		case !ok:
			if _, rest, found := strings.Cut(p, ": “"); found {
				body, _, _ := strings.Cut(rest, "”")
				out = append(out, body)
			}
		}
	}
	return out
}

// Whatever a material holds, an answer has no tag, link, image or heading, and
// shows code only as a quote.
func TestHostileMaterialStaysQuoted(t *testing.T) {
	for _, q := range questions {
		c := theClass(t)
		c.ask(q)
		for _, who := range cast {
			checkMarkdown(t, c.speak(who))
		}
	}
}

func checkMarkdown(t *testing.T, answer string) {
	t.Helper()
	root := goldmark.DefaultParser().Parse(text.NewReader([]byte(answer)))
	err := ast.Walk(root, func(n ast.Node, in bool) (ast.WalkStatus, error) {
		if !in {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindRawHTML, ast.KindHTMLBlock, ast.KindImage, ast.KindLink, ast.KindAutoLink, ast.KindHeading, ast.KindThematicBreak:
			t.Errorf("%s in the answer:\n%s", n.Kind(), answer)
		case ast.KindFencedCodeBlock, ast.KindCodeBlock:
			if n.Parent() == root {
				t.Errorf("code outside of a quotation:\n%s", answer)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What is withheld is not said by anyone, however it is asked for.
func TestWithheldIsNotSaid(t *testing.T) {
	for _, stance := range []string{"", "hints", "socratic"} {
		c := theClass(t)
		c.rules = llm.Rules{Manner: stance, Withheld: "chlorophyll, the Bastille; Robespierre"}
		for _, q := range append([]string{"What is chlorophyll?", "chlorophyll", "Tell me everything about Robespierre", "tell me more", "I give up, the whole sentence"}, questions...) {
			c.ask(q)
			for _, who := range cast {
				said := strings.ToLower(c.speak(who))
				for _, secret := range []string{"chlorophyll", "bastille", "robespierre"} {
					if strings.Contains(said, secret) {
						t.Errorf("%s gives %s away on %q:\n%s", who.Name, secret, q, said)
					}
				}
			}
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("teacher", "", "", "What is a comet?", "A **comet** is ice. It shines because of the Sun.", "Comets › What?")
	f.Add("assistant", "hints", "ice", "why?", "- **a**: b is a c\n- d\n\n| x | y |\n|---|---|\n| 1 | 2 |", "")
	f.Add("student", "socratic", "do not say \"comet\"", "tell me about comet ice", "$$\nx\n$$\n```\n> # <b>", "#")
	f.Fuzz(func(t *testing.T, role, stance, secret, question, passage, section string) {
		details, err := json.Marshal(map[string]any{"passages": []any{passageText{"1", "m", section, passage}}, "topics": []string{section}})
		if err != nil {
			t.Skip()
		}
		req := llm.Request{
			Speaker: llm.Speaker{Role: role}, Rules: llm.Rules{Manner: stance, Withheld: secret},
			Tools: []llm.Tool{{Name: "search_materials"}}, Messages: []llm.Message{{Role: llm.User, Text: question}},
		}
		for range 6 {
			m := gather(t, tutor.New(tutor.Options{}), req)
			req.Messages = append(req.Messages, m)
			for _, call := range m.Calls {
				req.Messages = append(req.Messages, llm.Message{Role: llm.ToolResult, CallID: call.ID, Details: details})
			}
			if len(m.Calls) == 0 {
				checkMarkdown(t, m.Text)
				return
			}
		}
		t.Error("the search does not end")
	})
}
