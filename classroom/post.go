package classroom

import (
	"slices"
	"strings"
)

// A Post is what a person sends into a session.
type Post struct {
	Author   Author
	Text     string
	Delivery Delivery // empty: a prompt when idle, a steer when running
	ClientID string   // empty, or the sender's own name for this post: a repeat is the same post
	Option   string   // empty, or the id of the cue's option that Text is the label of
	Speakers string   // who answers, over the rules of the class: a Speak constant, or empty
}

// A Receipt says what became of a post. The message is in the log.
type Receipt struct {
	Exchange *int     `json:"exchange"` // nil while it waits
	Cursor   Cursor   `json:"cursor"`
	Delivery Delivery `json:"delivery"`
}

// Check returns what is wrong with p, or nil.
func (p Post) Check() error {
	switch {
	case strings.TrimSpace(p.Text) == "":
		return ErrEmptyText
	case len(p.Text) > MaxTextBytes:
		return ErrTextTooLong
	case p.Delivery != "" && p.Delivery != Prompt && p.Delivery != Steer && p.Delivery != FollowUp:
		return ErrBadDelivery
	case !ValidID(p.ClientID) && p.ClientID != "":
		return ErrBadClientID
	case !ValidID(p.Option) && p.Option != "":
		return ErrBadOption
	case p.Speakers != "" && !slices.Contains(Speakers(), p.Speakers):
		return ErrBadSpeakers
	}
	return nil
}

// ValidID reports whether id is 1 to 64 letters, digits, "_" or "-".
func ValidID(id string) bool {
	if len(id) == 0 || len(id) > 64 {
		return false
	}
	for _, r := range []byte(id) {
		ok := r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !ok {
			return false
		}
	}
	return true
}
