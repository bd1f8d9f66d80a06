package prose

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// Formulas are formulas and code stays literal.
func TestFormulas(t *testing.T) {
	for text, want := range map[string]struct{ formulas, displays int }{
		`\(a_1 + b_2\) and \(c_3*d*e\)`:   {2, 0},
		`\[ \frac{1}{2} \]`:               {1, 1},
		"$$\nx\n$$":                       {1, 1},
		"$$x$$":                           {1, 1},
		"$$ x $$ in a line":               {1, 1},
		"so $$x$$ it is":                  {1, 1},
		"text\n$$\na\n+ b\n= c\n$$\nmore": {1, 1},
		"$$\nx\n$$ where x":               {1, 1},
		"\\[\n\\begin{align}\na&=b\\\\\n\\end{align}\n\\].": {1, 1},
		"- \\[\n  x\n  \\]\n- $y$":                          {2, 1},
		"> $$\n> x\n> $$":                                   {1, 1},
		"$x$, ($y$) and $z$.":                               {3, 0},
		`$\alpha$-decay`:                                    {1, 0},
		"$5x = 10$":                                         {1, 0},
		"$3.50$":                                            {1, 0},
		"**$x$** [$y$](https://e.org)":                      {2, 0},
		"# $x$":                                             {1, 0},
		"| $a$ | $\\|b\\|$ |\n|-|-|\n| \\(c\\) | d |": {3, 0},
		"`$x$` `\\(y\\)`":           {},
		"```\n$x$ \\[y\\]\n```":     {},
		"    $$x$$":                 {},
		"costs $5 and $6":           {},
		"costs $5, or 10$ more":     {},
		"US$5 and NZ$6":             {},
		"$HOME/bin:$PATH":           {},
		"$ x $":                     {},
		"\\$x\\$":                   {},
		"$x$y and $x$1":             {},
		"$$":                        {},
		"$$ $$":                     {},
		`\( \)`:                     {},
		`\(never closed`:            {},
		"\\[\nx\n\ny\n\\]":          {},
		"$a\nb$":                    {},
		`$\frac{$`:                  {},
		`$\href{https://a.org}{x}$`: {},
		`$\def\a{x}\a$`:             {},
		"$" + strings.Repeat("x", maxFormula+1) + "$":                                         {},
		"$" + strings.Repeat("{", maxBraces+1) + "x" + strings.Repeat("}", maxBraces+1) + "$": {},
	} {
		got := htmlOf(renderText(text))
		if n, d := strings.Count(got, "<math"), strings.Count(got, `display="block"`); n != want.formulas ||
			d != want.displays {
			t.Errorf("%.60q: %d formulas, %d displayed; want %v: %.300s", text, n, d, want, got)
		}
		if strings.Contains(got, "<em>") {
			t.Errorf("%q: emphasis in a formula: %s", text, got)
		}
	}
}

func TestFormulaMarkup(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`\(a_1\)`: "<p><math><msub><mi>a</mi><mn>1</mn></msub></math></p>",
		"$$\nx\n$$.": `<div class="formula" tabindex="0">` +
			`<math display="block" class="tml-display"><mi>x</mi></math>.</div>`,
		`$\color{red}x$`: `<p><math><mrow><mi mathcolor="#ff0000">x</mi></mrow></math></p>`,
		`$\frac{$`:       `<p><code class="tex">\frac{</code></p>`,
	} {
		if got := htmlOf(renderText(text)); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// A formula that is not closed shows its source as it was written, finished or not, until words
// can no longer be part of it.
func TestUnclosedFormulaShowsItsSource(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`so \(a_1 + \{b*c*`:    `<p>so \(a_1 + \{b*c*</p>`,
		"so $$x_1 *y* \\{":     `<p>so $$x_1 *y* \{</p>`,
		"$$\nx *y*\n+ z":       "<p>$$\nx *y*\n+ z</p>",
		"\\[ \\frac{1":         "<p>\\[ \\frac{1</p>",
		`so \(a *b*` + "\n\nc": `<p>so \(a <em>b</em></p><p>c</p>`,
		"so $x_1 is":           "<p>so $x_1 is</p>",
	} {
		for name, chunks := range map[string][]Chunk{"open": openText(text), "render": renderText(text)} {
			if got := htmlOf(chunks); got != want {
				t.Errorf("%s %q:\ngot  %s\nwant %s", name, text, got, want)
			}
		}
	}
}

