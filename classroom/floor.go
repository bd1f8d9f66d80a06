package classroom

// The parts that an agent may have in a session's mode.
const (
	StageModerator = "moderator" // opens a debate
	StageFor       = "for"       // speaks for the motion
	StageAgainst   = "against"
	StageSummary   = "summary" // closes a debate or a lecture
	StageLecture   = "lecture"
	StageReply     = "reply" // answers what a person put in between
)

// Who gave an agent the floor.
const (
	ByRule     = "rule"     // the order of the mode
	ByName     = "named"    // a person named the agent
	ByDirector = "director" // the model that directs
	ByQuestion = "question" // a person's question was still open
)

// MaxRounds bounds what a person may ask for.
const MaxRounds = 20

// RoundsOf is how many rounds a session has in which a person asked for asked
// rounds, or for none in particular (0); of a lecture, how many parts.
func RoundsOf(mode string, asked int) int {
	if asked > 0 {
		return min(asked, MaxRounds)
	}
	switch mode {
	case ModeDiscussion:
		return 3
	case ModeDebate:
		return 2
	case ModeLecture:
		return 4
	}
	return 0
}

// AgentsNeeded is how many agents a mode needs at least.
func AgentsNeeded(mode string) int {
	switch mode {
	case ModeDiscussion:
		return 2
	case ModeDebate:
		return 3
	}
	return 1
}
