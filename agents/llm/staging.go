package llm

// A Staging says in which mode a session is and what the speaker does in it. The
// zero Staging is question and answer.
type Staging struct {
	Mode      string    // qa, discussion, debate or lecture
	StageRole StageRole // "" is the speaker's usual role
	Round     int       // of Rounds, from 1; in a lecture the section; 0 if the mode counts none
	Rounds    int
	For       string // of a debate: the name of the agent that speaks for the motion
	Against   string // and of the one that speaks against it
}

// A StageRole is what a speaker does in a mode.
type StageRole string

// The stage roles. In a debate the moderator opens, both sides speak in each
// round, and the moderator sums up. In a lecture the teacher gives the sections of
// a topic, the last of which is a summary. A reply answers what a person said in
// between, in any mode.
const (
	StageModerator StageRole = "moderator"
	StageFor       StageRole = "for"
	StageAgainst   StageRole = "against"
	StageSummary   StageRole = "summary"
	StageLecture   StageRole = "lecture"
	StageReply     StageRole = "reply"
)
