package tutor_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"colloquy/agents/llm"
)

// lecturing plays a lecture as a person leads through it: to go on is the next
// part, to end the sum-up, anything else a reply.
func lecturing(c *class, rounds int, lines ...string) (out []spoken) {
	p := script{mode: "lecture", rounds: rounds}
	round := 0
	for _, l := range lines {
		c.human("Owner", l)
		switch {
		case round == 0, l == "Go on", l == "next":
			round++
			out = append(out, c.turn(troupe[0], llm.StageLecture, round, p))
		case l == "end", l == "End here with a summary":
			out = append(out, c.turn(troupe[0], llm.StageSummary, rounds, p))
		default:
			out = append(out, c.turn(troupe[0], llm.StageReply, round, p))
		}
	}
	return out
}

func TestLectureTalk(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"lecture-talk":   {"Plate tectonics", "Give an example", "Explain that more simply", "2", "Go on", "What is slab pull?", "Explain that more simply", "Give an example", "next", "end"},
		"lecture-titled": {"Forces and Newton's laws of motion", "Explain that more simply", "Go on", "Give an example", "End here with a summary"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for i, s := range lecturing(theStage(t), 4, lines...) {
				fmt.Fprintf(&b, "## Owner\n\n%s\n\n## %s, %s %d\n\n%s\n\n", lines[i], s.who.Name, s.scene.StageRole, s.scene.Round, s.text)
			}
			compareGolden(t, name, b.String())
		})
	}
}

// A choice is no open question, whoever types it how; a line that is none ends
// with its full stop.
func TestSumUpTakesNoChoiceForAQuestion(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"Go on": "", "End here with a summary": "", "end": "", "End.": "", "stop": "", "stop here, please": "", "next": "", "continue": "",
		"Explain that more simply": "", "Give an example": "", "give me another example please": "", "weiter": "", "ok, go on": "",
		"What is a hot spot?": "Owner put in “What is a hot spot?” We", "I like maps": "Owner put in “I like maps.” We", "End of the dinosaurs": "“End of the dinosaurs.” We",
	} {
		c := theStage(t)
		p := script{mode: "lecture", rounds: 4}
		c.human("Owner", "Plate tectonics")
		c.turn(troupe[0], llm.StageLecture, 1, p)
		c.human("Owner", line)
		got := c.turn(troupe[0], llm.StageSummary, 4, p).text
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "put in") || !strings.HasPrefix(got, "Let me sum up “Plate tectonics”") {
			t.Errorf("after %q the sum-up is %s", line, got)
		}
	}
}

var plainWords = regexp.MustCompile(`[\pL\pN'’]+`)

// Every part is told by its head, is neither short nor long as long as there is
// something to read, and ends with a question, whatever came in between.
func TestLectureParts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../cmd/colloquy/library/*.md")
	if err != nil || len(files) != 12 {
		t.Fatal(files, err)
	}
	for i, title := range theStage(t).topics {
		t.Run(title, func(t *testing.T) {
			between := []string{"Give an example", "Explain that more simply", "What is the main idea?", "2"}[i%4]
			for _, s := range lecturing(theStage(t), 5, title, between, "Go on", "Go on", between, "Go on") {
				if s.scene.StageRole != llm.StageLecture {
					continue
				}
				body, check, ok := strings.Cut(s.text, "\n\nCheck: ")
				if head := fmt.Sprintf("Part %d of 5.\n\n", s.scene.Round); !strings.Contains(s.text, head) || s.scene.Round > 1 && !strings.HasPrefix(s.text, head) {
					t.Errorf("no %q in %q", head, s.text)
				}
				n := 0
				for line := range strings.Lines(body) {
					if strings.HasPrefix(line, "> ") && !strings.HasPrefix(line, "> —") {
						n += len(plainWords.FindAllString(line, -1))
					}
				}
				if used := strings.Contains(body, "are used up"); n > 185 || n < 80 && !used || !ok && !used || strings.Contains(check, "\n") {
					t.Errorf("part %d has %d words:\n%s", s.scene.Round, n, s.text)
				}
			}
		})
	}
}
