package locale

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/text/language"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		wanted []string
		tag    string
	}{
		{nil, "en"},
		{[]string{"", ""}, "en"},
		{[]string{"", "en-GB,en;q=0.8"}, "en"},
		{[]string{"", "tlh, xx;q=0.5"}, "en"},
		{[]string{"", ";;;,q=;\x00"}, "en"},
		{[]string{"", strings.Repeat("en-", 10_000)}, "en"},
		{[]string{"", "en-XA"}, "en-XA"},
		{[]string{"en-XA", "en"}, "en-XA"},
		{[]string{"en", "en-XA"}, "en"},
	} {
		if got := Match(c.wanted...).Tag; got != c.tag {
			t.Errorf("%.60q: %s, want %s", c.wanted, got, c.tag)
		}
	}
}

// A language with plural forms of its own, a text that it lacks, and right to left.
func TestOtherLanguage(t *testing.T) {
	english := []*i18n.Message{
		{ID: "stop", Other: "Stop"},
		{ID: "sources", One: "{{.N}} source of {{.Name}}", Other: "{{.N}} sources of {{.Name}}"},
		{ID: "format.group", Other: ","},
	}
	russian, err := newLanguage(language.Make("ru"), append(english, &i18n.Message{
		ID: "sources", One: "{{.N}} источник: {{.Name}}", Few: "{{.N}} источника: {{.Name}}",
		Many: "{{.N}} источников: {{.Name}}", Other: "{{.N}} источника: {{.Name}}",
	}))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{
		1: "1 источник: <b>", 3: "3 источника: <b>", 5: "5 источников: <b>", 21: "21 источник: <b>",
		11_000: "11,000 источников: <b>",
	} {
		if got := russian.Count("sources", n, "Name", "<b>"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := russian.Text("stop"); got != "Stop" {
		t.Errorf("a text that is not translated reads %q", got)
	}
	if got := russian.Text("no.such.key"); got != "no.such.key" || russian.Has(got) {
		t.Errorf("a text that no file has reads %q", got)
	}
	arabic, err := newLanguage(language.Make("ar-EG"), english)
	if err != nil || arabic.Dir != "rtl" || russian.Dir != "ltr" {
		t.Errorf("directions %s and %s, %v", arabic.Dir, russian.Dir, err)
	}
}

// Params come from logs, so they may be missing, wrong or a template themselves.
func TestFillWithAnything(t *testing.T) {
	l := English()
	for _, c := range []struct {
		params map[string]string
		want   string
	}{
		{map[string]string{"round": "2", "rounds": "3"}, "round 2 of 3:"},
		{map[string]string{"round": "{{.rounds}}", "rounds": "<script>"}, "round {{.rounds}} of <script>:"},
		{nil, "round  of :"},
	} {
		got, ok := l.Fill("run_end.closed", c.params)
		if !ok || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q", c.params, got)
		}
	}
	if got, ok := l.Fill("run_end.no_such_code", nil); ok || got != "" {
		t.Errorf("an unknown code has the sentence %q", got)
	}
}

func TestPseudo(t *testing.T) {
	l := Pseudo()
	for _, m := range English().messages {
		for _, text := range []string{m.One, m.Other} {
			got := pseudoText(text)
			for _, v := range value.FindAllString(text, -1) {
				if !strings.Contains(got, v) {
					t.Errorf("%s: the value %s is not in %q", m.ID, v, got)
				}
			}
			words := value.ReplaceAllString(text, "")
			if left := strings.IndexFunc(value.ReplaceAllString(got, ""), isASCIILetter); left >= 0 {
				t.Errorf("%s: %q has a letter without an accent", m.ID, got)
			}
			if n := len([]rune(words)); strings.IndexFunc(words, isASCIILetter) >= 0 &&
				len([]rune(value.ReplaceAllString(got, ""))) < n+(n*2+4)/5 {
				t.Errorf("%s: %q is not longer by 40 %%", m.ID, got)
			}
		}
	}
	if got := l.Number(1_234_567); got != "1\u202f234\u202f567" {
		t.Errorf("a number reads %q", got)
	}
	if got := l.Text("status.stopped"); !strings.HasPrefix(got, "Šţöþþéð ø") {
		t.Errorf("a text reads %q", got)
	}
}

func isASCIILetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func TestFormats(t *testing.T) {
	l := English()
	day := time.Date(2026, 12, 1, 9, 5, 0, 0, time.UTC)
	for got, want := range map[string]string{
		l.Number(999):                   "999",
		l.Number(-1_000):                "-1\u202f000",
		l.Decimal(1.50, 2):              "1.5",
		l.Decimal(100, 0):               "100",
		l.Date(day):                     "1 December 2026",
		l.Time(day):                     "09:05",
		l.Join(nil):                     "",
		l.Join([]string{"a"}):           "a",
		l.Join([]string{"a", "b", "c"}): "a, b and c",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
