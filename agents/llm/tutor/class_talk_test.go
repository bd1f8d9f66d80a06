package tutor_test

import (
	"strings"
	"testing"
)

// Nobody asks what fits any sentence, and a miss is explained once.
func TestTalkIsAboutTheQuestion(t *testing.T) {
	for _, q := range questions {
		c := theClass(t)
		c.ask(q)
		var said []string
		for range 2 {
			for _, who := range cast {
				said = append(said, c.speak(who))
			}
		}
		for i, s := range said {
			for _, dull := range []string{"the same in every case", "have been named already", "no question about this for now"} {
				if strings.Contains(s, dull) {
					t.Errorf("%s on %q says %q", cast[i%3].Name, q, s)
				}
			}
		}
		missed := strings.Contains(said[0], "found nothing that fits")
		for i, s := range said[1:3] {
			if missed && (strings.Contains(strings.TrimSuffix(s, "."), ". ") || s == said[2-i]) {
				t.Errorf("on a miss of %q %s says %q", q, cast[1+i].Name, s)
			}
		}
	}
}

// Who is asked by name answers, unless the others are to find it out.
func TestStudentAskedByNameAnswers(t *testing.T) {
	for stance, answers := range map[string]bool{"": true, "explain": true, "hints": false, "socratic": false} {
		for _, q := range []string{"@Cem what is a bill?", "Cem, what is a bill?", "What is a bill, Cem?"} {
			c := theClass(t)
			c.rules.Manner = stance
			c.ask(q)
			if got := c.speak(cast[2]); strings.Contains(got, "> A **bill** is a draft") != answers {
				t.Errorf("stance %q: %q is answered with %q", stance, q, got)
			}
		}
	}
}
