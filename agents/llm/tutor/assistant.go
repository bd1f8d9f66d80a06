package tutor

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A keyTerm is a term with the sentence that says what it is.
type keyTerm struct {
	name string
	key  string
	from match
	rank float64
	says bool // its sentence says what it is
}

var (
	boldText   = regexp.MustCompile(`\*\*([^*]{2,60})\*\*|__([^_]{2,60})__`)
	denies     = regexp.MustCompile(`\b(no|not|never|nothing)\b`)
	calledText = regexp.MustCompile(`\b(?:called|known as|named) (?:an? |the )?([\pL-]{4,}(?: [\pL-]{4,})?)`)
)

const (
	maxKeyTerms  = 4
	maxTermWords = 5
)

// assist is the assistant's list of key terms.
func (l *lesson) assist() string {
	switch {
	case l.barred:
		return l.byRole(phrases.withheldShort)
	case l.level == nothing && !l.spent:
		return l.helpful()
	case l.named && l.mayTell():
		if text, ok := l.tell(); ok {
			return text
		}
	}
	terms := l.askedTerms()
	terms = oneEach(append(terms, l.keyTerms()...), maxKeyTerms)
	if len(terms) == 0 {
		terms = l.quotedTerm()
	}
	if len(terms) == 0 {
		return l.readOn()
	}
	lead := l.pick(phrases.terms)
	if l.level == near {
		lead = l.pick(phrases.termsNear)
	}
	return lead + "\n\n" + asList(terms)
}

// asList writes the terms as a list. One source for all of them is named once.
func asList(terms []keyTerm) string {
	sources := map[string]bool{}
	for _, t := range terms {
		sources[t.from.from.source()] = true
	}
	var b strings.Builder
	for _, t := range terms {
		b.WriteString("- **" + label(capital(t.name)) + "**: “" + plainEmphasis(t.from.lines[0]) + "”")
		if len(sources) > 1 {
			b.WriteString(" — " + t.from.from.source())
		}
		b.WriteString("\n")
	}
	if len(sources) == 1 {
		b.WriteString("\n— " + terms[0].from.from.source())
	}
	return strings.TrimSpace(b.String())
}

// plainEmphasis takes the bold marks off a quoted sentence: the term stands before it.
func plainEmphasis(line string) string { return without(without(line, "**"), "__") }

// quotedTerm is the term nearest to the question whose sentence the teacher
// has quoted, if it was no key term yet.
func (l *lesson) quotedTerm() []keyTerm {
	for _, m := range l.heard {
		for _, t := range termsIn(m) {
			if t.says && m.cover >= enough && len(m.lines) == 1 && !strings.Contains(l.listed, m.key) {
				return []keyTerm{t}
			}
		}
	}
	return nil
}

// readOn names the place where more is found, the nearest that was not named yet.
func (l *lesson) readOn() string {
	for _, ms := range [][]match{l.ranked, l.heard} {
		for _, m := range ms {
			if at := m.from.source(); m.cover >= atLeast && !m.from.aside() && !strings.Contains(l.said, keyOf(at)) {
				return "You find more on this in " + at + "."
			}
		}
	}
	for _, m := range append(slices.Clone(l.heard), l.ranked...) {
		if at := "*" + label(title(m.from.Material)) + "*"; !strings.Contains(l.listed, keyOf(phrases.inFull+at)) {
			return phrases.inFull + at + "."
		}
	}
	if strings.Contains(l.listed, keyOf(l.byRole(phrases.spentShort))) {
		return "Nothing more from me on this."
	}
	return l.byRole(phrases.spentShort)
}

// explained holds the terms whose sentence has been said.
func (l *lesson) explained() map[string]bool {
	out := map[string]bool{}
	for _, m := range l.heard {
		for _, t := range termsIn(m) {
			out[t.key] = true
		}
	}
	return out
}

// oneEach keeps the first n terms of different sentences.
func oneEach(terms []keyTerm, n int) []keyTerm {
	var out []keyTerm
	used := map[*unit]bool{}
	for _, t := range terms {
		if len(out) < n && !used[t.from.unit] {
			used[t.from.unit] = true
			out = append(out, t)
		}
	}
	return out
}

// termsIn finds the term that a sentence defines.
func termsIn(m match) []keyTerm {
	line := m.lines[0]
	var out []keyTerm
	subject, ok := subjectOf(m.unit)
	add := func(name string, worth float64) {
		an := ok && len(subject) == 2 && (subject[0].fold == "a" || subject[0].fold == "an") && subject[1].text == name
		if !nounPhrase(name) && !an { // "a variable" is a thing
			return
		}
		var key []string
		for _, w := range wordsOf(name) {
			if !stopWords[w.fold] {
				key = append(key, w.stem)
			}
		}
		out = append(out, keyTerm{name: trimArticle(name), key: strings.Join(key, " "), from: m, rank: m.score + worth, says: worth > 0.1})
	}
	for _, at := range boldText.FindAllStringSubmatchIndex(line, -1) {
		b := boldText.FindStringSubmatch(line[at[0]:at[1]])
		if goesOn(line[at[1]:]) {
			continue
		}
		add(b[1]+b[2], 0.1+0.3*truth(ok && (sideBySide(subject, parse(b[1]+b[2], nil).strong()) || sideBySide(subject, termOf(b[1]+b[2])))))
	}
	if len(out) == 0 && ok && definesAs(m.unit, len(subject)) {
		add(phrase(subject), 0.2)
	}
	if len(out) == 0 {
		if c := calledText.FindStringSubmatch(line); c != nil && !denies.MatchString(line) {
			add(c[1], 0.1)
		}
	}
	return out
}

// definesAs reports whether "X is" goes on with "a" or "the". "The X is a …"
// mostly tells of an X that is known.
func definesAs(u *unit, n int) bool {
	if n > maxTermWords || n+1 >= len(u.words) {
		return u.kind == point
	}
	next := u.words[n+1].fold
	return u.kind == point || u.words[0].fold != "the" && (next == "a" || next == "an" || next == "the")
}

func phrase(words []word) string {
	var out []string
	for _, w := range words {
		out = append(out, w.text)
	}
	return strings.Join(out, " ")
}

// capital begins a word with a capital, but leaves "pH" alone.
func capital(s string) string {
	r := []rune(s)
	if len(r) > 1 && unicode.IsLower(r[0]) && !unicode.IsUpper(r[1]) {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

func trimArticle(name string) string {
	name = strings.TrimRight(strings.TrimSpace(name), ".:,;")
	for _, a := range []string{"The ", "the ", "An ", "an ", "A ", "a "} {
		if rest, ok := strings.CutPrefix(name, a); ok {
			name = rest
			break
		}
	}
	return name
}

func named(terms []keyTerm, key string) bool {
	for _, t := range terms {
		if t.key == key {
			return true
		}
	}
	return false
}

// helpful is the assistant's sentence where nothing was found: what there is.
func (l *lesson) helpful() string {
	if topics := l.offered(3); len(topics) > 0 {
		return "I have no terms for this, but I can list those of " + either(topics) + "."
	}
	return phrases.missShort[0]
}

func either(list []string) string {
	list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "more" })
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}
