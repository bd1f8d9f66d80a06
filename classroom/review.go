package classroom

// A ReviewNote is an event that the staff of a class should look at: a message of
// distress, or a run that failed.
type ReviewNote struct {
	Session string // its id
	Title   string // of the session
	Event   Event
	Author  string // of the message that a safety event is about
	Text    string // of that message
}
