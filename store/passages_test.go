package store

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplit(t *testing.T) {
	long := strings.Repeat("A sentence of the paragraph. ", 20) // 580 bytes
	for name, c := range map[string]struct {
		text string
		want []passage
	}{
		"plain text":          {"One.\n\nTwo.", []passage{{"", "One.\n\nTwo."}}},
		"heading path":        {"# A\n\nx\n\n## B\n\ny\n\n### C ###\nz\n\n## *D*\nw", []passage{{"A", "x"}, {"A › B", "y"}, {"A › B › C", "z"}, {"A › D", "w"}}},
		"underlined headings": {"Title\n=====\n\nx\n\nPart\n---\ny", []passage{{"Title", "x"}, {"Title › Part", "y"}}},
		"skipped level":       {"### C\nx\n# A\ny", []passage{{"C", "x"}, {"A", "y"}}},
		"not a heading":       {"#tag\n\n####### seven\n\n    # code", []passage{{"", "#tag\n\n####### seven\n\n    # code"}}},
		"rule, not heading":   {"- item\n---\n\nafter", []passage{{"", "- item\n\nafter"}}},
		"table":               {"| a | b |\n| --- | --- |\n| 1 | 2 |", []passage{{"", "| a | b |\n| --- | --- |\n| 1 | 2 |"}}},
		"fence":               {"```\n# not a heading\n\nx\n```\ny", []passage{{"", "```\n# not a heading\n\nx\n```\n\ny"}}},
		"open fence":          {"~~~\n# no\n```", []passage{{"", "~~~\n# no\n```"}}},
		"front matter":        {"---\ntitle: X\n---\n# A\nx", []passage{{"A", "x"}}},
		"Windows lines":       {"# A\r\n\r\nx\r\ny\r\n", []passage{{"A", "x\ny"}}},
		"long section":        {"# A\n\n" + long + "\n\n" + long, []passage{{"A", strings.TrimSpace(long)}, {"A", strings.TrimSpace(long)}}},
		"short rest":          {"# A\n\n" + long + "\n\n" + strings.Repeat("m", 110) + "\n\nend", []passage{{"A", strings.TrimSpace(long) + "\n\n" + strings.Repeat("m", 110) + "\n\nend"}}},
		"headings only":       {"# A\n\n## B\n", nil},
		"nothing":             {" \n\t\n", nil},
	} {
		if got := split(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

func TestSplitCutsAtSentences(t *testing.T) {
	text := strings.Repeat("A short sentence stands here. ", 100)
	for _, p := range split(text) {
		if len(p.text) > mostPassage || !strings.HasPrefix(p.text, "A short") || !strings.HasSuffix(p.text, "here.") {
			t.Errorf("cut in a sentence: %q", p.text)
		}
	}
}

// FuzzSplit checks that passages are whole UTF-8, of bounded size, and hold
// every word of the text in order.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"# A\n\nx", "a\n===\nb", "```\nx", strings.Repeat("é", 900), strings.Repeat("光。", 900), "---\na: b\n---\nc",
		strings.Repeat("x\n\n", 50), "# \n#\n##", "- a\n---\n***", strings.Repeat(" a", 700), "~~~a\n~~~ b\n~~~"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		var said strings.Builder
		for _, p := range split(text) {
			if !utf8.ValidString(p.text) || strings.TrimSpace(p.text) == "" || len(p.text) > mostPassage+goalPassage {
				t.Fatalf("passage of %d bytes: %q", len(p.text), p.text)
			}
			said.WriteString(p.text)
		}
		for _, b := range blocks(text) {
			if b.level == 0 && !strings.Contains(squeeze(said.String()), squeeze(b.text)) {
				t.Fatalf("%q is lost", b.text)
			}
		}
	})
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }
