package classroom

// An Error is something a person can be told: a stable code for programs and
// one plain sentence that says what to do next. It never holds a key, a path
// or the text of another error.
type Error struct {
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// The closed list of what may go wrong between a person and a session.
var (
	ErrNotFound        = &Error{"not_found", "There is nothing at this address. It may have been removed; go back to your classes."}
	ErrSignIn          = &Error{"sign_in", "Please sign in again. What you typed is still here."}
	ErrForbidden       = &Error{"forbidden", "This belongs to somebody else. Ask the teacher of the class for access."}
	ErrCrossSite       = &Error{"cross_site", "This request came from another site and was refused. Reload the page and try again."}
	ErrEmptyText       = &Error{"empty_text", "Write a question first."}
	ErrTextTooLong     = &Error{"text_too_long", "This message is longer than 64 KB. Shorten it, or add the long part as a material."}
	ErrBadRequest      = &Error{"bad_request", "The server could not read this request. Check its fields and send it again."}
	ErrBadDelivery     = &Error{"bad_delivery", "delivery must be prompt, steer or follow_up."}
	ErrBadClientID     = &Error{"bad_client_id", "client_id must be at most 64 letters, digits, _ or -."}
	ErrBadCursor       = &Error{"bad_cursor", "after must be a whole number, 0 or more."}
	ErrBadLimit        = &Error{"bad_limit", "limit must be a whole number from 1 to 10000."}
	ErrBadFork         = &Error{"bad_fork", "at must be a whole number from 1 to the session's head, the last cursor of its log. Leave it out to copy the whole session."}
	ErrClientIDReused  = &Error{"client_id_reused", "This client_id was already used for another message. Send again with a new one."}
	ErrBarrier         = &Error{"barrier", "The answer was cut off in the middle of a step, so nothing new is taken until this agent ends. Your text is kept; send it again in a moment."}
	ErrNothingToResume = &Error{"nothing_to_resume", "There is nothing to continue. Ask a new question."}
	ErrQueueChanged    = &Error{"queue_changed", "The queue changed meanwhile. Look at it again and repeat your change."}
	ErrLeaseLost       = &Error{"lease_lost", "Another process took this session over. Reload the page."}
	ErrClosing         = &Error{"closing", "The server is shutting down. Try again in a moment."}
	ErrDuplicateName   = &Error{"duplicate_name", "A material of this name is already in the class. Rename one of them."}
	ErrFileTooLarge    = &Error{"file_too_large", "This file is larger than 2 MB. Split it, or paste the part you need."}
	ErrFileType        = &Error{"file_type", "Only Markdown and plain text can be added for now. Save it as .md or .txt and try again."}
	ErrFileEmpty       = &Error{"file_empty", "This file holds no text. Check it and try again."}
	ErrFileEncoding    = &Error{"file_encoding", "This file is not UTF-8 text. Save it as UTF-8 and try again."}
	ErrBadMode         = &Error{"bad_mode", "mode must be qa, discussion, debate or lecture."}
	ErrBadRounds       = &Error{"bad_rounds", "rounds must be a whole number from 1 to 20. Leave it out to let the class decide."}
	ErrFewAgents       = &Error{"few_agents", "A discussion needs two agents at least, and a debate three: two sides and a moderator. Add agents, or choose another mode."}
	ErrBadTitle        = &Error{"bad_title", "A title has 1 to 200 characters."}
	ErrBadRoster       = &Error{"bad_roster", "A roster needs 1 to 12 agents, each with the role teacher, assistant or student, with a name other than User and End, and with an id of its own."}
	ErrInternal        = &Error{"internal", "Something went wrong on our side. Try again; if it stays, look at the server's log."}
)
