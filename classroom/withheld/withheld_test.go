package withheld

import (
	"strings"
	"testing"

	"colloquy/classroom"
)

var (
	quadratic = classroom.Passage{Text: "The equation therefore becomes:\n\n$$(x - 2)(x - 3) = 0$$\n\n" +
		"The solutions of $x^2 - 5x + 6 = 0$ are $x = 2$ and $x = 3$."}
	robespierre = classroom.Passage{Text: "The Reign of Terror ended when Robespierre was overthrown on 27 July. " +
		"Robespierre was executed on 28 July 1794."}
)

func TestHits(t *testing.T) {
	solutions := Of("the solutions of x² − 5x + 6 = 0", []classroom.Passage{quadratic})
	date := Of("Don't tell them when Robespierre was executed", []classroom.Passage{robespierre})
	word := Of("chlorophyll", nil)
	for _, c := range []struct {
		set  Set
		said string
		hit  bool
	}{
		{solutions, "The solutions are 2 and 3.", true},
		{solutions, "x is two or three", true},
		{solutions, "x₁ = 2, x₂ = 3", true},
		{solutions, "Die Lösungen sind zwei und drei.", true},
		{solutions, "Look for two numbers whose product is 6.", false},
		{solutions, "Which numbers add up to 5?", false},
		{solutions, "Try to factorise it first.", false},
		{date, "He was executed in 1794.", true},
		{date, "It happened on 28 July 1794, a Monday.", true},
		{date, "Robespierre was executed on 28 July", true},
		{date, "Who was Robespierre, and whom did he lead?", false},
		{date, "Look at the section on the Terror.", false},
		{word, "It is called chlorophyll.", true},
		{word, "It is a green pigment.", false},
		{Set{}, "Anything.", false},
	} {
		if got := c.set.Hits(c.said); got != c.hit {
			t.Errorf("%q: %v, want %v", c.said, got, c.hit)
		}
	}
	if !Of("don't tell the answer", []classroom.Passage{quadratic}).Empty() {
		t.Error("an instruction without a subject withholds something")
	}
}

func TestRedact(t *testing.T) {
	date := Of("when Robespierre was executed", []classroom.Passage{robespierre})
	got, changed := date.Redact(robespierre.Text)
	if !changed || strings.Contains(got, "1794") || !strings.Contains(got, "overthrown") {
		t.Errorf("left is %q", got)
	}
	all := date.RedactAll([]classroom.Passage{{Section: "End", Text: "Robespierre was executed on 28 July 1794."}})
	if len(all) != 1 || all[0].Text != "[…]" || all[0].Section != "End" {
		t.Errorf("left is %+v", all)
	}
	if s := date.Sentences(); len(s) != 1 || !strings.Contains(s[0], "1794") {
		t.Errorf("withheld are %q", s)
	}
}
