package prose

import (
	"reflect"
	"strings"
	"testing"
)

func FuzzRender(f *testing.F) {
	for _, text := range lessons {
		f.Add(text)
	}
	for _, piece := range pieces {
		f.Add(piece + "a " + piece + "\n" + piece)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			t.Skip()
		}
		chunks := renderText(text)
		safe(t, text, chunks)
		if strings.TrimSpace(tidy(text)) == "" && len(chunks) > 0 {
			t.Fatalf("%q: %q of nothing", text, chunks)
		}
		Plain(text)
	})
}

func FuzzGrow(f *testing.F) {
	for _, text := range lessons {
		f.Add(text, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, step uint8) {
		if len(text) > 400 {
			t.Skip()
		}
		doc, before := newDoc(), []Chunk(nil)
		for at := 0; at < len(text); {
			at = min(len(text), at+1+int(step%40))
			now := doc.Grow(text[:at])
			if want := openText(text[:at]); !reflect.DeepEqual(now, want) {
				t.Fatalf("%q: grown %q, open %q", text[:at], now, want)
			}
			if len(now) > 0 && len(now) == len(before) {
				appliesOnce(t, before[len(before)-1].HTML, now[len(now)-1].HTML)
			}
			before = now
		}
		safe(t, text, before)
		stays(t, text)
	})
}

func FuzzCleanMath(f *testing.F) {
	f.Add(`<math display="block" style="color:#ff0000;border:1px solid;"><mi class="tml-vec">x</mi></math>`)
	f.Add(`<math><mtext><span class="tml-eqn"></span></mtext><mo stretchy="false">&lt;</mo></math>`)
	f.Fuzz(func(t *testing.T, markup string) {
		out, err := cleanMath(markup)
		if err != nil {
			return
		}
		for n := range parsed(out).Descendants() {
			if problem := foreign(n); problem != "" {
				t.Fatalf("%q: %s in %q", markup, problem, out)
			}
		}
	})
}

func FuzzTypeset(f *testing.F) {
	for _, tex := range []string{`\frac{1}{2}`, `x_1^2`, `\begin{aligned}a&=b\\c&=d\end{aligned}`, `\text{<b>}`,
		`\color{red}x`, `\left(x\right)`} {
		f.Add(tex, true)
	}
	f.Fuzz(func(t *testing.T, tex string, display bool) {
		b := newBudget()
		html := b.typeset(tidy(tex), display, english)
		safe(t, tex, []Chunk{{HTML: "<p>" + html + "</p>"}})
	})
}

func FuzzColoured(f *testing.F) {
	f.Add("func main() {\n\tprintln(\"<é>\")\n}", "go")
	f.Add("def a():\n  '''x'''\n", "python")
	f.Add("<p class=\"a\">x</p><script>1</script>", "html")
	f.Fuzz(func(t *testing.T, code, language string) {
		b := newBudget()
		code = tidy(code)
		html := b.coloured(code, language)
		tree := parsed("<pre><code>" + html + "</code></pre>")
		var text strings.Builder
		for n := range tree.Descendants() {
			if problem := foreign(n); problem != "" {
				t.Fatalf("%q as %q: %s in %q", code, language, problem, html)
			}
			if n.FirstChild == nil && n.Data != "code" && n.Data != "span" {
				text.WriteString(n.Data)
			}
		}
		if got := text.String(); got != strings.TrimSuffix(code, "\n") && got != code {
			t.Fatalf("%q as %q became %q", code, language, got)
		}
	})
}
