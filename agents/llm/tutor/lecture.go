package tutor

import (
	"fmt"
	"slices"
	"strings"

	"colloquy/agents/llm"
)

const (
	leastPart    = 90  // the words of a part that goes on into the next passage
	mostPart     = 150 // the words that a part reads, if a passage can be cut there
	summing      = "Let me sum up "
	slack        = 20 // what a part that would be too short may read beyond that
	leastChecked = 20 // the words of a section that a part may ask about
)

const nothingToRead = " Our materials hold nothing on this, so I cannot go on."

// lecture is one part of a lecture: the next stretch of the material, and a
// question to check it.
func (l *lesson) lecture() string {
	head := fmt.Sprintf("Part %d of %d.", l.act.Round, max(l.act.Rounds, l.act.Round))
	if l.act.Round <= 1 {
		head = openingOf[lecture] + strings.TrimPrefix(l.topic(), "“") + ". " + head
	}
	switch {
	case l.barred:
		return head + "\n\n" + l.pick(phrases.withheld)
	case l.level == nothing && !l.spent && l.act.Round <= 1:
		return head + "\n\n" + l.miss()
	case l.level == nothing && !l.spent:
		return head + nothingToRead
	}
	stretch := l.stretch()
	switch {
	case len(stretch) == 0 && l.act.Round <= 1:
		return head + "\n\n" + l.miss()
	case len(stretch) == 0 && !slices.ContainsFunc(l.act.remarks, remark.quotes):
		return head + nothingToRead
	case len(stretch) == 0:
		return head + " Our materials on " + l.topic() + " are used up: nothing is left to read. Say “end”, and I sum it up."
	}
	parts := []string{head}
	if l.stance == socratic {
		parts = append(parts, "Before you read on: what do you expect under "+stretch[0].from.heading()+"?")
	}
	parts = append(parts, l.recite(quotesOf(stretch))...)
	if l.act.StageRole == llm.StageLecture && l.usedUp(stretch) {
		parts = append(parts, "With this, our materials on "+l.topic()+" are used up: there is no further part. Say “end”, and I sum it up.")
	}
	return strings.Join(append(parts, l.check(stretch)), "\n\n")
}

// stretch is what the part reads: the rest of the passage that was read last,
// and the next ones as long as there is room. A paragraph is cut only where the
// part would be too short without it.
func (l *lesson) stretch() []match {
	var out []match
	size := 0
	for _, p := range l.route() {
		if size >= leastPart && size+l.wordsLeft(p) > mostPart {
			break
		}
		ms := l.readable(p)
		for i, m := range ms {
			if i > 0 && ms[i-1].block != m.block && size >= leastPart && size+wordsIn(ms[i:], m.block) > mostPart {
				return out
			}
			if full := size + m.size(); len(out) > 0 && (full > mostPart && size >= leastPart || full > mostPart+slack) {
				return out
			}
			size += m.size()
			out = append(out, m)
		}
	}
	return out
}

// wordsIn counts the words of one block.
func wordsIn(ms []match, block int) int {
	n := 0
	for _, m := range ms {
		n += m.size() * int(truth(m.block == block))
	}
	return n
}

// usedUp reports whether nothing is left to read after stretch.
func (l *lesson) usedUp(stretch []match) bool {
	left := -sizeOf(stretch)
	route := l.route()
	for _, p := range route {
		left += l.wordsLeft(p)
	}
	return left <= 0 && (len(l.walks) >= maxSteps || !l.walking(route[len(route)-1]))
}

func sizeOf(ms []match) int {
	n := 0
	for _, m := range ms {
		n += m.size()
	}
	return n
}

// size is how many words m adds to a part: a row of a table comes without its head.
func (m match) size() int {
	if m.cut {
		return len(wordsOf(m.lines[len(m.lines)-1]))
	}
	return len(m.words)
}

// readable lists what of p may be read and was not, in the order of the text.
func (l *lesson) readable(p *passage) []match {
	var out []match
	lists := map[int]bool{}
	for _, u := range p.units {
		lists[u.block] = lists[u.block] || u.kind == wholeList && u.quotable()
	}
	for _, u := range p.units {
		m, ok := l.matchOf(u)
		if ok && !(u.kind == point && lists[u.block]) && len(u.words) <= mostPart {
			out = append(out, m)
		}
	}
	return out
}

// matchOf finds u among what may be said and is new.
func (l *lesson) matchOf(u *unit) (match, bool) {
	at := slices.IndexFunc(l.ranked, func(m match) bool { return m.unit == u })
	if at < 0 || l.saidIn(l.ranked[at]) || l.stance == hints && l.act.begun(u) {
		return match{}, false
	}
	return l.ranked[at], true
}

