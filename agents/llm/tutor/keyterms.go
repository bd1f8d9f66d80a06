package tutor

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// askedTerms are the words of the question themselves, where a sentence says
// what they are: they head the list even if the teacher has read it, because
// the list is to be kept.
func (l *lesson) askedTerms() []keyTerm {
	if l.rounds > 0 {
		return nil
	}
	var out []keyTerm
	for _, m := range slices.Concat(l.heard, l.ranked) {
		if m.kind != sentence || len(m.lines) > 1 || m.from.aside() || m.from.worked() || !l.fromSource(m) {
			continue
		}
		for _, t := range termsIn(m) {
			if t.says && l.inQuestion(t) && !named(out, t.key) {
				out = append(out, t)
			}
		}
	}
	asked := wordsOf(l.question.text)
	slices.SortStableFunc(out, func(a, b keyTerm) int { return cmp.Compare(placeOf(asked, a), placeOf(asked, b)) })
	return out[:min(len(out), maxKeyTerms)]
}

// askedAndRead are the words of the question whose meaning was read out.
func (l *lesson) askedAndRead() []string {
	var out []string
	for _, t := range l.askedTerms() {
		if strings.Contains(l.said, t.from.key) {
			out = append(out, capital(t.name))
		}
	}
	return out
}

// inQuestion reports whether the question has the term, word by word.
func (l *lesson) inQuestion(t keyTerm) bool { return sideBySide(wordsOf(l.question.text), termOf(t.name)) }

func placeOf(words []word, t keyTerm) int {
	name := wordsOf(t.name)
	return slices.IndexFunc(words, func(w word) bool { return likeness(w.stem, name[0].stem) > 0 })
}

// asksAbout reports whether m defines a word of the question.
func (l *lesson) asksAbout(m match) bool { return slices.ContainsFunc(termsIn(m), l.inQuestion) }

// fromSource reports whether m is from a material that the teacher has quoted.
// Where no teacher has, it is the one that speaks of the question best.
func (l *lesson) fromSource(m match) bool {
	taught := l.fromTeacher()
	if len(taught) == 0 {
		return l.onTopic(m)
	}
	return slices.ContainsFunc(taught, func(o match) bool { return o.from.Material == m.from.Material })
}

// belongs reports whether a term has to do with what was asked: the question
// has one of its words, the teacher's quotes use it, or it stands in the
// section that the teacher has quoted and speaks of the question.
func (l *lesson) belongs(t keyTerm) bool {
	words := wordsOf(t.name)
	for _, q := range l.question.own() {
		if inWords(words, q) > 0 && l.question.kind != compare {
			return true
		}
	}
	for _, m := range l.fromTeacher() {
		if sideBySide(m.words, termOf(t.name)) || l.question.kind != compare && m.from.source() == t.from.from.source() {
			return true
		}
	}
	return len(l.fromTeacher()) == 0
}

// keyTerms finds the terms, the nearest to the question first, in the material
// that the teacher has quoted.
func (l *lesson) keyTerms() []keyTerm {
	out := l.termsWhere(l.belongs)
	if len(out) == 0 && len(l.askedTerms()) == 0 {
		out = l.termsWhere(func(keyTerm) bool { return true })
	}
	if len(out) == 0 && l.rounds == 0 && len(l.askedTerms()) == 0 {
		out = l.frequent()
	}
	slices.SortFunc(out, func(a, b keyTerm) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.from.place, b.from.place), strings.Compare(a.key, b.key))
	})
	return oneEach(out, maxKeyTerms)
}

func (l *lesson) termsWhere(wanted func(keyTerm) bool) []keyTerm {
	best := map[string]keyTerm{}
	explained := l.explained()
	for _, m := range l.ranked {
		if m.score < 0.35*l.ranked[0].score || !l.fromSource(m) || m.kind == wholeList || m.kind == wholeTable || len(m.lines) > 1 {
			continue
		}
		for _, t := range termsIn(m) {
			if o, ok := best[t.key]; wanted(t) && !explained[t.key] && (!ok || t.says && !o.says || t.says == o.says && t.rank > o.rank) {
				best[t.key] = t
			}
		}
	}
	return slices.Collect(maps.Values(best))
}

// frequent takes what the best sentences are about, where that is named in a
// whole phrase.
func (l *lesson) frequent() []keyTerm {
	var out []keyTerm
	for _, m := range l.ranked[:min(len(l.ranked), 12)] {
		if m.kind != sentence || len(m.lines) > 1 || !l.fromSource(m) || m.from.aside() || m.from.worked() {
			continue
		}
		subject, ok := subjectOf(m.unit)
		name := trimArticle(phrase(subject))
		if key := keyOf(name); ok && nounPhrase(name) && !named(out, key) {
			out = append(out, keyTerm{name: name, key: key, from: m, rank: m.score})
		}
	}
	return out
}
