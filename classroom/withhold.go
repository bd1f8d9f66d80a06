package classroom

// A Withheld says that an agent was about to give away what the teacher withholds.
type Withheld struct {
	MessageID string `json:"message_id"`
	Action    string `json:"action"` // an Action constant
}

// What was done about it.
const (
	ActionAskedAgain = "asked_again" // the model was asked once more
	ActionReplaced   = "replaced"    // a fixed hint stands in its place
)

// EventType returns withheld.
func (Withheld) EventType() Type { return TypeWithheld }

func (f *Fold) withheld(e Event, p Withheld) {
	c := f.touch(e)
	if c == nil {
		return
	}
	c.Guarded, c.FootRev = c.Guarded+1, e.ID
	if p.Action == ActionReplaced {
		c.Replaced++
	}
}
