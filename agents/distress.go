package agents

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"colloquy/classroom"
)

// The patterns of messages of distress, a file per language; README.md there
// says how they are written.
//
//go:embed distress/*.txt
var distressFiles embed.FS

// distressLangs are the languages of the files, in the order in which they are tried.
var distressLangs = []string{"en", "de", "fr", "es"}

// What a line of a file may begin with, other than a kind of distress.
const (
	fillerWords  = "filler" // words that are removed from a message before matching
	splitWords   = "split"  // words that are matched as two
	notDistress  = "not"    // its match cancels a match of distress whose end it covers
	reportedFrom = "quoted" // its match cancels a match of distress that begins at its end
)

// A lexicon is one file of patterns.
type lexicon struct {
	lang     string
	filler   map[string]bool
	split    map[string][]string
	patterns map[string][]pattern // by their first word
}

// A pattern is a kind and a sequence of parts. One alternative of each part must
// match; an empty alternative makes the part optional.
type pattern struct {
	kind  string
	parts [][][]string
}

var lexicons = sync.OnceValue(func() []*lexicon {
	var out []*lexicon
	for _, lang := range distressLangs {
		text, err := distressFiles.ReadFile(path.Join("distress", lang+".txt"))
		if err != nil { // impossible: the files are embedded
			panic("read the patterns of distress: " + err.Error())
		}
		out = append(out, newLexicon(lang, string(text)))
	}
	return out
})

func newLexicon(lang, text string) *lexicon {
	l := &lexicon{lang: lang, filler: map[string]bool{}, split: map[string][]string{}, patterns: map[string][]pattern{}}
	sets := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, set, ok := strings.Cut(line, " = "); ok {
			sets["<"+name+">"] = "(" + set + ")"
			continue
		}
		kind, rest, ok := strings.Cut(line, ": ")
		switch {
		case !ok || line[0] == '#':
		case kind == fillerWords:
			for _, word := range words(rest) {
				l.filler[word] = true
			}
		case kind == splitWords:
			for word := range strings.FieldsSeq(rest) {
				l.split[strings.Join(words(word), "")] = words(strings.ReplaceAll(word, "'", " "))
			}
		default:
			for name, set := range sets {
				rest = strings.ReplaceAll(rest, name, set)
			}
			l.add(pattern{kind, partsOf(rest)})
		}
	}
	return l
}

func (l *lexicon) add(p pattern) {
	var firsts []string
	for _, alternative := range p.parts[0] {
		if first := alternative[0]; !slices.Contains(firsts, first) {
			firsts = append(firsts, first)
			l.patterns[first] = append(l.patterns[first], p)
		}
	}
}

// partsOf reads words and groups such as "i (want|need) to die".
func partsOf(text string) [][][]string {
	var parts [][][]string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var part string
		if group, ok := strings.CutPrefix(text, "("); ok {
			part, text, _ = strings.Cut(group, ")")
		} else {
			part, text, _ = strings.Cut(text, " ")
		}
		var alternatives [][]string
		for alternative := range strings.SplitSeq(part, "|") {
			alternatives = append(alternatives, spellings(alternative)...)
		}
		parts = append(parts, alternatives)
	}
	return parts
}

// spellings returns the ways in which people type a text: with a space or nothing
// instead of an apostrophe, and ä as a or ae.
func spellings(text string) [][]string {
	var out [][]string
	umlauts := strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue")
	for _, text := range []string{text, umlauts.Replace(text)} {
		for _, apostrophe := range []string{"", " "} {
			spelling := words(strings.ReplaceAll(text, "'", apostrophe))
			if !slices.ContainsFunc(out, func(s []string) bool { return slices.Equal(s, spelling) }) {
				out = append(out, spelling)
			}
		}
	}
	return out
}

