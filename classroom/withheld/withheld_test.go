package withheld

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colloquy/classroom"
)

var (
	quadratic = classroom.Passage{Language: "en", Text: "The equation therefore becomes:\n\n" +
		"$$(x - 2)(x - 3) = 0$$\n\nThe solutions of $x^2 - 5x + 6 = 0$ are $x = 2$ and $x = 3$."}
	robespierre = classroom.Passage{Language: "en", Text: "The Reign of Terror ended when Robespierre was " +
		"overthrown on 27 July. Robespierre was executed on 28 July 1794."}
	leaves = classroom.Passage{Language: "en", Text: "Leaves look green because the pigment **chlorophyll** " +
		"reflects green light. Roots grow in the dark."}

	solutions = Of("the solutions of x² − 5x + 6 = 0", []classroom.Passage{quadratic})
	date      = Of("Don't tell them when Robespierre was executed", []classroom.Passage{robespierre})
	pigment   = Of("why leaves look green", []classroom.Passage{leaves})
	word      = Of("chlorophyll", nil)
	typed     = Of("the result of exercise B: 3/4", nil)
)

// What an agent may not say.
func TestGives(t *testing.T) {
	for _, c := range []struct {
		set  Set
		said []string
	}{
		{solutions, []string{
			"The solutions are 2 and 3.", "x is two or three", "x₁ = 2, x₂ = 3", "x = 2", "$x_1 = 2$",
			"It is two.",
			"One solution is 2.", "The bigger one is three.", "Die Lösungen sind zwei und drei.",
			"Les solutions : deux",
			"La otra es tres.", "| a | 2 |", "`x=2`", "(x − 2)(x − 3) = 0", "Check whether 2 works.", "Решение: два",
			"The smaller is 6/3.", "two", "3", "**2**",
			"it_is_2", "x equals t w o", "2.0 is one of them", "2⃣", "x = \\frac{4}{2}",
		}},
		{date, []string{
			"He was executed in 1794.", "It happened on 28 July 1794.", "In seventeen ninety-four.", "Backwards: 4971",
			"Im Jahr siebzehnhundertvierundneunzig.", "It was the twenty-eighth.", "Am achtundzwanzigsten.", "17**94**",
			"1 7 9 4", "1-7-9-4", "1,794", "17<b>94</b>", "17\u200b94", "one seven nine four",
			"In mille sept cent quatre-vingt-quatorze.",
			"mil setecientos noventa y cuatro", "Robespierre was executed on 28", "In July.", "１７９４", "17&#57;4",
		}},
		{pigment, []string{
			"It is chlorophyll.", "CHLOROPHYLL", "chloro**phyll**", "c-h-l-o-r-o-p-h-y-l-l", "llyhporolhc",
			"the pigment chlorophyll reflects green light",
		}},
		{word, []string{"It is called chlorophyll.", "Chlorophyll!"}},
		{typed, []string{"It is 3/4.", "0.75", "0,75", "75 %", "¾", "The result is \\frac{3}{4}."}},
	} {
		for _, said := range c.said {
			if !c.set.Gives("", said) {
				t.Errorf("%q may be said", said)
			}
		}
	}
}

// What an agent may say: what helps, and the words of the question.
func TestGivesNothing(t *testing.T) {
	for _, c := range []struct {
		set  Set
		said []string
	}{
		{solutions, []string{
			"Look for two numbers whose product is 6.", "Which numbers add up to 5?", "Try to factorise it first.",
			"What do you get for x² − 5x + 6 if x is 0?", "The equation has two solutions.",
			"Read page 3 again.",
			"Suche zwei Zahlen mit dem Produkt 6.", "Die Gleichung hat zwei Lösungen.", "Schritt 2: ordnen.",
			"How do you solve x^2 - 5x + 6 = 0?", "Good try. Where does the 5 come from?",
			"1. Write the equation down.",
			"This is hint 2 of 5.", "What is the first step?", "Multiply the brackets and compare.",
		}},
		{date, []string{
			"Who was Robespierre, and whom did he lead?", "Look at the section on the Terror.",
			"Robespierre was executed.",
			"What happened to the king before?", "Wer hat Robespierre gestürzt?", "There were 500 people.",
			"When was Robespierre executed? Look at the end of the section.",
		}},
		{pigment, []string{
			"Which colours does sunlight have?", "Think about what happens to sunlight when it hits something.",
			"Why do leaves look green, and not red?", "Look at the section about leaves.", "Roots grow in the dark.",
		}},
		{word, []string{"It is a green pigment.", "Think of the colour."}},
		{Set{}, []string{"Anything, 2 and 3."}},
	} {
		for _, said := range c.said {
			if c.set.Gives("", said) {
				t.Errorf("%q may not be said", said)
			}
		}
	}
}

// The second point of a list follows the first; without it, it may be an answer.
func TestGivesSeesWhatWasSaid(t *testing.T) {
	if solutions.Gives("1. Write the equation down.\n", "2. Bring it all to one side.") {
		t.Error("the second point of a list may not be said")
	}
	if !solutions.Gives("", "2. Bring it all to one side.") {
		t.Error("a list may begin with the answer")
	}
	if !pigment.Gives("Think of a pigment. It reflects something.", "And chlorophyll is its name, and light.") {
		t.Error("an answer in pieces may be said")
	}
}

