package classroom

import "colloquy/classroom/provider"

// An Error is something a person can be told: a stable code for programs, and
// one plain sentence that says what to do next. It never holds a key, a path
// or the text of another error.
type Error struct {
	Code    string
	Status  int // of an HTTP answer; 0 means 422, the request was understood and cannot be carried out
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// HTTPStatus returns the status of an answer that tells a client of e.
func (e *Error) HTTPStatus() int {
	if e.Status == 0 {
		return 422
	}
	return e.Status
}

// Requests, sign-in and rights.
var (
	ErrNotFound = &Error{"not_found", 404,
		"There is nothing at this address. It may have been removed; go back to your classes."}
	ErrSignIn = &Error{"sign_in", 401,
		"Please sign in again. What you typed is still here."}
	ErrForbidden = &Error{"forbidden", 403,
		"This belongs to somebody else. Ask the teacher of the class for access."}
	ErrCrossSite = &Error{"cross_site", 403,
		"This request came from another site and was refused. Reload the page and try again."}
	ErrUsedLink = &Error{"used_link", 403,
		"A sign-in link works once, and a newer one replaces it. Look for the newest link where Colloquy " +
			"was started, or start it again with --link."}
	ErrNoOwner = &Error{"no_owner", 409,
		"This workbench has no owner yet. Open its sign-in link first."}
	ErrOwnerExists = &Error{"owner_exists", 0,
		"This workbench already has an owner. Sign in with your own account, or ask the owner for one."}
	ErrPersonName = &Error{"bad_name", 0,
		"A name has 1 to 60 characters, of which at least one can be seen."}
	ErrNameTaken = &Error{"name_taken", 409,
		"Somebody of this name can already sign in. Choose another name."}
	ErrMethod = &Error{"method", 405,
		"This address does not accept this kind of request. Its Allow header names those it accepts."}
	ErrBadRequest = &Error{"bad_request", 400,
		"The server could not read this request. Check its fields and send it again."}
	ErrTooLarge = &Error{"too_large", 413,
		"This request is larger than the server takes. Shorten what it holds, and send it again."}
	ErrClosing = &Error{"closing", 503,
		"The server is shutting down. Try again in a moment."}
	ErrInternal = &Error{"internal", 500,
		"Something went wrong on our side. Try again; if it stays, look at the server's log."}
)

// Messages, runs and queues of a session.
var (
	ErrEmptyText = &Error{"empty_text", 0,
		"Write a question first."}
	ErrTextTooLong = &Error{"text_too_long", 413,
		"This message is longer than 64 KB. Shorten it, or add the long part as a material."}
	ErrBadDelivery = &Error{"bad_delivery", 0,
		"delivery must be prompt, steer or follow_up."}
	ErrBadClientID = &Error{"bad_client_id", 0,
		"client_id must be at most 64 letters, digits, _ or -."}
	ErrClientIDReused = &Error{"client_id_reused", 0,
		"This client_id was already used for another message. Send again with a new one."}
	ErrBarrier = &Error{"barrier", 409,
		"The answer was cut off in the middle of a step, so new messages are refused until " +
			"this agent has finished. Your text is kept; send it again in a moment."}
	ErrNothingToResume = &Error{"nothing_to_resume", 409,
		"There is nothing to continue. Ask a new question."}
	ErrQueueChanged = &Error{"queue_changed", 409,
		"The queue changed meanwhile. Look at it again and repeat your change."}
	ErrLeaseLost = &Error{"lease_lost", 409,
		"Another process took this session over. Reload the page."}
	ErrBadCursor = &Error{"bad_cursor", 400,
		"after must be a whole number, 0 or more."}
	ErrBadLimit = &Error{"bad_limit", 400,
		"limit must be a whole number from 1 to 10000."}
	ErrBadFork = &Error{"bad_fork", 0,
		"at must be a whole number from 1 to the session's head, the last cursor of its log. " +
			"Leave it out to copy the whole session."}
)

// Classes, their rules, agents and modes.
var (
	ErrBadTitle = &Error{"bad_title", 0,
		"A title has 1 to 200 characters."}
	ErrBadMode = &Error{"bad_mode", 0,
		"mode must be qa, discussion, debate or lecture."}
	ErrBadRounds = &Error{"bad_rounds", 0,
		"rounds must be a whole number from 1 to 20. Leave it out to let the class decide."}
	ErrFewAgents = &Error{"few_agents", 0,
		"A discussion needs two agents at least, and a debate three: two sides and a moderator. " +
			"Add agents, or choose another mode."}
	ErrBadRoster = &Error{"bad_roster", 0,
		"A roster needs 1 to 12 agents, each with the role teacher, assistant or student, with a name other than " +
			"User and End, and with an id of its own."}
	ErrAgentName = &Error{"bad_roster", 0,
		"The name of an agent has at most 60 characters. Choose a shorter one."}
	ErrAgentPersona = &Error{"bad_roster", 0,
		"The persona of an agent has at most 4000 characters. Shorten it."}
	ErrAgentLook = &Error{"bad_roster", 0,
		"An agent's color and avatar are at most 32 lower-case letters, digits or - each. " +
			"Leave them out to have them chosen."}
	ErrAgentTools = &Error{"bad_roster", 0,
		"An agent's tools are at most 32 names of at most 64 characters each. Leave them out to allow all."}
	ErrAim = &Error{"bad_rules", 0,
		"The aim (rules.aim) has at most 4000 characters. Shorten it, or add the long part as a material."}
	ErrWithheld = &Error{"bad_rules", 0,
		"What is not given away (rules.withheld) has at most 4000 characters. Shorten it."}
	ErrManner = &Error{"bad_rules", 0,
		"The manner (rules.stance) must be explain, hints or socratic."}
)

// Materials.
var (
	ErrDuplicateName = &Error{"duplicate_name", 409,
		"A material of this name is already in the class. Rename one of them."}
	ErrFileTooLarge = &Error{"file_too_large", 413,
		"This file is larger than 2 MB. Split it, or paste the part you need."}
	ErrFilesTooLarge = &Error{"file_too_large", 413,
		"Together these files are larger than 64 MB, and not all were added. Look which ones are there, " +
			"and add the others in smaller parts."}
	ErrTooManyFiles = &Error{"too_many_files", 0,
		"Only 50 files at a time can be added, and this one was left out. Add it again by itself."}
	ErrFileType = &Error{"file_type", 415,
		"Only Markdown and plain text can be added for now. Save it as .md or .txt and try again."}
	ErrFileEmpty = &Error{"file_empty", 0,
		"This file holds no text. Check it and try again."}
	ErrFileEncoding = &Error{"file_encoding", 0,
		"This file is not UTF-8 text. Save it as UTF-8 and try again."}
	ErrEmptyPaste = &Error{"empty_text", 0,
		"Paste a text first, and give it a name."}
)

// Connected models, in words for the person who connects one.
var (
	ErrModelAddress = &Error{"model_address", 0,
		"The address must begin with https:// or http:// and name a host, such as " +
			provider.OpenAI.DefaultURL + "."}
	ErrModelPrivate = &Error{"model_private", 0,
		"This address is on this machine or in a private network. Tick the box that allows it, " +
			"if you trust what answers there."}
	ErrModelPlain = &Error{"model_plain", 0,
		"An address on the internet must begin with https://, or others could read the key and the questions " +
			"on their way."}
	ErrModelProvider = &Error{"model_provider", 0,
		"The protocol must be " + provider.Either(func(p provider.Provider) string { return p.ID }) + "."}
	ErrModelName = &Error{"model_name", 0,
		"Choose a model, or type its name as its provider writes it."}
	ErrModelKey = &Error{"model_key", 0,
		"A key has at most 4096 letters, digits and signs, and no spaces inside. Copy it again, whole."}
	ErrModelKeyLost = &Error{"model_key_lost", 0,
		"The key of this model cannot be read any more: the key file of the data folder is missing or another one. " +
			"Enter the key again in the settings."}
	ErrModelThinking = &Error{"model_thinking", 0,
		"Thinking must be left empty, or be off, low, medium or high."}
	ErrModelPrice = &Error{"model_price", 0,
		"A price is a number such as 2.50, from 0 to 100000, for a million tokens."}
	ErrModelLimit = &Error{"model_limit", 0,
		"A number of tokens is a whole number from 0 to 100000000; 0 leaves it open."}
	ErrModelCurrency = &Error{"model_currency", 0,
		"A currency has at most 8 letters or signs, such as EUR or $."}
	ErrModelUnknown = &Error{"model_unknown", 0,
		"This model is not connected. Choose one of those in the list."}
	ErrModelUnnamed = &Error{"model_unnamed", 0,
		"This connection has no model yet. Choose one on its page first."}
)

// ModelNumberError says in message which fields of a model's form hold no valid number.
func ModelNumberError(message string) *Error { return &Error{"model_number", 0, message} }