// end returns the end of a match of p's parts from part on that begins at words[at],
// or -1 if there is none. "_" matches any word.
func (p pattern) end(words []string, at, part int) int {
	if part == len(p.parts) {
		return at
	}
	for _, alternative := range p.parts[part] {
		if !hasPrefixWords(words[at:], alternative) {
			continue
		}
		if end := p.end(words, at+len(alternative), part+1); end >= 0 {
			return end
		}
	}
	return -1
}

func hasPrefixWords(words, with []string) bool {
	if len(words) < len(with) {
		return false
	}
	for i, w := range with {
		if words[i] != w && (w != "_" || words[i] == sentenceEnd) {
			return false
		}
	}
	return true
}

// distressIn reports whether the author of a text says that they are in distress, of
// which kind and in which language. Quotations and reported speech do not count.
func distressIn(text string) (classroom.Safety, bool) {
	all := words(removeQuotes(text))
	for _, l := range lexicons() {
		if kind := l.find(all); kind != "" {
			return classroom.Safety{Kind: kind, Lang: l.lang, Action: classroom.ActionAdult}, true
		}
	}
	return classroom.Safety{}, false
}

func (l *lexicon) find(all []string) string {
	own := make([]string, 0, len(all)+2)
	own = append(own, sentenceEnd)
	for _, w := range all {
		if two, ok := l.split[w]; ok {
			own = append(own, two...)
		} else if !l.filler[w] {
			own = append(own, w)
		}
	}
	own = append(own, sentenceEnd)
	for at := range own {
		for _, p := range l.patterns[own[at]] {
			if p.kind == notDistress || p.kind == reportedFrom {
				continue
			}
			if end := p.end(own, at, 0); end >= 0 && !l.cancelled(own, at, end) {
				return p.kind
			}
		}
	}
	return ""
}

// maxCancelDistance is how many words before a match may cancel it.
const maxCancelDistance = 8

func (l *lexicon) cancelled(words []string, from, to int) bool {
	for at := max(0, from-maxCancelDistance); at < to; at++ {
		for _, first := range []string{words[at], "_"} {
			for _, p := range l.patterns[first] {
				end := p.end(words, at, 0)
				if p.kind == notDistress && end >= to || p.kind == reportedFrom && end == from {
					return true
				}
			}
		}
	}
	return false
}

// sentenceEnd is the word that stands for the end of a sentence.
const sentenceEnd = "."

// words splits text into words in lower case, without accents and apostrophes. A
// letter that is repeated for emphasis counts once. An ellipsis ends no sentence.
func words(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, collapseRepeats(word))
			word = word[:0]
		}
	}
	ligatures := strings.NewReplacer("ß", "ss", "œ", "oe", "æ", "ae", "...", " ", "…", " ")
	text = ligatures.Replace(strings.ToLower(text))
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			word = append(word, r)
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune("'’‘ʼ`´′", r):
		case strings.ContainsRune(".!?", r):
			flush()
			out = append(out, sentenceEnd)
		default:
			flush()
		}
	}
	flush()
	return out
}

// collapseRepeats replaces three or more equal letters by one: "dieee", "nooo".
func collapseRepeats(word []rune) string {
	var out strings.Builder
	for i := 0; i < len(word); {
		n := 1
		for i+n < len(word) && word[i+n] == word[i] {
			n++
		}
		out.WriteRune(word[i])
		if n == 2 {
			out.WriteRune(word[i])
		}
		i += n
	}
	return out.String()
}

// removeQuotes returns text without its quotations. It returns all of text if a
// quotation mark is not closed or if there is no letter outside of quotations.
func removeQuotes(text string) string {
	var outside strings.Builder
	inside := false
	for _, r := range text {
		switch {
		case strings.ContainsRune(`"“”„«»`, r):
			inside = !inside
			outside.WriteByte(' ')
		case !inside:
			outside.WriteRune(r)
		}
	}
	if inside || !strings.ContainsFunc(outside.String(), unicode.IsLetter) {
		return text
	}
	return outside.String()
}
