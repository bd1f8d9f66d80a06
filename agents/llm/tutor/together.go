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
	fmt.Fprintf(&b, "Let me draw together what we have on %s.\n", l.topic())
	for _, c := range l.contributions() {
		b.WriteString("\n- " + c)
	}
	b.WriteString("\n\n" + l.stillOpen() + "Now answer the question in one sentence of your own, and check it against the passages.")
	return b.String()
}

// contributions say of each speaker, in the order of their first remark, where
// they read and what they asked.
func (l *lesson) contributions() []string {
	var names []string
	places, asked := map[string][]string{}, map[string]string{}
	for _, r := range l.act.remarks {
		if !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
		for _, p := range l.placesIn(r) {
			if !slices.Contains(places[r.name], p) {
				places[r.name] = append(places[r.name], p)
			}
		}
		if ask := ownAsk(r); ask != "" && !r.own() {
			asked[r.name] = ask
		}
	}
	var out []string
	for _, n := range names {
		if text := contribution(n, places[n], asked[n]); text != "" {
			out = append(out, text)
		}
	}
	return out
}

func contribution(name string, places []string, ask string) string {
	who := "**" + label(name) + "**"
	if name == "" {
		who = "I"
	}
	places = places[:min(len(places), 3)]
	switch {
	case len(places) > 0 && ask != "":
		return fmt.Sprintf("%s read to us about %s, and asked: “%s”", who, enumerate(places), label(ask))
	case len(places) > 0:
		return fmt.Sprintf("%s read to us about %s.", who, enumerate(places))
	case ask != "":
		return fmt.Sprintf("%s asked: “%s”", who, label(ask))
	}
	return ""
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

// ownAsk is the question of r that is its own: no tail of a temper.
func ownAsk(r remark) string {
	ask := r.asks()
	for _, t := range tempers {
		for _, tail := range t.tails {
			if strings.HasSuffix(tail, ask) {
				return ""
			}
		}
	}
	return ask
}

// stillOpen names what of the topic the materials do not hold.
func (l *lesson) stillOpen() string {
	switch {
	case len(l.missing) > 0:
		return "About " + inQuotes(l.missing[:min(3, len(l.missing))]) + " our materials hold nothing; that stays open. "
	case l.judge(append(append([]match(nil), l.heard...), l.ranked...)) < direct:
		return "Our materials do not answer the question directly; that stays open. "
	}
	return ""
}
