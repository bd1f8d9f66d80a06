package tutor

import (
	"math"
	"regexp"
	"sort"
	"strings"
)

// A match is a unit weighed against a question.
type match struct {
	*unit
	from   *passage
	score  float64
	cover  float64 // the share of the question's own words that it speaks of
	fits   bool    // it is of the kind that the question wants
	headed bool    // its heading asks the same
	phrase bool    // it holds the words of the question side by side
}

// Sentences that give what a kind of question wants.
var (
	reasonCue  = regexp.MustCompile(`\b(because|since|so that|therefore|reasons? (?:for|why|is|are|was|were)|several causes|due to|caused by|causes? of|result of|as a result|(?:happens?|occurs?|arises?|forms?) when|that is why|this is why|which is why|in order to)\b|, so\b`)
	meansCue   = regexp.MustCompile(`\b(by \w+ing|by means of|first|then|finally|steps?|using|through|with)\b|^to (\w+ ){1,5}\w+,`)
	numberCue  = regexp.MustCompile(`[0-9]|(?i)\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundreds?|thousands?|million|billion|half|third|quarter|a few|percent|per cent|degrees)\b`)
	dateCue    = regexp.MustCompile(`\b[12]\d{3}\b|\b\d+ BC\b|\b\d{1,2}(st|nd|rd|th) century\b|(\b\d{1,2} )?\b(January|February|March|April|May|June|July|August|September|October|November|December)\b( \d{1,2}\b)?|\b\d{3} AD\b`)
	nameCue    = regexp.MustCompile(`[^.!?:"“(] \p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+ (\p{Lu}\p{Ll}+|of \p{Lu}\p{Ll}+)`)
	placeCue   = regexp.MustCompile(`\b(in|at|inside|outside|near|between|along|around|under|on|through)\b`)
	placedCue  = regexp.MustCompile(`\b(takes? place|happens?|occurs?|found|lies|located|lives?|stands|situated) (\w+ )?(in|at|inside|on|near|between|under|along)\b`)
	unlikeCue  = regexp.MustCompile(`\b(while|whereas|unlike|but|both|differs?|differences?|confuse|than|in contrast|on the other hand)\b`)
	exampleCue = regexp.MustCompile(`\b(for example|for instance|such as|e\.g\.|examples?)\b`)
	reckonCue  = regexp.MustCompile(`\$|=|\\\(`)
)

// fits says how well the form of m suits the kind of question: from 0 to 1, and
// 2 where nothing else can be meant.
func (k kind) fits(m match, focus []term) float64 {
	text := strings.ReplaceAll(m.text(), "*", "")
	lower := strings.ToLower(text)
	switch k {
	case define, overview:
		return defines(m.unit, focus, k)
	case why:
		return reasons(m.unit, lower, focus)
	case how:
		if m.kind == wholeList {
			return map[bool]float64{true: 1, false: 0.5}[m.order]
		}
		return 0.6 * truth(meansCue.MatchString(lower))
	case amount:
		return truth(numberCue.MatchString(dateCue.ReplaceAllString(text, "")))
	case when:
		return truth(dateCue.MatchString(text))
	case who:
		return truth(nameCue.MatchString(text))
	case where:
		return max(0.3*truth(placeCue.MatchString(lower)), truth(placedCue.MatchString(lower)))
	case compare:
		return compares(m.unit, lower, focus)
	case example:
		return truth(exampleCue.MatchString(lower) || strings.HasPrefix(strings.ToLower(m.from.Section), "worked example"))
	case reckon:
		shown := strings.Contains(text, "$$") && reckonAsked.MatchString(lower)
		return max(2*truth(shown), truth(strings.Contains(text, "$$")), 0.5*truth(reckonCue.MatchString(text)))
	case listing:
		return max(truth(m.kind == wholeList || m.kind == wholeTable), 0.5*truth(strings.Count(text, ",") >= 2))
	}
	return 0.4 * definition(m.unit, focus)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// rank weighs every unit of the passages, the best first. Equal ones keep the
// order of the search.
func (q question) rank(passages []*passage) []match {
	var out []match
	weigh := q.rarity(passages)
	for i, p := range passages {
		heads, same := q.meets(p)
		if p.aside() && q.kind != compare && !strings.Contains(keyOf(q.text), "mistake") {
			heads -= 0.25
		}
		for j, u := range p.units {
			if !u.quotable() {
				continue
			}
			m := match{unit: u, from: p, headed: same}
			m.cover, m.score = q.hits(m, before(p, j), weigh)
			fit := q.kind.fits(m, q.own())
			m.fits = fit >= 0.5
			m.phrase = sideBySide(u.words, q.own()) || sideBySide(p.above, q.own())
			m.score += (0.5*fit+0.15*truth(m.phrase))*m.cover + heads + form(m, q.kind)
			m.score -= 0.4 * q.unnamed(m)
			if q.brief {
				m.score -= 0.008 * float64(len(u.words))
			}
			m.score += 0.1/float64(1+i) + 0.08/float64(1+u.place)
			out = append(out, m)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].score > out[j].score })
	return out
}

func before(p *passage, j int) *unit {
	if j > 0 && p.units[j-1].block == p.units[j].block {
		return p.units[j-1]
	}
	return nil
}

