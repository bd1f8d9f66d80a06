package classroom

// A Hint says how much of an answer the pupil gets in an exchange: on which rung of the
// ladder of hints the question stands. It comes after run_start.
type Hint struct {
	Question Cursor `json:"question"` // of the user_message that opened the ladder
	Rung     int    `json:"rung"`     // from 1
	Of       int    `json:"of"`
	Tries    int    `json:"tries"`             // of the pupil, on this ladder
	Reason   string `json:"reason"`            // open, try, stuck or press
	Section  string `json:"section,omitempty"` // where the answer stands
}

// EventType returns hint.
func (Hint) EventType() Type { return TypeHint }

// A Lift gives what was held back free: the whole answer to a question.
type Lift struct {
	Question Cursor    `json:"question,omitempty"` // of the user_message; 0: the last one
	Text     string    `json:"text"`
	Sources  []Passage `json:"sources,omitempty"`
	By       string    `json:"by"`
}

// EventType returns lift.
func (Lift) EventType() Type { return TypeLift }

func (f *Fold) hint(e Event, p Hint) {
	if c := f.touch(e); c != nil {
		c.Hint, c.FootRev = &p, e.ID
	}
}

func (f *Fold) lift(e Event, p Lift) {
	if c := f.touch(e); c != nil {
		c.Lift, c.FootRev = &p, e.ID
	}
}
