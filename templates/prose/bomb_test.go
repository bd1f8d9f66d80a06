package prose

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// nested writes n commands in each other.
func nested(command string, n int) string {
	return "$" + strings.Repeat(command+"{", n) + "x" + strings.Repeat("}", n) + "$"
}

// B1 of the field's findings, and its siblings: one argument that a command sets more than once.
var formulaBombs = map[string]string{
	"cancelto": strings.TrimSpace(strings.Repeat(nested(`\cancelto{a0}`, 14)+" ", 4)),
	"llap": func() string {
		var out strings.Builder
		for i := range 120 {
			fmt.Fprintf(&out, "$%sx_{%d}%s$ ", strings.Repeat(`\llap{`, 9), i, strings.Repeat("}", 9))
		}
		return out.String()
	}(),
	"siblings": nested(`\mathllap`, 14) + " " + nested(`\equilibriumLeft`, 14) + " " +
		nested(`\equilibriumRight`, 14) + " " + nested(`\Set`, 60) + " " + nested(`\coh`, 60),
	"long text": "$" + strings.Repeat(`\llap{`, 9) + `\text{` + strings.Repeat("y", 1900) + "}" +
		strings.Repeat("}", 9) + "$",
	"wide matrix": `$\begin{matrix}` + strings.Repeat("&", 900) + strings.Repeat(`\\`, 500) + `\end{matrix}$`,
	"many": func() string {
		var out strings.Builder
		for i := range 3000 {
			fmt.Fprintf(&out, `$\frac{a_{%d}}{b^2}+\sqrt{x}+\sum_{i=0}^n x_i^2$ `, i)
		}
		return out.String()
	}(),
	"many broken": strings.Repeat(`$\frac{a_1}{b^2}+\sqrt{x}+\bad$ `, 3000),
}

// spent gives what the formulas of a text took of its budget.
func spent(text string) (chunks []Chunk, left budget) {
	left = newBudget()
	return render(whole, &left, text), left
}

// B1: a formula that blows up shows its source, says so, and stays within the limits of a formula and of a text.
func TestFormulaBombs(t *testing.T) {
	formulas = memo[formed]{room: 4 << 20}
	for name, text := range formulaBombs {
		chunks, left := spent("Before. " + text + " After.")
		got := htmlOf(chunks)
		safe(t, name, chunks)
		if took := newBudget().steps - left.steps; took > 6*maxSteps+2*formulaSteps+1000 {
			t.Errorf("%s: took %d steps", name, took)
		}
		if len(got) > len(text)+9*maxMathML+100*strings.Count(text, "$") {
			t.Errorf("%s: %d bytes of text became %d of HTML", name, len(text), len(got))
		}
		if !strings.HasPrefix(got, "<p>Before. ") || !strings.HasSuffix(got, " After.</p>") {
			t.Errorf("%s: the words around it are gone: %.80s … %s", name, got, got[max(0, len(got)-80):])
		}
		marked := strings.Contains(got, `<span class="limit">(`)
		if !strings.Contains(got, `<code class="tex">\`) || !marked && name != "many broken" {
			t.Errorf("%s: no source, or no mark at it: %.300s", name, got)
		}
		if again, b := spent("Before. " + text + " After."); htmlOf(again) != got || b != left {
			t.Errorf("%s: remembered formulas cost something else: %v, then %v", name, left, b)
		}
		if grown := htmlOf(Open("Before. " + text + " After.\n")); len(text) < maxSegment && grown != got {
			t.Errorf("%s: a growing text spends another budget than a finished one", name)
		}
	}
}

// The first formula bomb, byte for byte.
func TestCanceltoShowsItsSource(t *testing.T) {
	text := formulaBombs["cancelto"]
	if len(text) != 4*(14*len(`\cancelto{a0}{}`)+3)+3 {
		t.Fatalf("%d bytes", len(text))
	}
	one := `<code class="tex">` + strings.Trim(nested(`\cancelto{a0}`, 14), "$") + "</code>" +
		` <span class="limit">(formula too large to set)</span>`
	if got, want := htmlOf(Render(text)), "<p>"+one+" "+one+" "+one+" "+one+"</p>"; got != want {
		t.Errorf("got  %.400s\nwant %s", got, want)
	}
	if got := htmlOf(Render(nested(`\cancelto{a0}`, 2))); !strings.Contains(got, "<math") {
		t.Errorf("two of them are no formula any more: %s", got)
	}
}

// The formulas of one text add up: once they have taken their steps or bytes, the source of the rest is shown, which
// is said once.
func TestFormulasAddUp(t *testing.T) {
	four := strings.Repeat("{", 5) + strings.Repeat(`\llap{`, 4)
	got := htmlOf(Render(strings.ReplaceAll(formulaBombs["llap"], strings.Repeat(`\llap{`, 9), four)))
	set, shown := strings.Count(got, "<math>"), strings.Count(got, `<code class="tex">`)
	if set+shown != 120 || set < 60 || set > 110 || strings.Count(got, tooManyFormulas) != 1 {
		t.Errorf("%d set, %d shown, %.300s", set, shown, got)
	}
	if len(got) > 600_000 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestTypesetterCountsSteps(t *testing.T) {
	if _, err := metered(strings.Replace(temmlSource, "lex(){", "lex (){", 1)); err == nil {
		t.Error("a place that is not there is not missed")
	}
	last := 0
	for n := 1; n <= 5; n++ {
		_, steps, err := press.set(strings.Trim(nested(`\llap`, n), "$"), false)
		if err != nil || steps <= last {
			t.Errorf("%d deep: %d steps, %v; %d before", n, steps, err, last)
		}
		last = steps
	}
	_, steps, err := press.set(strings.Trim(nested(`\cancelto{a0}`, 14), "$"), false)
	if !errors.Is(err, errTooLarge) || steps <= maxSteps || steps > maxSteps+1000 {
		t.Errorf("stopped after %d steps, %v", steps, err)
	}
}

// BenchmarkBomb is what a text of each kind costs when nothing of it is remembered.
func BenchmarkBomb(b *testing.B) {
	for name, text := range formulaBombs {
		b.Run(name, func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				formulas = memo[formed]{room: 4 << 20}
				bytes = len(htmlOf(Render(text)))
			}
			b.ReportMetric(float64(bytes), "html-bytes")
		})
	}
}
