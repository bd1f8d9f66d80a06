package classroom

// The stage roles that an agent may have in a session's mode.
const (
	StageModerator = "moderator" // opens a debate
	StageFor       = "for"       // speaks for the motion
	StageAgainst   = "against"
	StageSummary   = "summary" // closes a debate or a lecture
	StageLecture   = "lecture"
	StageReply     = "reply" // answers a person who asked in between
)

// Who gave an agent the floor.
const (
	ByRule     = "rule"     // the order of the mode
	ByName     = "named"    // a person named the agent
	ByDirector = "director" // the model that directs
	ByQuestion = "question" // a person's question was still open
)

// MaxRounds is the most rounds that a person may ask for.
const MaxRounds = 20

// RoundsOf returns the number of rounds of a session, or of a lecture's parts.
// asked is the number that a person asked for; 0 means the mode's default.
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

// AgentsNeeded returns the smallest roster for a mode.
func AgentsNeeded(mode string) int {
	switch mode {
	case ModeDiscussion:
		return 2
	case ModeDebate:
		return 3
	}
	return 1
}
