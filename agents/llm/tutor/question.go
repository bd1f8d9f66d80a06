package tutor

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind is the kind of answer that a question wants.
type kind int

const (
	open kind = iota
	define
	why
	how
	amount
	when
	who
	where
	compare
	example
	reckon // a formula
	listing
	overview
)

// A question is what a person asked, as far as word forms tell.
type question struct {
	text   string
	kind   kind
	terms  []term
	leans  bool // on the question before it
	more   bool // asks for more of the same
	brief  bool // asks for a shorter answer
	hasAsk bool // is a question or a request, and not an attempt at an answer
	whole  bool // says all that it asks, whatever stood before it
	turns  bool // to another subject: "What about …?"
	former *question
}

// A term is a word that the answer should be about.
type term struct {
	word
	weight float64
	own    bool // in the question itself, and not taken over from the one before
	strong bool
}

var reckonAsked = regexp.MustCompile(`\b(formulas?|formulae|equations?|calculate|compute|work out)\b`)

// kinds are tried in this order.
var kinds = []struct {
	kind kind
	form *regexp.Regexp
}{
	{compare, regexp.MustCompile(`\b(differences?|differ|compare[ds]?|comparison|versus|vs|similarit\w+|distinguish|in common)\b`)},
	{example, regexp.MustCompile(`\b(examples?|for instance)\b`)},
	{reckon, reckonAsked},
	{why, regexp.MustCompile(`\b(why|how come|reasons? (for|why)|what (causes?|caused|makes|made|leads|led)|causes? of)\b`)},
	{amount, regexp.MustCompile(`\bhow (many|much|long|far|old|big|tall|fast|hot|cold|deep|high|heavy|large|often|wide|strong|small)\b`)},
	{when, regexp.MustCompile(`\b(when (did|was|were|is|are)|(what|which) (year|date|century|day))\b`)},
	{who, regexp.MustCompile(`\b(who|whom|whose)\b`)},
	{where, regexp.MustCompile(`\bwhere\b`)},
	{how, regexp.MustCompile(`\b(how|steps?|in what way|solve)\b`)},
	{listing, regexp.MustCompile(`\b(what are the|list|name (the|all|some|two|three|four|five)|which \w+s\b|(types|kinds|parts|stages|phases|advantages|disadvantages) of|what (limits|shifts|affects|influences|determines|changes|happens))\b`)},
	{overview, regexp.MustCompile(`\b((tell|teach) (me|us) (more |something |all )?about|(talk|say|know|learn|important|read) about|summar\w+|overview|describe)\b`)},
	{define, regexp.MustCompile(`\b(what('s| is| are| was| were)|define|definitions?|mean(s|t|ing)?|explain|called)\b`)},
}

var (
	plainDefine = regexp.MustCompile(`^(?:and |but |so )?what(?:'s| is| are| was| were) (?:an? |the )?([\pL\pN'’-]+)\??$`)
	countedNoun = regexp.MustCompile(`how (?:many|much) ([\pL-]+)`)
	shortNumber = regexp.MustCompile(`^\d{1,3}$`)
	leaning     = regexp.MustCompile(`^(and|but|so|then|also|or)\b|^(what|how) about\b`)
	pronoun     = regexp.MustCompile(`\b(it|its|they|them|their|he|she|him|her|his)\b|\b(this|that|these|those)(\?|$| (is|are|was|were|do|does|did|happens?|means?|works?|so|not|true)\b)`)
	moreOf      = regexp.MustCompile(`^(and |please )*((tell|show|give) (me|us) )?(some |any )?(more|go on|continue|another one|what else|anything else|else)\b[^?]{0,24}\??$`)
	briefly     = regexp.MustCompile(`\b(short|shorter|shortly|brief|briefly|in one sentence|simpler|simply|simple words|easier)\b`)
	asking      = regexp.MustCompile(`^(and |but |so |please |ok |okay )*(what|what's|why|how|when|where|who|whose|whom|which|is|are|was|were|do|does|did|can|could|would|should|will|tell|show|give|explain|define|describe|list|name|compare|find|calculate|solve|summari[sz]e|teach)\b`)
	politeWord  = regexp.MustCompile(`(?i)^(hello|hi|hey|good \w+|thanks|thank you|many thanks|bye|goodbye)$`)
	mention     = regexp.MustCompile(`(^|[\s(,])@\pL[\pL\pN_’'-]*[,:]?`)
	complete    = regexp.MustCompile(`^(?:(?:and|but|so|then|also|or),? )?(?:(?:what|who)(?:'s| is| are| was| were) (?:an? |the )?[\pL\pN]|(?:how|why|when|where) (?:is|are|was|were|do|does|did|can|could|will|has|have|had) )`)
	whatAbout   = regexp.MustCompile(`^(?:(?:and|but|so|then|also|or),? )?(?:what|how) about\b`)
	calling     = regexp.MustCompile(`(?s)^\p{Lu}\p{Ll}+, ((?:what|why|how|when|where|who|which|can|could|please|explain|tell)\b.*)$`)
	fillers     = regexp.MustCompile(`^(?:(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|please|thanks|thank you|ok|okay|well|so|yes|no|great)[\s,.!:]+)+`)
)

