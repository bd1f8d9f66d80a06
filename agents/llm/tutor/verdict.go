package tutor

import (
	"slices"
	"strings"
)

// verdict is the moderator's sum: who read what, what that settles and what it
// leaves open.
func (l *lesson) verdict() string {
	switch {
	case l.barred:
		return l.pick(phrases.withheld)
	case l.level == nothing && !l.spent:
		return "There is nothing to sum up: our materials hold nothing on " + l.topic() + ", so the motion stays open."
	}
	pro, contra := l.sideOf(l.act.sides.pro, true), l.sideOf(l.act.sides.contra, false)
	text := "Let me sum up the debate on " + l.topic() + "."
	text += "\n\n" + side("For the motion", l.act.sides.pro, pro)
	text += "\n\n" + side("Against the motion", l.act.sides.contra, contra)
	text += "\n\n" + l.settled(len(pro), len(contra))
	if l.act.leftOver != nil {
		text += "\n\n" + l.act.putIn() + " Nobody has taken that up yet."
	}
	if len(pro)+len(contra) == 0 {
		return text + "\n\nWhat would you look for to decide it?"
	}
	return text + "\n\nWhich passage convinced you most, and what would you answer it?"
}

// sideOf are the sentences that a side read out, as far as the materials hold
// them. Where the sides have no names, the words decide.
func (l *lesson) sideOf(name string, pro bool) []match {
	var out []match
	for _, r := range l.act.remarks {
		if r.own() || name != "" && r.name != name {
			continue
		}
		for _, m := range l.heard {
			known := name != "" || l.leaning(pro).weight(m) <= 0 == pro
			if m.kind == sentence || m.kind == point {
				if strings.Contains(r.key, m.key) && known && !slices.ContainsFunc(out, func(o match) bool { return o.key == m.key }) {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

func side(title, name string, ms []match) string {
	if name != "" {
		title += ", " + label(name)
	}
	if len(ms) == 0 {
		return "**" + title + "**, had no passage from our materials."
	}
	text := "**" + title + "**, read:\n"
	for _, m := range ms[:min(len(ms), 3)] {
		text += "\n- “" + plainEmphasis(m.lines[0]) + "” — " + m.from.source()
	}
	return text
}

// settled says what the passages decide: no more than what they say.
func (l *lesson) settled(pro, contra int) string {
	text := "What our materials decide: neither side alone. They have something for both, and it is for you to weigh it."
	switch {
	case pro == 0 && contra == 0:
		text = "What our materials decide: nothing on this motion."
	case contra == 0:
		text = "What our materials decide: they hold something for the motion and nothing was found against it. That settles no more than the passages say."
	case pro == 0:
		text = "What our materials decide: they hold something against the motion and nothing was found for it. That settles no more than the passages say."
	}
	for _, m := range l.heard {
		if s := l.leaning(false); !s.denies && s.denied(m) {
			return "What our materials decide: they call the motion a mistake, in the words that were read."
		}
	}
	for _, m := range slices.Concat(l.ranked, l.heard) {
		if m.cover >= atLeast && openCue.MatchString(m.lines[0]) && len(m.lines) == 1 && m.kind == sentence && !m.dangles() {
			return text + " What they leave open, they say themselves: “" + plainEmphasis(m.lines[0]) + "” — " + m.from.source()
		}
	}
	if len(l.missing) > 0 {
		return text + " What they leave open: they say nothing about " + inQuotes(l.missing[:min(3, len(l.missing))]) + "."
	}
	return text + " What they leave open: how much each point should count."
}