// rarity makes words that stand in few units count for more.
func (q question) rarity(passages []*passage) []float64 {
	n, out := 0.0, make([]float64, len(q.terms))
	for _, p := range passages {
		for _, u := range p.units {
			n++
			for i, t := range q.terms {
				out[i] += truth(u.stems[t.stem])
			}
		}
	}
	for i, t := range q.terms {
		out[i] = t.weight * (0.5 + 0.5*math.Log(1+n/(1+out[i]))/math.Log(2+n))
	}
	return out
}

// hits returns which share of the question's own words m speaks of, and the
// same over all its words, rare ones counting more. What the headings or the
// sentence before say counts in part.
func (q question) hits(m match, before *unit, weigh []float64) (cover, share float64) {
	own := map[string]bool{}
	for _, t := range q.own() {
		own[t.stem] = true
	}
	var sum, all, hit, total float64
	for i, t := range q.terms {
		h := m.has(t)
		if h == 0 {
			h = 0.6 * inWords(m.from.above, t)
		}
		if h == 0 && before != nil {
			h = 0.4 * before.has(t)
		}
		if own[t.stem] {
			hit, total = hit+t.weight*h, total+t.weight
		}
		sum, all = sum+weigh[i]*h, all+weigh[i]
	}
	if all == 0 {
		return 0, 0
	}
	if total == 0 {
		return sum / all, sum / all
	}
	return hit / total, sum / all
}

func (u *unit) has(t term) float64 {
	if u.stems[t.stem] {
		return 1
	}
	return inWords(u.words, t)
}

func inWords(words []word, t term) float64 {
	best := 0.0
	for _, w := range words {
		best = max(best, likeness(w.stem, t.stem))
	}
	return best
}

// meets says how near the heading of p is to the question, and whether it is
// the same question.
func (q question) meets(p *passage) (worth float64, same bool) {
	mine, theirs := q.strong(), p.head.strong()
	if len(mine) == 0 || len(theirs) == 0 {
		return 0, false
	}
	both := 0.0
	for _, t := range theirs {
		for _, o := range mine {
			if likeness(t.stem, o.stem) > 0 {
				both++
				break
			}
		}
	}
	near := 2 * both / float64(len(mine)+len(theirs))
	light := 0.0
	for _, t := range q.terms {
		light = max(light, truth(!t.strong && t.own)*inWords(p.above, t))
	}
	if near < 0.6 {
		return 0.1 * near, false
	}
	same = p.head.kind == q.kind
	return near * (0.15 + 0.3*q.kind.kin(p.head.kind) + 0.15*light), same
}

// unnamed is the share of the names in q that m and its headings do not hold.
func (q question) unnamed(m match) float64 {
	missing, all := 0.0, 0.0
	for _, t := range q.own() {
		if t.weight > 1 {
			all++
			missing += truth(m.has(t) == 0 && inWords(m.from.above, t) == 0)
		}
	}
	return missing / max(all, 1)
}

// kin says how near two kinds are: a heading "How does it happen?" is half an
// answer to "Why does it happen?".
func (k kind) kin(o kind) float64 {
	switch {
	case k == o && k != open:
		return 1
	case k == why && o == how, k == how && o == why:
		return 0.6
	case k == o:
		return 0.5
	}
	return 0
}

// aside reports whether p is no part of the lesson proper.
func (p *passage) aside() bool {
	s := strings.ToLower(p.Section)
	return strings.Contains(s, "mistake") || strings.Contains(s, "exercise") || strings.Contains(s, "check yourself")
}

// worked reports whether p is an example worked out, whose sentences belong together.
func (p *passage) worked() bool {
	return strings.Contains(strings.ToLower(p.Section), "worked example")
}

// form is what a unit's shape is worth, whatever it says.
func form(m match, k kind) float64 {
	v, n := 0.0, len(m.words)
	switch {
	case m.kind == wholeList && m.from.aside():
		v -= 0.6 // its points have nothing to do with each other
	case m.kind == wholeList && k != how && k != listing && k != why:
		v -= 0.2
	case m.kind == wholeTable && k != compare && k != listing:
		v -= 0.25
	case m.kind == point:
		v -= 0.08
	}
	if m.kind == sentence || m.kind == point {
		v -= 0.1*truth(n > 45) + 0.1*truth(n < 7)
	}
	if m.dangles() {
		v -= 0.12 + 0.25*truth(m.place == 0 || m.from.units[m.place-1].block != m.block)
	}
	return v
}

// adjacent reports whether the words of terms follow each other in words.
func adjacent(words []word, terms []term) bool {
	for i := range words {
		n := 0
		for n < len(terms) && i+n < len(words) && words[i+n].stem == terms[n].stem {
			n++
		}
		if n == len(terms) {
			return true
		}
	}
	return false
}

// sideBySide reports whether the words of terms stand together, in order.
func sideBySide(words []word, terms []term) bool {
	at := 0
	for _, w := range words {
		switch {
		case at < len(terms) && likeness(w.stem, terms[at].stem) > 0:
			at++
		case stopWords[w.fold]:
		default:
			at = int(truth(len(terms) > 0 && likeness(w.stem, terms[0].stem) > 0))
		}
		if at == len(terms) {
			return at > 0
		}
	}
	return false
}
