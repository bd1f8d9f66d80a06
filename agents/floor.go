package agents

import (
	"slices"
	"sort"
	"strings"

	"colloquy/classroom"
)

// A floor is what the rules decide from: the log alone, never a clock or chance,
// so that a run that was cut off goes on as it would have.
type floor struct {
	mode   string
	rounds int  // how many the session has
	asked  bool // a person asked for that number
	roster []classroom.Agent
	cards  []*classroom.Card // the last is the exchange at work
}

// A choice is what happens to the floor: an agent gets it, or the run ends,
// which it does where agent is nobody.
type choice struct {
	agent  classroom.Agent
	part   string
	round  int
	by     string
	open   []classroom.Agent  // whom a director may choose instead; none where the rule stands
	ending bool               // a director may also end the run, or give the floor to the person
	cue    *classroom.CueUser // the run ends by giving the floor to the person
	closed string             // why the run ends before its rounds are over, for people
}

func (c choice) nobody() bool { return c.agent.ID == "" }

// next is the rule of the floor. Whoever a person named in an interjection comes
// first; then the order of the mode; and before the run ends or may end, a
// question of a person that no teacher has heard.
func (f floor) next() choice {
	if f.card().Cue != nil { // before the run was cut off, a tool gave the floor to the person
		return choice{}
	}
	if a, ok := calledUpon(f.roster, f.card()); ok {
		return choice{agent: a, part: f.reply(), round: f.round(), by: classroom.ByName}
	}
	c := f.byMode()
	if !c.nobody() && !c.ending {
		return c
	}
	if a, ok := f.unanswered(); ok {
		return choice{agent: a, part: classroom.StageReply, round: f.round(), by: classroom.ByQuestion}
	}
	return c
}

func (f floor) byMode() choice {
	if len(f.roster) < classroom.AgentsNeeded(f.mode) {
		return f.answer()
	}
	switch f.mode {
	case classroom.ModeDiscussion:
		return f.discuss()
	case classroom.ModeDebate:
		return f.debate()
	case classroom.ModeLecture:
		return f.lecture()
	}
	return f.answer()
}

func (f floor) card() *classroom.Card { return f.cards[len(f.cards)-1] }

// reply is the part of whoever answers an interjection: in question and answer
// that is everybody's usual part.
func (f floor) reply() string {
	if f.mode == classroom.ModeQA {
		return ""
	}
	return classroom.StageReply
}

// round is the newest round of the exchange, 0 before the first.
func (f floor) round() int {
	n := 0
	for _, w := range f.card().Windows {
		n = max(n, w.Round)
	}
	return n
}

// whole reports whether a window counts. One that was cut off in an earlier
// attempt does not.
func whole(card *classroom.Card, w *classroom.Window) bool {
	return w.StopReason == classroom.StopEnd || w.StopReason == classroom.StopToolUse || w.Attempt == card.Attempt
}

// had reports whether an agent had the floor in that part and round; an agent
// of "" is anybody.
func (f floor) had(agent, part string, round int) bool {
	card := f.card()
	return slices.ContainsFunc(card.Windows, func(w *classroom.Window) bool {
		return (agent == "" || w.Agent.ID == agent) && w.StageRole == part && w.Round == round && whole(card, w)
	})
}

// unanswered returns the teacher where a person asked something in a
// classmate's window and no teacher spoke since.
func (f floor) unanswered() (classroom.Agent, bool) {
	teachers := withRole(f.roster, classroom.Teacher)
	if len(teachers) == 0 {
		return classroom.Agent{}, false
	}
	open := false
	for _, w := range f.card().Windows {
		if w.Agent.Role == classroom.Teacher {
			open = false
			continue
		}
		for _, x := range w.Entries {
			if x.Steer != nil {
				open = asks(x.Steer.Text)
			}
		}
	}
	return teachers[0], open
}

// asks reports whether text holds a question mark of any script.
func asks(text string) bool {
	return strings.ContainsAny(text, "?？؟;՞፧⸮") && !onlySemicolon(text)
}

// onlySemicolon reports that the Greek question mark, which looks like a
// semicolon and often is typed as one, is all there is, in a text that is not Greek.
func onlySemicolon(text string) bool {
	return !strings.ContainsAny(text, "?？؟՞፧⸮") && !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x370 && r < 0x400 })
}

// withRole keeps the agents of one role, the highest priority first.
func withRole(roster []classroom.Agent, role classroom.Role) []classroom.Agent {
	var out []classroom.Agent
	for _, a := range roster {
		if a.Role == role {
			out = append(out, a)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Priority > out[j].Priority })
	return out
}

// without returns the agents that are not of that id.
func without(agents []classroom.Agent, id string) []classroom.Agent {
	return slices.DeleteFunc(slices.Clone(agents), func(a classroom.Agent) bool { return a.ID == id })
}
