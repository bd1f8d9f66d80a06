package tutor

import (
	"fmt"
	"slices"
	"strings"
)

// drawTogether is the teacher's last word in a discussion. It quotes nothing
// again: it says who brought what in and what stays open.
func (l *lesson) drawTogether() string {
	if l.level == nothing && !l.spent {
		return "To close: our materials hold nothing on " + l.topic() + ", so it stays open. A text about it in the class’s materials would help."
	}
	if l.barred {
		return l.pick(phrases.withheld)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s what we have on %s.", closing, l.topic())
	if text := l.answerAt(); text != "" {
		b.WriteString("\n\n" + text)
	}
	if list := l.readWhere(); len(list) > 0 {
		b.WriteString("\n\nWe have read:\n\n- " + strings.Join(list, "\n- "))
	}
	if list := l.askedBy(); len(list) > 0 {
		b.WriteString("\n\nTo think about further:\n\n- " + strings.Join(list, "\n- "))
	}
	b.WriteString("\n\n" + l.stillOpen() + "Now answer the question in one sentence of your own, and check it against the passages.")
	return b.String()
}

const closing = "Let me draw together"

// answerAt points to the passage that answers the topic, by its first words.
func (l *lesson) answerAt() string {
	m, ok := l.best()
	if !ok || l.judge([]match{m}) < direct {
		return ""
	}
	start := opening(m)
	if l.givesAway(m) {
		start = beginning(m.lines[0])
	}
	return fmt.Sprintf("The passage that answers it begins “%s …” (%s).", plainEmphasis(start), m.from.source())
}

// readWhere says of each place who read from it, in the order of the talk.
func (l *lesson) readWhere() []string {
	var places []string
	readers := map[string][]string{}
	for _, r := range l.act.remarks {
		name := label(r.name)
		if r.own() {
			name = "I"
		}
		for _, p := range l.placesIn(r) {
			if !slices.Contains(places, p) {
				places = append(places, p)
			}
			if !slices.Contains(readers[p], name) {
				readers[p] = append(readers[p], name)
			}
		}
	}
	for i, p := range places {
		places[i] = p + ": " + enumerate(lastOf(readers[p], "I"))
	}
	return places[:min(len(places), 6)]
}

// lastOf puts s last, if it is in list.
func lastOf(list []string, s string) []string {
	if at := slices.Index(list, s); at >= 0 {
		return append(slices.Delete(list, at, at+1), s)
	}
	return list
}

// askedBy lists the questions that classmates asked.
func (l *lesson) askedBy() []string {
	var out []string
	for _, r := range l.act.remarks {
		if ask := r.real(); ask != "" && !r.own() && len(out) < 4 {
			out = append(out, fmt.Sprintf("%s asked “%s”", label(r.name), label(ask)))
		}
	}
	return out
}

// placesIn lists the headings under which stands what r quotes.
func (l *lesson) placesIn(r remark) []string {
	var out []string
	for _, p := range l.passages {
		for _, u := range p.units {
			if name := p.heading(); len(u.key) > 20 && strings.Contains(r.key, u.key) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// heading is what the passage stands under, in quotation marks, or its material.
func (p *passage) heading() string {
	sections := strings.Split(p.Section, "›")
	if own := strings.TrimSpace(sections[len(sections)-1]); own != "" && keyOf(own) != keyOf(title(p.Material)) {
		return "“" + label(own) + "”"
	}
	return "*" + label(title(p.Material)) + "*"
}

// stillOpen names what of the topic the materials do not hold.
func (l *lesson) stillOpen() string {
	switch {
	case len(l.missing) > 0:
		return "About " + inQuotes(l.missing[:min(3, len(l.missing))]) + " our materials hold nothing; that stays open. "
	case l.judge(byScore(slices.Concat(l.heard, l.ranked))) < direct:
		return "Our materials do not answer the question directly; that stays open. "
	}
	return ""
}
