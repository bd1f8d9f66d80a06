package tutor

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A word is one word of a text: as written, folded (lower case, no accents)
// and cut to its stem.
type word struct{ text, fold, stem string }

// wordsOf splits text into words. Scripts that do not write spaces are cut
// into pairs of characters.
func wordsOf(text string) []word {
	var out []word
	for _, f := range strings.FieldsFunc(boldOwner.Replace(text), func(r rune) bool { return !inWord(r) }) {
		f = strings.Trim(f, "'’")
		if f == "" {
			continue
		}
		if r := []rune(f); len(r) > 2 && spaceless(r[0]) {
			for i := range len(r) - 1 {
				pair := string(r[i : i+2])
				out = append(out, word{pair, pair, pair})
			}
			continue
		}
		fold := foldOf(f)
		out = append(out, word{f, fold, stemOf(fold)})
	}
	return out
}

// boldOwner joins "**Newton**'s", which is one word.
var boldOwner = strings.NewReplacer("**'", "'", "**’", "’")

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '\'' || r == '’'
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// foldOf makes "Énergie" and "energie", "H₂O" and "h2o" the same.
func foldOf(s string) string {
	s = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(s), "'s"), "’s")
	if ascii(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(s))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

var irregular = map[string]string{
	"leaves": "leaf", "halves": "half", "wolves": "wolf", "lives": "life", "knives": "knife", "shelves": "shelf",
	"mice": "mouse", "feet": "foot", "teeth": "tooth", "children": "child", "men": "man", "women": "woman",
	"nuclei": "nucleus", "fungi": "fungus", "bacteria": "bacterium", "phenomena": "phenomenon", "stomata": "stoma",
	"mitochondria": "mitochondrion", "vertices": "vertex", "indices": "index", "matrices": "matrix", "axes": "axis",
	"hypotheses": "hypothesis", "crises": "crisis", "analyses": "analysis", "formulae": "formula", "began": "begin",
	"begun": "begin", "made": "make", "gave": "give", "given": "give", "took": "take", "taken": "take", "found": "find",
	"fell": "fall", "fallen": "fall", "rose": "rise", "risen": "rise", "wrote": "write", "written": "write",
}

// stemOf cuts the endings that English words share. It is light on purpose:
// near words that it keeps apart are brought together by [likeness].
func stemOf(w string) string {
	if s, ok := irregular[w]; ok {
		return stemOf(s)
	}
	if len(w) <= 3 || !ascii(w) {
		return w
	}
	w = singular(w)
	for _, end := range []string{"ing", "edly", "ed", "ly"} {
		if s, ok := strings.CutSuffix(w, end); ok && len(s) >= 3 && strings.ContainsAny(s, "aeiouy") {
			w = undouble(s)
			break
		}
	}
	if s, ok := strings.CutSuffix(w, "ion"); ok && len(s) >= 4 && (s[len(s)-1] == 't' || s[len(s)-1] == 's') {
		w = s
	}
	if len(w) > 4 && strings.HasSuffix(w, "y") {
		return w[:len(w)-1] + "i"
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case hasAny(w, "sses", "ches", "shes", "xes", "zes", "oes"):
		return w[:len(w)-2]
	case hasAny(w, "ss", "us", "is"):
		return w
	}
	return strings.TrimSuffix(w, "s")
}

func hasAny(w string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

func undouble(s string) string {
	n := len(s)
	if n > 3 && s[n-1] == s[n-2] && !strings.ContainsRune("lsz", rune(s[n-1])) {
		return s[:n-1]
	}
	return s
}

// likeness says how alike two stems are: 1 the same, 0.7 one family
// ("photosynthesis", "photosynthetic"), 0 strangers.
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n >= 6 && 10*n >= 7*max(len(a), len(b)) {
		return 0.7
	}
	return 0
}
