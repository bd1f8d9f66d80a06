package tutor_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colloquy/agents/llm"
)

// The roster that a new class has.
var (
	troupe = []llm.Speaker{
		{ID: "ms-ada", Name: "Ms Ada", Role: "teacher"}, {ID: "theo", Name: "Theo", Role: "assistant"},
		{ID: "mina", Name: "Mina", Role: "student"}, {ID: "jonas", Name: "Jonas", Role: "student"},
		{ID: "lena", Name: "Lena", Role: "student"}, {ID: "sam", Name: "Sam", Role: "student"},
	}
	personas = map[string]string{
		"ms-ada": "Calm and clear. Begins with the answer, then the reason, and checks that it was understood.",
		"theo":   "Tidy. Turns what was said into terms, tables and steps that one can keep.",
		"mina":   "Curious. Asks the question behind the question.",
		"jonas":  "Doubtful in a friendly way. Wants to know how we know.",
		"lena":   "Practical. Looks for an example from everyday life.",
		"sam":    "Cheerful and quick. Says it again in his own words, and is sometimes too quick.",
	}
)

// A stage is the scene that is played, as the runtime tells it.
type stage struct {
	scene llm.Staging
	sides string
}

func (s *stage) direct(req *llm.Request) {
	if s == nil {
		return
	}
	req.Staging = s.scene
	req.System += ". You take part.\n\nYour character: " + personas[req.Speaker.ID] + "\n\n" + s.sides
}

// theStage is a class with the starter library, cut as the store cuts it.
func theStage(t testing.TB) *class {
	files, err := filepath.Glob("../../../cmd/colloquy/library/*.md")
	if err != nil || len(files) < 10 {
		t.Fatalf("library: %v, %v", files, err)
	}
	c := newClass(t, files...)
	c.stage = &stage{}
	var cut []passageText
	for _, x := range c.texts {
		part := ""
		for block := range strings.SplitSeq(x.Text, "\n\n") {
			if part != "" && len(part)+len(block) > 700 {
				cut = append(cut, passageText{x.MaterialID, x.Material, x.Section, strings.TrimSpace(part)})
				part = ""
			}
			part += block + "\n\n"
		}
		cut = append(cut, passageText{x.MaterialID, x.Material, x.Section, strings.TrimSpace(part)})
	}
	c.texts = cut
	return c
}

// around adds what stands nearest to the best, where there is room.
func (c *class) around(found []passageText) []passageText {
	if len(found) == 0 {
		return found
	}
	at, best := slices.Index(c.texts, found[0]), found[0].MaterialID
	room := min(3, 6-len(found))
	for d := 1; d < len(c.texts) && room > 0; d++ {
		for _, i := range []int{at - d, at + d} {
			if room > 0 && i >= 0 && i < len(c.texts) && c.texts[i].MaterialID == best && !slices.Contains(found, c.texts[i]) {
				found = append(found, c.texts[i])
				room--
			}
		}
	}
	return found
}

// A script is a whole exchange in a mode.
type script struct {
	mode   string
	rounds int
	topic  string
	rules  llm.Rules
	aside  string // what a person puts in after the first round
}

func (p script) run(t testing.TB) (*class, []spoken) {
	c := theStage(t)
	c.rules = p.rules
	c.human("Tom", p.topic)
	return c, plays[p.mode](c, p)
}

var plays = map[string]func(*class, script) []spoken{"discussion": discuss, "debate": debates, "lecture": lectures}

// spoken is one turn.
type spoken struct {
	who   llm.Speaker
	scene llm.Staging
	text  string
}

func (c *class) turn(who llm.Speaker, part llm.StageRole, round int, p script) spoken {
	c.stage.scene = llm.Staging{Mode: p.mode, StageRole: part, Round: round, Rounds: p.rounds}
	return spoken{who, c.stage.scene, c.speak(who)}
}

// interject lets a person put something in, and the teacher reply.
func (c *class) interject(p script, round int) []spoken {
	if p.aside == "" || round != 1 {
		return nil
	}
	c.human("Mia", p.aside)
	return []spoken{c.turn(troupe[0], llm.StageReply, round, p)}
}

func discuss(c *class, p script) (out []spoken) {
	for round := 1; round <= p.rounds; round++ {
		for _, who := range troupe {
			out = append(out, c.turn(who, "", round, p))
		}
		out = append(out, c.interject(p, round)...)
	}
	return out
}

func debates(c *class, p script) (out []spoken) {
	c.stage.sides = "For: Mina. Against: Jonas.\n"
	out = append(out, c.turn(troupe[0], llm.StageModerator, 0, p))
	for round := 1; round <= p.rounds; round++ {
		out = append(out, c.turn(troupe[2], llm.StageFor, round, p), c.turn(troupe[3], llm.StageAgainst, round, p))
		out = append(out, c.interject(p, round)...)
	}
	return append(out, c.turn(troupe[0], llm.StageSummary, 0, p))
}

func lectures(c *class, p script) (out []spoken) {
	for round := 1; round <= p.rounds; round++ {
		out = append(out, c.turn(troupe[0], llm.StageLecture, round, p))
		out = append(out, c.interject(p, round)...)
	}
	return append(out, c.turn(troupe[0], llm.StageSummary, p.rounds, p))
}

func written(p script, turns []spoken) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Tom\n\n%s\n\n", p.topic)
	for _, s := range turns {
		if s.scene.StageRole == llm.StageReply {
			fmt.Fprintf(&b, "## Mia\n\n%s\n\n", p.aside)
		}
		fmt.Fprintf(&b, "## %s, %s %s %d\n\n%s\n\n", s.who.Name, s.scene.Mode, s.scene.StageRole, s.scene.Round, s.text)
	}
	return b.String()
}
