package tutor

import (
	"cmp"
	"maps"
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
}

var (
	boldText   = regexp.MustCompile(`\*\*([^*]{2,60})\*\*|__([^_]{2,60})__`)
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
	case l.spent:
		return l.byRole(phrases.spentShort)
	case l.level == nothing:
		return "I found nothing about " + inQuotes(l.lookedFor()) + " either, so I have no terms to offer."
	}
	terms := l.keyTerms()
	if len(terms) == 0 {
		return l.byRole(phrases.spentShort)
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

// keyTerms finds the terms, the nearest to the question first; what others
// quoted comes last, and only if there is little else.
func (l *lesson) keyTerms() []keyTerm {
	best := map[string]keyTerm{}
	explained := l.explained()
	for _, m := range l.ranked {
		if m.score < 0.35*l.ranked[0].score || m.kind == wholeList || m.kind == wholeTable || len(m.lines) > 1 {
			continue
		}
		for _, t := range termsIn(m) {
			if o, ok := best[t.key]; !explained[t.key] && (!ok || t.rank > o.rank) {
				best[t.key] = t
			}
		}
	}
	out := slices.Collect(maps.Values(best))
	if len(out) == 0 && l.rounds == 0 {
		out = l.frequent()
	}
	slices.SortFunc(out, func(a, b keyTerm) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.from.place, b.from.place), strings.Compare(a.key, b.key))
	})
	return oneEach(out, maxKeyTerms)
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
	add := func(name string, worth float64) {
		words := wordsOf(name)
		if len(words) == 0 || len(words) > maxTermWords || extra(words) == 0 || pointers[words[0].fold] {
			return
		}
		var key []string
		for _, w := range words {
			if !stopWords[w.fold] {
				key = append(key, w.stem)
			}
		}
		out = append(out, keyTerm{name: trimArticle(name), key: strings.Join(key, " "), from: m, rank: m.score + worth})
	}
	subject, ok := subjectOf(m.unit)
	for _, b := range boldText.FindAllStringSubmatch(line, -1) {
		add(b[1]+b[2], 0.1+0.3*truth(ok && sideBySide(subject, parse(b[1]+b[2], nil).strong())))
	}
	if len(out) == 0 && ok && definesAs(m.unit, len(subject)) {
		add(phrase(subject), 0.2)
	}
	if len(out) == 0 {
		if c := calledText.FindStringSubmatch(line); c != nil {
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

// frequent takes the nouns that return most, each with the first sentence that holds it.
func (l *lesson) frequent() []keyTerm {
	count := map[string]int{}
	for _, m := range l.ranked {
		for s := range m.stems {
			count[s]++
		}
	}
	var out []keyTerm
	used := map[*unit]bool{}
	for _, m := range l.ranked[:min(len(l.ranked), 12)] {
		if m.kind != sentence || len(m.lines) > 1 || used[m.unit] || m.from.aside() || m.from.worked() {
			continue
		}
		best := word{}
		for _, w := range m.words[:min(len(m.words), 3)] { // what the sentence is about
			if len(w.fold) >= 5 && !stopWords[w.fold] && !lightWords[w.fold] && count[w.stem] > max(1, count[best.stem]) && !named(out, w.stem) {
				best = w
			}
		}
		if best.text != "" {
			used[m.unit] = true
			out = append(out, keyTerm{name: strings.TrimSuffix(strings.TrimSuffix(best.text, "'s"), "’s"), key: best.stem, from: m, rank: m.score})
		}
	}
	return out
}

func named(terms []keyTerm, stem string) bool {
	for _, t := range terms {
		if t.key == stem {
			return true
		}
	}
	return false
}
