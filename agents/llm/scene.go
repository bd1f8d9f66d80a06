package llm

// A Scene is the part that a speaker has in a session's mode. The zero Scene is
// question and answer.
type Scene struct {
	Mode   string // qa, discussion, debate or lecture
	Part   Part   // "" is the speaker's usual role
	Round  int    // of Rounds, from 1; of a lecture, which of its parts; 0 where nothing is counted
	Rounds int
}

// A Part is what a speaker does in a scene.
type Part string

// The parts. In a debate the moderator opens, both sides speak in each round,
// and the moderator sums up. In a lecture the teacher speaks through a topic and
// sums it up in its last part. Reply answers what a person put in between, in
// any mode.
const (
	Moderates Part = "moderator"
	For       Part = "for"
	Against   Part = "against"
	SumsUp    Part = "summary"
	Lectures  Part = "lecture"
	Replies   Part = "reply"
)