const maxTerms = 24

// parse reads text; names are those of the people and agents around, which are
// no part of what is asked.
func parse(text string, names []string) question {
	text = clean(text, names)
	ask := mainSentence(text)
	lower := strings.ToLower(strings.Join(strings.Fields(ask), " "))
	q := question{text: ask, leans: leaning.MatchString(lower) || pronoun.MatchString(lower)}
	q.more = moreOf.MatchString(lower)
	q.brief = briefly.MatchString(lower)
	q.hasAsk = strings.Contains(text, "?") || asking.MatchString(lower)
	q.turns = whatAbout.MatchString(lower)
	q.whole = complete.MatchString(lower) && !pronoun.MatchString(lower)
	for _, k := range kinds {
		if k.form.MatchString(lower) {
			q.kind = k.kind
			break
		}
	}
	q.terms = termsOf(ask, lower)
	for i := range q.terms {
		q.terms[i].strong = q.terms[i].strong || q.turns && len(q.strong()) > 0 && len(q.terms[i].fold) >= 4 // "quadratic equations"
	}
	if q.kind == open && len(q.strong()) > 0 && len(wordsOf(ask)) <= 4 {
		q.kind, q.hasAsk = define, true // "Photosynthesis?"
	}
	if len(ask) < len(text) {
		q.terms = merge(q.terms, termsOf(strings.Replace(text, ask, " ", 1), ""), 0.4)
	}
	return q
}

// clean takes away the name that a line is prefixed or addressed with, and greetings.
func clean(text string, names []string) string {
	text = strings.TrimSpace(text)
	for _, n := range names {
		if rest, ok := cutName(text, n); ok && strings.HasPrefix(text, "@") {
			text = rest
		}
	}
	if rest := strings.TrimLeft(mention.ReplaceAllString(text, "$1"), " ,:"); rest != "" {
		text = strings.TrimSpace(rest)
	}
	if at := calling.FindStringSubmatch(text); at != nil && !pronoun.MatchString(strings.ToLower(at[1])) {
		text = at[1] // "Theo, what is a veto?"
	}
	for again := true; again; {
		again = false
		for _, n := range names {
			if rest, ok := cutName(text, n); ok {
				text, again = rest, true
			}
		}
		if rest := text[len(fillers.FindString(strings.ToLower(text))):]; rest != text && strings.TrimSpace(rest) != "" && len(strings.ToLower(text)) == len(text) {
			text, again = strings.TrimSpace(rest), true
		}
	}
	return text
}

// cutName takes an address off text: "Ada, …", "@Ada …", "Ada: …", "…, Ada?".
func cutName(text, name string) (string, bool) {
	if name == "" || len(text) < len(name) {
		return text, false
	}
	for _, n := range []string{name, strings.Fields(name + " x")[0]} {
		at, tagged := strings.TrimPrefix(text, "@"), strings.HasPrefix(text, "@")
		if len(at) > len(n) && strings.EqualFold(at[:len(n)], n) && (tagged || strings.ContainsAny(at[len(n):len(n)+1], ",:")) {
			return strings.TrimLeft(at[len(n):], " ,:"), true
		}
		body := strings.TrimRight(text, " ?!.")
		if len(body) > len(n) && strings.EqualFold(body[len(body)-len(n):], n) {
			rest := strings.TrimRight(body[:len(body)-len(n)], " @")
			if strings.HasSuffix(rest, ",") || politeWord.MatchString(rest) {
				return strings.TrimRight(rest, ",") + text[len(body):], true
			}
		}
	}
	return text, false
}

