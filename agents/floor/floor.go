// Package floor decides which agent of a session speaks next.
//
// [Floor.Next] applies the rules of the session's mode to the fold of its log.
// There is a file for each mode: question and answer, discussion, debate and
// lecture. What a person says while the class talks (interjection.go) comes
// before the order of the mode.
//
// Where the rules leave a choice, a model may direct. Package agents asks it;
// [ReadReply] reads its reply.
//
// The package does no I/O, reads no clock and draws no chance. So a run that was
// interrupted continues as it would have without the interruption.
package floor

import (
	"slices"
	"sort"

	"colloquy/classroom"
)

// A Floor is the state from which the next speaker follows.
type Floor struct {
	Mode           string
	Rounds         int  // how many the session has
	RoundsAskedFor bool // a person chose that number
	Roster         []classroom.Agent
	Cards          []*classroom.Card // the last one is the exchange that runs
	Scripted       bool              // the speakers only read what the materials say
	Silent         []string          // ids of agents that answer a question only if it names them
}

// A Choice is the next speaker, or the end of the run where Agent is empty.
type Choice struct {
	Agent     classroom.Agent
	StageRole string // one of the Stage constants of package classroom; "" is the agent's usual role
	Round     int
	By        string // why this agent: one of the By constants of package classroom

	Candidates []classroom.Agent  // agents the director may choose instead; empty if the rule decides
	MayEnd     bool               // a director may also end the run or ask the person
	Cue        *classroom.CueUser // ends the run with a question to the person
	Closed     classroom.Params   // why the run ends before its last round: its round, and rounds; nil if it does not
}

// EndsRun reports whether the run ends.
func (c Choice) EndsRun() bool { return c.Agent.ID == "" }

// Next returns the next speaker by rule. An agent that a person named in an
// interjection comes first, then the order of the mode. Before the run ends or
// may end, a teacher answers a question that no teacher has heard.
func (f Floor) Next() Choice {
	if f.Card().Cue != nil { // a tool asked the person before the run was interrupted
		return Choice{}
	}
	if a, ok := f.namedInInterjection(); ok {
		return Choice{Agent: a, StageRole: f.replyRole(), Round: f.Round(), By: classroom.ByName}
	}
	c := f.nextByMode()
	if !c.EndsRun() && !c.MayEnd {
		return c
	}
	if a, ok := f.teacherWithOpenQuestion(); ok {
		return Choice{Agent: a, StageRole: classroom.StageReply, Round: f.Round(), By: classroom.ByQuestion}
	}
	return c
}

// rules say who speaks next in each mode; each has a file of its own.
var rules = map[string]func(Floor) Choice{
	classroom.ModeQA:         Floor.nextInAnswer,
	classroom.ModeDiscussion: Floor.nextInDiscussion,
	classroom.ModeDebate:     Floor.nextInDebate,
	classroom.ModeLecture:    Floor.nextInLecture,
}

func (f Floor) nextByMode() Choice {
	rule, ok := rules[f.Mode]
	if !ok || len(f.Roster) < classroom.ModeOf(f.Mode).Agents {
		return f.nextInAnswer()
	}
	return rule(f)
}

// Round returns the newest round of the running exchange, 0 before the first.
func (f Floor) Round() int {
	n := 0
	for _, w := range f.Card().Windows {
		n = max(n, w.Round)
	}
	return n
}

// Director returns the agent whose model directs: the first participant.
func (f Floor) Director() classroom.Agent { return f.participants()[0] }

// Card returns the exchange that runs.
func (f Floor) Card() *classroom.Card { return f.Cards[len(f.Cards)-1] }

// spoke reports whether an agent spoke in a stage role and round. An empty id
// stands for any agent.
func (f Floor) spoke(id, stageRole string, round int) bool {
	card := f.Card()
	return slices.ContainsFunc(card.Windows, func(w *classroom.Window) bool {
		return (id == "" || w.Agent.ID == id) && w.StageRole == stageRole && w.Round == round && hasSpoken(card, w)
	})
}

// hasSpoken reports whether a window counts as spoken. One that was interrupted in
// an earlier attempt does not.
func hasSpoken(card *classroom.Card, w *classroom.Window) bool {
	return w.StopReason == classroom.StopEnd || w.StopReason == classroom.StopToolUse || w.Attempt == card.Attempt
}

// reason says why the rule chose an agent: the question names it, or the order
// of the mode does.
func reason(named []classroom.Agent, a classroom.Agent) string {
	if contains(named, a.ID) {
		return classroom.ByName
	}
	return classroom.ByRule
}

// WithRole returns the agents of one role, the highest priority first.
func WithRole(agents []classroom.Agent, role classroom.Role) []classroom.Agent {
	var out []classroom.Agent
	for _, a := range agents {
		if a.Role == role {
			out = append(out, a)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Priority > out[j].Priority })
	return out
}

// namedFirst returns the agents that the question names, then all others, by
// role in that order and then by priority.
func (f Floor) namedFirst(roles ...classroom.Role) []classroom.Agent {
	order := f.namedInQuestion()
	for _, role := range roles {
		order = appendMissing(order, WithRole(f.Roster, role)...)
	}
	return order
}

// appendMissing appends those of more that list does not hold.
func appendMissing(list []classroom.Agent, more ...classroom.Agent) []classroom.Agent {
	for _, a := range more {
		if !contains(list, a.ID) {
			list = append(list, a)
		}
	}
	return list
}

// Find returns the agent of that id.
func Find(agents []classroom.Agent, id string) (classroom.Agent, bool) {
	i := slices.IndexFunc(agents, func(a classroom.Agent) bool { return a.ID == id })
	if i < 0 {
		return classroom.Agent{}, false
	}
	return agents[i], true
}

func contains(agents []classroom.Agent, id string) bool {
	_, ok := Find(agents, id)
	return ok
}

// without returns the agents that do not have one of those ids.
func without(agents []classroom.Agent, ids ...string) []classroom.Agent {
	return slices.DeleteFunc(slices.Clone(agents), func(a classroom.Agent) bool { return slices.Contains(ids, a.ID) })
}