// The typesetter is loaded by the first formula and by nothing else.
func TestLazyTypesetter(t *testing.T) {
	old := sharedTypesetter
	defer func() { sharedTypesetter = old }()
	sharedTypesetter = &typesetter{timeout: time.Minute, maxBytes: maxMathML}
	formulas = memo[rendered]{room: 1 << 20}
	renderText("# a\n\n```go\nx\n```\n\n$5 and $6 `$x$` \\(unclosed")
	if sharedTypesetter.vm != nil {
		t.Fatal("loaded without a formula")
	}
	renderText("$x$")
	if sharedTypesetter.vm == nil {
		t.Fatal("not loaded by a formula")
	}
}

// A formula that takes too long is stopped, and the next one is set.
func TestFormulaIsStopped(t *testing.T) {
	t.Parallel()
	hasty := typesetter{timeout: time.Nanosecond, maxBytes: maxMathML}
	long := strings.Repeat(`\frac{a_1}{b^2}+`, 100) + "x"
	if out, _, err := hasty.set(long, true); err == nil || !strings.Contains(err.Error(), "time is up") {
		t.Fatalf("set %.60q, %v", out, err)
	}
	if hasty.vm != nil {
		t.Fatal("the machine that was stopped is kept")
	}
	hasty.timeout = time.Minute
	if out, _, err := hasty.set("x", false); err != nil || out != "<math><mi>x</mi></math>" {
		t.Fatalf("set %q, %v", out, err)
	}
}

func TestFormulasFromManyGoroutines(t *testing.T) {
	formulas = memo[rendered]{room: 1 << 20}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 20 {
				text := fmt.Sprintf("$x_{%d}$", i)
				if got := htmlOf(renderText(text)); !strings.Contains(got, fmt.Sprint(i, "</mn>")) {
					t.Errorf("%s: %s", text, got)
				}
			}
		})
	}
	all.Wait()
}

func TestCleanMath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ markup, want string }{
		{`<math><mi>x</mi></math>`, `<math><mi>x</mi></math>`},
		{`<math id="a" onclick="b" style="color:#ff0000;padding-left:0em;position:fixed;" href="c">` +
			`<mi class="tml-x evil mathcal">x</mi></math>`,
			`<math mathcolor="#ff0000" class="tml-l0"><mi class="tml-x mathcal">x</mi></math>`},
		{`<math><mtext><span class="tml-eqn"></span></mtext></math>`, `<math><mtext></mtext></math>`},
		{`<math style="color:red;background:url(x)"><mi>x</mi></math>`, `<math><mi>x</mi></math>`},
		{`<math><mi mathcolor='"onclick="x'>a</mi></math>`,
			`<math><mi mathcolor="&quot;onclick=&quot;x">a</mi></math>`},
		{`<math><script>x</script></math>`, ""},
		{`<img src=x>`, ""},
		{`<math><a href="x">y</a></math>`, ""},
		{`<math><!-- c --></math>`, ""},
		{"x", ""},
		{"", ""},
		{`<math><mi>`, ""},
		{`<math><annotation-xml encoding="text/html"><mi>x</mi></annotation-xml></math>`, ""},
		{`<math><mglyph src="x"></mglyph></math>`, ""},
	} {
		got, err := cleanMath(c.markup)
		if (err != nil) != (c.want == "") || err == nil && got != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", c.markup, got, err, c.want)
		}
	}
}

func TestMemo(t *testing.T) {
	t.Parallel()
	m := memo[string]{room: 80}
	for i := range 20 {
		m.put(fmt.Sprintf("k%02d", i), "vvv", 3)
		m.get("k00")
	}
	if _, ok := m.get("k00"); !ok {
		t.Error("what was used last is gone")
	}
	if _, ok := m.get("k01"); ok || m.held > 80 {
		t.Errorf("holds %d bytes of 80", m.held)
	}
	m.put("large", strings.Repeat("v", 40), 40)
	if _, ok := m.get("large"); ok {
		t.Error("one large text fills the memo")
	}
}