// mainSentence is the last question in text, or all of it.
func mainSentence(text string) string {
	found := ""
	for _, s := range sentencesOf(first(text, 4000)) {
		if strings.HasSuffix(strings.TrimRight(s, `"'”’)*_ `), "?") && len(wordsOf(s)) > 0 {
			found = s
		}
	}
	if found == "" || !strings.Contains(text, found) {
		return text
	}
	return found
}

var measures = setOf(`long far old big tall fast hot cold deep high heavy large often wide strong small quickly`)

func termsOf(text, lower string) []term {
	var out []term
	only := plainDefine.FindStringSubmatch(lower)
	counted := ""
	if m := countedNoun.FindStringSubmatch(lower); m != nil {
		counted = foldOf(m[1])
	}
	words := wordsOf(text)
	for i, w := range words {
		if len(out) == maxTerms {
			break
		}
		if i > 0 && words[i-1].fold == "how" && measures[w.fold] {
			continue
		}
		light := lightWords[w.fold] && w.fold != counted || len(w.text) == 1 && w.text >= "a" || shortNumber.MatchString(w.fold)
		if only != nil && foldOf(only[1]) == w.fold && !stopWords[w.fold] {
			light = false
		} else if stopWords[w.fold] || kindWords[w.fold] {
			continue
		}
		t := term{word: w, weight: 1, own: true, strong: !light}
		switch r, _ := utf8.DecodeRuneInString(w.text); {
		case light:
			t.weight = 0.35
		case unicode.IsUpper(r) && i > 0:
			t.weight = 1.5 // a name
		}
		out = merge(out, []term{t}, 1)
	}
	return out
}

// merge adds the terms of more that are new, at a lower weight where scale is below 1.
func merge(terms, more []term, scale float64) []term {
	for _, t := range more {
		known := false
		for _, o := range terms {
			known = known || o.stem == t.stem
		}
		if known || len(terms) >= maxTerms {
			continue
		}
		t.weight *= scale
		t.own = t.own && scale == 1
		terms = append(terms, t)
	}
	return terms
}

// strong returns the terms worth a search.
func (q question) strong() []term {
	var out []term
	for _, t := range q.terms {
		if t.strong {
			out = append(out, t)
		}
	}
	return out
}

// promoted makes light words strong where there are no others to go by.
func (q question) promoted() question {
	if len(q.strong()) > 0 {
		return q
	}
	terms := slices.Clone(q.terms)
	for i, t := range terms {
		terms[i].strong = len(t.fold) >= 4
	}
	q.terms = terms
	return q
}

// own returns the strong terms of the question itself; where it has none, all strong terms.
func (q question) own() []term {
	var out []term
	for _, t := range q.strong() {
		if t.own {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return q.strong()
	}
	return out
}

// inherits reports whether q has no subject of its own.
func (q question) inherits() bool {
	for _, t := range q.strong() {
		if t.own {
			return false
		}
	}
	return true
}

// after lets q take over what it lacks from the question before it.
func (q question) after(before question) question {
	strong := q.strong()
	if len(strong) > 0 && (q.whole || !q.leans || len(strong) > 2) {
		return q
	}
	if len(strong) > 0 && q.turns {
		q.kind, q.former = overview, &before
		return q
	}
	if q.kind == open || len(strong) > 0 && strings.Contains(strings.ToLower(q.text), "about ") {
		q.kind = before.kind
	}
	scale := 1.0
	if len(strong) > 0 {
		scale = 0.5
	}
	subject := before.strong()
	if before.kind == compare && q.kind != compare {
		subject = subject[:1] // "it" is one of the two
	}
	for _, t := range subject {
		t.own = false
		q.terms = merge(q.terms, []term{t}, scale)
	}
	return q
}

// settled lets "What about …?" ask the same as the question before it, if a
// passage speaks of both.
func (q question) settled(passages []*passage) question {
	if q.former == nil {
		return q
	}
	for _, p := range passages {
		words := append(wordsOf(p.Text), p.above...)
		for _, t := range q.former.strong() {
			if inWords(words, t) > 0 {
				q.kind = q.former.kind
				t.own = false
				q.terms = merge(q.terms, []term{t}, 0.5)
			}
		}
	}
	return q
}

// query is what the search is asked for.
func (q question) query() string {
	var out []string
	for _, t := range q.strong() {
		out = append(out, t.text)
	}
	if len(out) == 0 {
		for _, t := range q.terms {
			out = append(out, t.text)
		}
	}
	return strings.Join(out, " ")
}
