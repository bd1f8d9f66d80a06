package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDistressPhrases: what people say about themselves is found, with its language.
// What a lesson says about a topic is not.
func TestDistressPhrases(t *testing.T) {
	for _, lang := range distressLangs {
		text, err := os.ReadFile(filepath.Join("testdata", "distress", lang+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		n := map[byte]int{}
		for line := range strings.Lines(string(text)) {
			phrase := strings.ReplaceAll(strings.TrimSpace(line[1:]), `\n`, "\n")
			n[line[0]]++
			spaced := "Hi, " + strings.ReplaceAll(phrase, " ", "  ")
			for _, phrase := range []string{phrase, strings.ToUpper(phrase), spaced} {
				s, found := distressIn(phrase)
				if found != (line[0] == '+') || found && s.Lang != lang {
					t.Errorf("%s: found %v (%+v) in %c %q", lang, found, s, line[0], phrase)
				}
			}
		}
		if n['+'] < 25 || n['-'] < 25 || len(n) != 2 {
			t.Errorf("%s has %d phrases of distress and %d others, want 25 of each", lang, n['+'], n['-'])
		}
	}
}

// TestDistressFiles: every line of the files has a pattern that can match.
func TestDistressFiles(t *testing.T) {
	kinds := []string{"self_harm", "abuse", "danger", notDistress, reportedFrom}
	for _, l := range lexicons() {
		n := 0
		for first, patterns := range l.patterns {
			for _, p := range patterns {
				n++
				if !slices.Contains(kinds, p.kind) || first == "" {
					t.Errorf("%s: kind %q", l.lang, p.kind)
				}
				for _, part := range p.parts {
					for _, alternative := range part {
						checkWords(t, l, alternative)
					}
				}
			}
		}
		if n < 50 {
			t.Errorf("%s has %d patterns", l.lang, n)
		}
	}
}

func checkWords(t *testing.T, l *lexicon, alternative []string) {
	t.Helper()
	for _, word := range alternative {
		if l.filler[word] || strings.ContainsAny(word, "<>()|") {
			t.Errorf("%s: %q in %v never matches", l.lang, word, alternative)
		}
	}
}

// TestDistressInALongMessage: the check of a very long message ends.
func TestDistressInALongMessage(t *testing.T) {
	long := strings.Repeat("i want to my dad is not ", 64<<10/24)
	if s, found := distressIn(long); found {
		t.Errorf("found %+v", s)
	}
	if _, found := distressIn(long + ". I want to die"); !found {
		t.Error("not found at the end of a long message")
	}
}

func BenchmarkDistress(b *testing.B) {
	long := strings.Repeat("i want to know why my dad is not here. ", 64<<10/39)
	b.SetBytes(int64(len(long)))
	for b.Loop() {
		distressIn(long)
	}
}
