package prose

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
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

// spent returns what the formulas of a text took of its budget.
func spent(text string) (chunks []Chunk, left budget) {
	left = newBudget()
	chunks, _ = render(whole, &left, english, text)
	return chunks, left
}

// B1: a formula that blows up shows its source, says so, and stays within the limits of a formula and of a text.
func TestFormulaBombs(t *testing.T) {
	formulas = memo[rendered]{room: 4 << 20}
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
		if grown := htmlOf(openText("Before. " + text + " After.\n")); len(text) < maxSegment && grown != got {
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
		` <span class="limit">(formula too large to display)</span>`
	if got, want := htmlOf(renderText(text)), "<p>"+one+" "+one+" "+one+" "+one+"</p>"; got != want {
		t.Errorf("got  %.400s\nwant %s", got, want)
	}
	if got := htmlOf(renderText(nested(`\cancelto{a0}`, 2))); !strings.Contains(got, "<math") {
		t.Errorf("two of them are no formula any more: %s", got)
	}
}

// The formulas of one text add up: once they have taken their steps or bytes, the source of the rest is shown, which
// is said once.
func TestFormulasAddUp(t *testing.T) {
	four := strings.Repeat("{", 5) + strings.Repeat(`\llap{`, 4)
	got := htmlOf(renderText(strings.ReplaceAll(formulaBombs["llap"], strings.Repeat(`\llap{`, 9), four)))
	set, shown := strings.Count(got, "<math>"), strings.Count(got, `<code class="tex">`)
	if set+shown != 120 || set < 60 || set > 110 || strings.Count(got, notice(english.TooManyFormulas)) != 1 {
		t.Errorf("%d set, %d shown, %.300s", set, shown, got)
	}
	if len(got) > 600_000 {
		t.Errorf("%d bytes", len(got))
	}
}

// Steps keep most formulas below the limits in bytes; those hold by themselves.
func TestFormulaBytesAreBounded(t *testing.T) {
	narrow := typesetter{timeout: sharedTypesetter.timeout, maxBytes: 40}
	if got, _, err := narrow.set("x+y", false); !errors.Is(err, errTooLarge) || got != "" {
		t.Errorf("set %q, %v", got, err)
	}
	if got, _, err := narrow.set("x", false); err != nil || len(got) > 40 {
		t.Errorf("set %q, %v", got, err)
	}
	b := newBudget()
	b.mathML = 1
	set := func(tex string) string { return b.typeset(tex, false, english) }
	first, second, third := set("x"), set("y"), set("z")
	notice := notice(english.TooManyFormulas)
	if first != "<math><mi>x</mi></math>" || second != source("y")+notice || third != source("z") {
		t.Errorf("%s, %s, %s", first, second, third)
	}
}

func TestTypesetterCountsSteps(t *testing.T) {
	if _, err := metered(strings.Replace(temmlSource, "lex(){", "lex (){", 1)); err == nil {
		t.Error("a place that is not there is not missed")
	}
	unhurried := typesetter{timeout: 5 * time.Minute, maxBytes: maxMathML}
	last := 0
	for n := 1; n <= 5; n++ {
		_, steps, err := unhurried.set(strings.Trim(nested(`\llap`, n), "$"), false)
		if err != nil || steps <= last {
			t.Errorf("%d deep: %d steps, %v; %d before", n, steps, err, last)
		}
		last = steps
	}
	_, steps, err := unhurried.set(strings.Trim(nested(`\cancelto{a0}`, 14), "$"), false)
	if !errors.Is(err, errTooLarge) || steps <= maxSteps || steps > maxSteps+1000 {
		t.Errorf("stopped after %d steps, %v", steps, err)
	}
}

// No text of 1 MB makes a page of more than 2 MB, and nothing of it is lost: what has no HTML is shown as it is.
func TestPageOfALargeText(t *testing.T) {
	const size = 1_000_000
	address := "[a]: http://ref.example/" + strings.Repeat("r", 900) + "\n\n"
	for _, piece := range []string{
		"a\n\n", "- \n", "> ", "> > > a\n\n", "- - - a\n", "- [ ] a\n", "a@b.c ", "www.a.b ", "[a]\n\n", "$x$ ", "'",
		"a|b\n-|-\n\n", "```go\nvar\n```\n", "*a* `b` ~~c~~\n\n",
	} {
		text := address + strings.Repeat(piece, size/len(piece)) + "\n\nlast words"
		for name, chunks := range map[string][]Chunk{"render": renderText(text), "open": openText(text)} {
			bytes := 0
			for _, c := range chunks {
				bytes += len(c.HTML) + chunkSize
			}
			if bytes > 2_050_000 {
				t.Errorf("%s %q: %d bytes in %d chunks", name, piece, bytes, len(chunks))
			}
			last := chunks[len(chunks)-1].HTML
			if !strings.HasPrefix(last, `<pre class="beyond"`) || !strings.HasSuffix(last, "last words</pre>") {
				t.Errorf("%s %q: ends %.40s … %q", name, piece, last, last[max(0, len(last)-40):])
			}
		}
	}
}

// What is shown as it is begins where the HTML ends, however the text arrived.
func TestNothingIsLostAtTheLimit(t *testing.T) {
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, "  > word %d\n\n", i)
	}
	doc := newDoc()
	for at := 0; at < text.Len(); at += 40_000 {
		doc.Grow(text.String()[:at])
	}
	for name, chunks := range map[string][]Chunk{
		"render": renderText(text.String()), "open": openText(text.String()), "grown": doc.Grow(text.String()),
	} {
		n := len(chunks) - 1
		if n < 5000 || chunks[n-1].HTML != fmt.Sprintf("<blockquote><p>word %d</p></blockquote>", n-1) {
			t.Fatalf("%s: %d chunks, %q", name, n+1, chunks[max(0, n-1)])
		}
		rest := fmt.Sprintf(`<pre class="beyond" tabindex="0">  > word %d`+"\n", n)
		if !strings.HasPrefix(chunks[n].HTML, rest) {
			t.Errorf("%s: after word %d comes %.60q", name, n-1, chunks[n].HTML)
		}
	}
}

// BenchmarkBomb is what a text of each kind costs when nothing of it is remembered.
func BenchmarkBomb(b *testing.B) {
	for name, text := range formulaBombs {
		b.Run(name, func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				formulas = memo[rendered]{room: 4 << 20}
				bytes = len(htmlOf(renderText(text)))
			}
			b.ReportMetric(float64(bytes), "html-bytes")
		})
	}
}
