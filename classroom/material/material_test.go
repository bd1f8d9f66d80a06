package material

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func passagesOf(source string) string {
	var b strings.Builder
	for _, p := range Passages(source) {
		b.WriteString("[" + p.Heading)
		if p.Staff {
			b.WriteString(" (staff)")
		}
		b.WriteString("] " + strings.ReplaceAll(source[p.From:p.To], "\n", "~") + "\n")
	}
	return b.String()
}

const long = " This sentence makes the paragraph long enough to stand on its own, and it says nothing else at all."

func TestPassages(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"headings": {
			"# A\n\nOne." + long + "\n\n## B **b**\n\nTwo." + long + "\n\nSub\n---\n\nThree." + long,
			"[A] One." + long + "\n[A › B b] Two." + long + "\n[A › Sub] Three." + long + "\n",
		},
		"a lead-in stays": {
			"Before." + long + "\n\nThe steps are:\n\n1. cut\n2. fold\n\n   well" + long + "\n\nAfter." + long,
			"[] Before." + long + "\n[] The steps are:~~1. cut~2. fold~~   well" + long + "\n[] After." + long + "\n",
		},
		"a table": {
			"# T\n\nText." + long + "\n\n| a | b |\n| - | - |\n| 1 | 2 |\n",
			"[T] Text." + long + "\n[T] | a | b |~| - | - |~| 1 | 2 |\n",
		},
		"code and a formula": {
			"Look." + long + "\n\n```go\na\n\nb\n```\n\nThe law." + long + "\n\n$$x = y$$\n\nEnd." + long,
			"[] Look." + long + "\n[] ```go~a~~b~```~~The law." + long + "~~$$x = y$$\n[] End." + long + "\n",
		},
		"teachers": {
			"# Lab\n\nDo it." + long + "\n\n## 3. Lösungen\n\n42." + long + "\n\n### Part\n\n43." + long +
				"\n\n## Rest\n\nGo." + long,
			"[Lab] Do it." + long + "\n[Lab › 3. Lösungen (staff)] 42." + long +
				"\n[Lab › 3. Lösungen › Part (staff)] 43." + long +
				"\n[Lab › Rest] Go." + long + "\n",
		},
		"front matter and rules": {
			"---\ntitle: x\n---\n\nOne." + long + "\n\n***\n\nTwo." + long, "[] One." + long + "\n[] Two." + long +
				"\n",
		},
		"a worked example": {
			"# Worked example\n\nGiven." + long + "\n\nThen." + long, "[Worked example] Given." + long + "~~Then." +
				long + "\n",
		},
		"nothing": {"# Only a heading\n\n---\n", ""},
	} {
		if got := passagesOf(c.source); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, c.want)
		}
	}
}

func TestStaffOnly(t *testing.T) {
	for _, h := range []string{"Answers", "SOLUTIONS", "4 Answer key", "Answers to the exercises",
		"Notes (teacher only)",
		"Lösungen zu Aufgabe 3", "Nur für Lehrkräfte", "Corrigé", "Respuestas", "Solutions (Teacher only)"} {
		if !StaffOnly(h) {
			t.Errorf("%q is for teachers", h)
		}
	}
	for _, h := range []string{"Solutions and mixtures", "The answer of the king", "Key terms",
		"Solution of the crisis", "Teachers in 1900", ""} {
		if StaffOnly(h) {
			t.Errorf("%q is for everybody", h)
		}
	}
}

// No word of a text is lost between two passages, and none is in two.
func TestPassagesHoldTheText(t *testing.T) {
	// There are no setext headings: their words stand in no passage.
	pieces := []string{"# Head\n\n", "word ", "Said: \n\n", "- item\n", "1. one\n", "\n\n", "| a |\n| - |\n", "```\n",
		"> quote\n",
		strings.Repeat("long ", 700), "光合作用", "***\n", "    code\n", "<p>\n", "[a]: b\n", "\t", ">>>>", "$$x$$\n\n"}
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "text"), "")
		checkPassages(t, source)
	})
}

func checkPassages(t interface{ Fatalf(string, ...any) }, source string) {
	at := 0
	for _, p := range Passages(source) {
		if p.From < at || p.To <= p.From || p.To > len(source) || p.To-p.From > MaxPassage {
			t.Fatalf("passage %+v after %d of %q", p, at, source)
		}
		if strings.Contains(source[at:p.From], "word") {
			t.Fatalf("%q stands in no passage of %q", source[at:p.From], source)
		}
		at = p.To
	}
}

func FuzzPassages(f *testing.F) {
	f.Add("# A\n\nb:\n\n- c\n\n| d |\n|-|\n| e |\n\n```\nf\n```\n>>g")
	f.Fuzz(func(t *testing.T, source string) { checkPassages(t, strings.ReplaceAll(source, "word", "")) })
}

// The shapes of a text that make a parser slow.
func BenchmarkHostileText(b *testing.B) {
	const size = 2 << 20
	for name, unit := range map[string]string{
		"one line": "word and ", "headings": "# a\n", "quotations": ">", "lists": "- ", "deep list": "  - a\n    ",
		"brackets": "[",
		"tables":   "|a|b|\n|-|-|\n", "fences": "```\n", "stars": "*a_", "scripts": "слово 光合 كتاب क़लम λόγος word\n\n",
	} {
		source := strings.Repeat(unit, size/len(unit))
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				Passages(source)
			}
		})
	}
}