// begun reports whether the beginning of u was given as a hint.
func (a act) begun(u *unit) bool {
	start := beginning(u.lines[0]) + " …"
	return slices.ContainsFunc(a.remarks, func(r remark) bool { return r.own() && strings.Contains(r.text, start) })
}

// quotesOf makes one quote of each passage.
func quotesOf(stretch []match) []quote {
	var out []quote
	for _, m := range stretch {
		n := len(out)
		if n == 0 || out[n-1].from != m.from {
			out = append(out, quote{m.from, [][]match{{m}}})
			continue
		}
		q := &out[n-1]
		end := len(q.runs) - 1
		last := &q.runs[end][len(q.runs[end])-1]
		switch {
		case last.block == m.block && last.kind == wholeTable && m.kind == wholeTable:
			last.unit = withRow(last.unit, m.unit)
			continue
		case last.block == m.block && last.kind == sentence && m.kind == sentence:
			q.runs[end] = append(q.runs[end], m)
			continue
		}
		q.runs = append(q.runs, []match{m})
	}
	return out
}

// withRow is a table that was cut into rows, with one more of them.
func withRow(table, row *unit) *unit {
	out := *table
	out.lines = append(slices.Clone(table.lines), row.lines[len(row.lines)-1])
	return &out
}

// recite writes quotes, with one source below what follows each other from the
// same place; of what is to be found out only the beginning.
func (l *lesson) recite(quotes []quote) []string {
	var out []string
	var parts []string
	for i, q := range quotes {
		for _, run := range q.runs {
			text := joinRun(run)
			if l.stance == hints {
				var line []string
				for _, m := range run {
					line = append(line, l.shown(m))
				}
				text = strings.Join(line, " ")
			}
			parts = append(parts, text)
		}
		if i+1 == len(quotes) || quotes[i+1].from.source() != q.from.source() {
			out = append(out, quotation(strings.Join(parts, "\n\n"), q.from.source()))
			parts = nil
		}
	}
	return out
}

// check is the short question that ends a part.
func (l *lesson) check(stretch []match) string {
	for _, m := range stretch {
		if l.givesAway(m) {
			return "Check: how does the sentence go on that ends in “…”?"
		}
	}
	read := map[string]int{} // how much of a section
	for _, m := range stretch {
		read[m.from.source()] += m.size()
	}
	for _, m := range stretch {
		if head := strings.TrimSpace(m.from.head.text); strings.HasSuffix(head, "?") && read[m.from.source()] >= leastChecked && !l.checked(head) {
			return "Check: " + label(head) + " Say it in one sentence of your own."
		}
	}
	for _, m := range stretch {
		for _, t := range termsIn(m) {
			if t.says && !l.checked(t.name) {
				return "Check: what is meant by “" + label(t.name) + "”?"
			}
		}
	}
	return "Check: which sentence of this part would you underline, and why?"
}

// checked reports whether a part before has asked about name.
func (l *lesson) checked(name string) bool {
	for _, r := range l.act.remarks {
		at := strings.LastIndex(r.text, "Check: ")
		if r.own() && at >= 0 && strings.Contains(keyOf(r.text[at:]), keyOf(name)) {
			return true
		}
	}
	return false
}

// recap sums a lecture up in sentences that its parts read, one of each, or two
// of a short one.
func (l *lesson) recap() string {
	var points []string
	used := map[string]bool{}
	each := 1 + int(truth(len(l.act.remarks) <= 2))
	for i := range each * len(l.act.remarks) {
		if m, ok := l.core(l.act.remarks[i/each], used); ok && len(points) < 5 {
			used[m.key] = true
			points = append(points, fmt.Sprintf("%d. “%s” — %s", len(points)+1, plainEmphasis(m.lines[0]), m.from.source()))
		}
	}
	switch {
	case l.barred:
		return l.pick(phrases.withheld)
	case len(points) == 0:
		return "There is nothing to sum up: no part could read from our materials on " + l.topic() + "."
	}
	text := summing + l.topic() + " in what we have read:\n\n" + strings.Join(points, "\n")
	if l.act.leftOver != nil {
		text += "\n\n" + l.act.putIn() + " We have not taken that up yet."
	}
	return text + "\n\nNow close your notes and say it in your own words."
}

// core is the sentence of a part that says most on the topic.
func (l *lesson) core(r remark, used map[string]bool) (match, bool) {
	best, found := match{}, false
	for _, m := range l.heard {
		if !r.own() || !partHead.MatchString(r.text) || used[m.key] || m.kind != sentence || len(m.lines) > 1 || m.dangles() || m.from.worked() || !strings.Contains(r.key, m.key) {
			continue
		}
		worth := m.score + 0.5*truth(len(termsIn(m)) > 0) + 0.3*truth(m.place == 0)
		if !found || worth > best.score {
			best, found = m, true
			best.score = worth
		}
	}
	return best, found
}
