package classroom

// A Queue holds the messages that wait.
type Queue struct {
	Steer    []Queued
	FollowUp []Queued
	Dropped  []Queued // by the last barrier, offered for sending again until the next question
	Reason   string
}

// Len counts the waiting messages.
func (q Queue) Len() int { return len(q.Steer) + len(q.FollowUp) }

// Queued is a message that waits in a queue.
type Queued struct {
	Cursor Cursor `json:"cursor"` // of the user_message
	Text   string `json:"text"`   // the message, or its edited form

	StaffOnly string `json:"staff_only,omitempty"` // why only the staff may read it: a Redacted constant
}

// QueueUpdate is the whole state of both queues after a change.
type QueueUpdate struct {
	Steer     []Queued `json:"steer"`
	FollowUp  []Queued `json:"follow_up"`
	Delivered []Cursor `json:"delivered,omitempty"`
	Dropped   []Cursor `json:"dropped,omitempty"`
	Reason    string   `json:"reason,omitempty"`
}
