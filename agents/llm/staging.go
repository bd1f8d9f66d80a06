package llm

// A Scene is the part that a speaker has in a session's mode. The zero Scene is
// question and answer.
type Staging struct {
	Mode      string    // qa, discussion, debate or lecture
	StageRole StageRole // "" is the speaker's usual role
	Round     int       // of Rounds, from 1; of a lecture, which of its parts; 0 where nothing is counted
	Rounds    int
}

// A Part is what a speaker does in a scene.
type StageRole string

// The parts. In a debate the moderator opens, both sides speak in each round,
// and the moderator sums up. In a lecture the teacher speaks through a topic and
// sums it up in its last part. Reply answers what a person put in between, in
// any mode.
const (
	StageModerator StageRole = "moderator"
	StageFor       StageRole = "for"
	StageAgainst   StageRole = "against"
	StageSummary   StageRole = "summary"
	StageLecture   StageRole = "lecture"
	StageReply     StageRole = "reply"
)
