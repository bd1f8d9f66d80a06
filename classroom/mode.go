package classroom

import "strings"

// The ids of the modes.
const (
	ModeQA         = "qa"
	ModeDiscussion = "discussion"
	ModeDebate     = "debate"
	ModeLecture    = "lecture"
)

// MaxRounds is the most rounds that a person may ask for.
const MaxRounds = 20

// A Mode is a kind of session. Its rule of who speaks is in agents/floor, what models
// are told of it in agents/prompts, and its words in templates/locale below mode.
type Mode struct {
	ID     string
	Agents int  // the smallest roster
	Rounds int  // the usual number; 0 means that it has no rounds
	Parts  bool // a round is a part of a lecture
	Sides  bool // agents speak for and against the question

	windows func(rounds, agents int) int // nil means that the usual limit holds
}

// The modes, in the order in which forms offer them. The first is the default.
var modes = []Mode{
	{ID: ModeQA, Agents: 1},
	{ID: ModeDiscussion, Agents: 2, Rounds: 3, windows: func(rounds, agents int) int { return rounds * agents }},
	{ID: ModeDebate, Agents: 3, Rounds: 2, Sides: true, windows: func(rounds, _ int) int { return 2*rounds + 2 }},
	{ID: ModeLecture, Agents: 1, Rounds: 4, Parts: true},
}

// Modes returns the modes in the order in which forms offer them.
func Modes() []Mode { return append([]Mode(nil), modes...) }

// FindMode returns the mode with an id.
func FindMode(id string) (Mode, bool) {
	for _, m := range modes {
		if m.ID == id {
			return m, true
		}
	}
	return Mode{}, false
}

// ModeOf returns the mode with an id, or the default one for an empty id and for a mode
// of a later version.
func ModeOf(id string) Mode {
	if m, ok := FindMode(id); ok {
		return m
	}
	return modes[0]
}

// RoundsOf returns the number of rounds of a session in the mode. asked is the number
// that a person asked for; 0 means the usual one.
func (m Mode) RoundsOf(asked int) int {
	if asked > 0 {
		return min(asked, MaxRounds)
	}
	return m.Rounds
}

// Windows returns how many windows an exchange of so many rounds and agents needs, or 0
// where the usual limit is enough.
func (m Mode) Windows(rounds, agents int) int {
	if m.windows == nil {
		return 0
	}
	return m.windows(rounds, agents)
}

// modeIDs lists the ids for a sentence.
func modeIDs() string {
	var ids []string
	for _, m := range modes {
		ids = append(ids, m.ID)
	}
	return strings.Join(ids, ", ")
}