// Of finds the sentences that answer, and no others.
func TestOf(t *testing.T) {
	beside := classroom.Passage{Text: "We solve $x^2 - 5x + 6 = 0$. So $x = 2$ or $x = 3$. Then we check."}
	for _, c := range []struct {
		name, instruction string
		passage           classroom.Passage
		want              string
	}{
		{"the sentence", "when Robespierre was executed", robespierre, "Robespierre was executed on 28 July 1794."},
		{"under its heading", "when Robespierre was executed", classroom.Passage{Section: "Robespierre",
			Text: "He led the Jacobins. He was executed on 28 July 1794."}, "He was executed on 28 July 1794."},
		{"beside the question", "the solutions of x² − 5x + 6 = 0", beside,
			"We solve $x^2 - 5x + 6 = 0$.|So $x = 2$ or $x = 3$."},
		{"no subject", "don't tell the answer", quadratic, ""},
	} {
		var got []string
		for _, s := range Of(c.instruction, []classroom.Passage{c.passage}).Sentences() {
			got = append(got, s.Text)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	if !Of("don't tell the answer", []classroom.Passage{quadratic}).Empty() {
		t.Error("an instruction without a subject withholds something")
	}
}

// Each line is an instruction of its own, with the answers that the teacher wrote.
func TestFind(t *testing.T) {
	search := func(subject string) ([]classroom.Passage, error) {
		if strings.Contains(subject, "Robespierre") {
			return []classroom.Passage{robespierre}, nil
		}
		return nil, nil
	}
	const instruction = "when Robespierre was executed\nthe mass of the stone: 412 g\nnever say “mitochondrion”"
	set, err := Find(instruction, nil, search)
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"1794", "It weighs 412 g.", "vierhundertzwölf", "The mitochondrion."} {
		if !set.Gives("", said) {
			t.Errorf("%q may be said", said)
		}
	}
	free, _ := Find(instruction, []string{"Robespierre was executed on 28 July 1794."}, search)
	if free.Gives("", "1794") ||
		!free.Gives("", "412") || len(free.Sentences()) != 1 || !free.Sentences()[0].Free {
		t.Errorf("the teacher gives a sentence free, and the set is %+v", free.Sentences())
	}
	if lifted := set.Without(robespierre.Text); lifted.Gives("", "1794") || !lifted.Gives("", "412") {
		t.Error("a lift of one answer gives another free, or not itself")
	}
	failed := errors.New("broken")
	broken := func(string) ([]classroom.Passage, error) { return nil, failed }
	if _, err := Find(instruction, nil, broken); !errors.Is(err, failed) {
		t.Errorf("a search that fails withholds nothing: %v", err)
	}
}

func TestRedact(t *testing.T) {
	got, changed := date.Redact(robespierre.Text)
	if !changed || strings.Contains(got, "1794") || !strings.Contains(got, "overthrown") {
		t.Errorf("left is %q", got)
	}
	all := date.RedactAll([]classroom.Passage{{Section: "End", Text: "Robespierre was executed on 28 July 1794."}})
	if len(all) != 1 || all[0].Text != "[…]" || all[0].Section != "End" {
		t.Errorf("left is %+v", all)
	}
	other := "There were 2 kings, and 3 of 28 members stayed. In 1794 the Convention abolished slavery."
	for name, set := range map[string]Set{"solutions": solutions, "date": date} {
		if left, changed := set.Redact(other); changed {
			t.Errorf("%s: of another subject is left %q", name, left)
		}
	}
	if left, _ := solutions.Redact("We get\n\n$$(x - 2)(x - 3) = 0$$\n\nThat is all."); strings.Contains(left, "3") {
		t.Errorf("left is %q", left)
	}
	heading := []classroom.Passage{{Section: "Robespierre executed 1794", Text: "He fell."}}
	if got := date.RedactAll(heading); got[0].Section != "" {
		t.Errorf("the heading is %q", got[0].Section)
	}
}

// However a withheld sentence is put, in case, spacing and marks, it is recognised; and what
// is left of a text holds nothing.
func TestRedactLeavesNothing(t *testing.T) {
	sentence := "Robespierre was executed on 28 July 1794."
	rapid.Check(t, func(t *rapid.T) {
		words := strings.Fields(sentence)
		for i := range words {
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 1:
				words[i] = strings.ToUpper(words[i])
			case 2:
				words[i] = "**" + words[i] + "**"
			case 3:
				words[i] = words[i][:1] + "\u200b" + words[i][1:]
			}
		}
		said := strings.Join(words, rapid.SampledFrom([]string{" ", "  ", "\n", "\u00a0"}).Draw(t, "space"))
		if !date.Gives("", said) || !date.Holds(said) {
			t.Fatalf("%q may be said", said)
		}
		before := rapid.SampledFrom([]string{"", "He led the Jacobins. ", "- One.\n- Two.\n\n"}).Draw(t, "before")
		left, _ := date.Redact(before + said + " The Terror was over.")
		if date.Holds(left) {
			t.Fatalf("left of %q is %q", said, left)
		}
	})
}

// FuzzGives: any text is compared, and nothing is said twice differently.
func FuzzGives(f *testing.F) {
	for _, s := range []string{
		"", "1/0", "½ ⁄ 3", "vierundzwanzig", "\xff 2", "$\\frac{1}{0}$", "1 2 3 4 5", "quatre vingt",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, said string) {
		if solutions.Holds(said) && !solutions.Gives("", said) {
			t.Errorf("%q may not be read, and may be said", said)
		}
		solutions.Redact(said)
	})
}
