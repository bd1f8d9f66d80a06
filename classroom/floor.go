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
