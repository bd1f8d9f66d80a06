package classroom

import "colloquy/classroom/provider"

// An Error is something a person can be told: a stable code for programs and the
// status of an HTTP answer. Its sentence is made by templates/locale when it is shown,
// in the reader's language. It never holds a key, a path or the text of another error.
type Error struct {
	Code    string
	Status  int               // 0 means 422: the request was understood and cannot be carried out
	Text    string            // the key of the sentence; empty means "error." and the code
	Params  map[string]string // what the sentence needs
	Message string            // the sentence, where it was already made for its reader
}

// Error returns the code: a sentence in some language is not for a log.
func (e *Error) Error() string { return e.Code }

// Key returns the key of the sentence.
func (e *Error) Key() string {
	if e.Text == "" {
		return "error." + e.Code
	}
	return e.Text
}

// HTTPStatus returns the status of an answer that tells a client of e.
func (e *Error) HTTPStatus() int {
	if e.Status == 0 {
		return 422
	}
	return e.Status
}

// Requests, sign-in and rights.
var (
	ErrNotFound     = &Error{Code: "not_found", Status: 404}
	ErrSignIn       = &Error{Code: "sign_in", Status: 401}
	ErrCrossSite    = &Error{Code: "cross_site", Status: 403}
	ErrLinkEnded    = &Error{Code: "link_ended", Status: 404}
	ErrLinkRight    = &Error{Code: "bad_right", Status: 422}
	ErrLinkValidity = &Error{Code: "bad_validity", Status: 422}
	ErrHasAccount   = &Error{Code: "has_account", Status: 409}
	ErrManyLinks    = &Error{Code: "many_links", Status: 409}
	ErrUsedLink     = &Error{Code: "used_link", Status: 403}
	ErrNoOwner      = &Error{Code: "no_owner", Status: 409}
	ErrOwnerExists  = &Error{Code: "owner_exists", Status: 422}
	ErrPersonName   = &Error{Code: "bad_name", Status: 422}
	ErrNameTaken    = &Error{Code: "name_taken", Status: 409}
	ErrMethod       = &Error{Code: "method", Status: 405}
	ErrBadRequest   = &Error{Code: "bad_request", Status: 400}
	ErrTooLarge     = &Error{Code: "too_large", Status: 413}
	ErrClosing      = &Error{Code: "closing", Status: 503}
	ErrInternal     = &Error{Code: "internal", Status: 500}
)

// Messages, runs and queues of a session.
var (
	ErrEmptyText       = &Error{Code: "empty_text", Status: 422}
	ErrTextTooLong     = &Error{Code: "text_too_long", Status: 413}
	ErrBadDelivery     = &Error{Code: "bad_delivery", Status: 422}
	ErrBadClientID     = &Error{Code: "bad_client_id", Status: 422}
	ErrBadOption       = &Error{Code: "bad_option", Status: 422}
	ErrClientIDReused  = &Error{Code: "client_id_reused", Status: 422}
	ErrBarrier         = &Error{Code: "barrier", Status: 409}
	ErrNothingToResume = &Error{Code: "nothing_to_resume", Status: 409}
	ErrQueueChanged    = &Error{Code: "queue_changed", Status: 409}
	ErrLeaseLost       = &Error{Code: "lease_lost", Status: 409}
	ErrBadCursor       = &Error{Code: "bad_cursor", Status: 400}
	ErrBadLimit        = &Error{Code: "bad_limit", Status: 400}
	ErrBadFork         = &Error{Code: "bad_fork", Status: 422}
)

// Classes, their rules, agents and modes.
var (
	ErrBadTitle      = &Error{Code: "bad_title", Status: 422}
	ErrBadMode       = &Error{Code: "bad_mode", Status: 422, Params: map[string]string{"modes": modeIDs()}}
	ErrBadRounds     = &Error{Code: "bad_rounds", Status: 422}
	ErrFewAgents     = &Error{Code: "few_agents", Status: 422}
	ErrBadRoster     = &Error{Code: "bad_roster", Status: 422}
	ErrAgentName     = &Error{Code: "bad_roster", Status: 422, Text: "error.agent_name"}
	ErrAgentPersona  = &Error{Code: "bad_roster", Status: 422, Text: "error.agent_persona"}
	ErrAgentLook     = &Error{Code: "bad_roster", Status: 422, Text: "error.agent_look"}
	ErrAgentTools    = &Error{Code: "bad_roster", Status: 422, Text: "error.agent_tools"}
	ErrAim           = &Error{Code: "bad_rules", Status: 422}
	ErrWithheld      = &Error{Code: "bad_rules", Status: 422, Text: "error.withheld"}
	ErrNothingToLift = &Error{Code: "nothing_to_lift", Status: 409}
	ErrRuleLine      = &Error{Code: "bad_rules", Status: 422, Text: "error.rule_line"}
	ErrBadSpeakers   = &Error{Code: "bad_speakers", Status: 422}
	ErrManner        = &Error{Code: "bad_rules", Status: 422, Text: "error.manner"}
)

// Materials.
var (
	ErrDuplicateName = &Error{Code: "duplicate_name", Status: 409}
	ErrFileTooLarge  = &Error{Code: "file_too_large", Status: 413}
	ErrFilesTooLarge = &Error{Code: "file_too_large", Status: 413, Text: "error.files_too_large"}
	ErrTooManyFiles  = &Error{Code: "too_many_files", Status: 422}
	ErrFileType      = &Error{Code: "file_type", Status: 415}
	ErrFileEmpty     = &Error{Code: "file_empty", Status: 422}
	ErrFileEncoding  = &Error{Code: "file_encoding", Status: 422}
	ErrEmptyPaste    = &Error{Code: "empty_text", Status: 422, Text: "error.empty_paste"}
)

// Connected models, in words for the person who connects one.
var (
	ErrModelAddress = &Error{Code: "model_address", Status: 422,
		Params: map[string]string{"address": provider.OpenAI.DefaultURL}}
	ErrModelScheme = &Error{Code: "model_scheme", Status: 422,
		Params: map[string]string{"address": provider.OpenAI.DefaultURL}}
	ErrModelPrivate  = &Error{Code: "model_private", Status: 422}
	ErrModelPlain    = &Error{Code: "model_plain", Status: 422}
	ErrModelProvider = &Error{Code: "model_provider", Status: 422,
		Params: map[string]string{"providers": provider.IDs()}}
	ErrModelName     = &Error{Code: "model_name", Status: 422}
	ErrModelKey      = &Error{Code: "model_key", Status: 422}
	ErrModelKeyLost  = &Error{Code: "model_key_lost", Status: 422}
	ErrModelThinking = &Error{Code: "model_thinking", Status: 422}
	ErrModelPrice    = &Error{Code: "model_price", Status: 422}
	ErrModelLimit    = &Error{Code: "model_limit", Status: 422}
	ErrModelCurrency = &Error{Code: "model_currency", Status: 422}
	ErrModelUnknown  = &Error{Code: "model_unknown", Status: 422}
	ErrModelUnnamed  = &Error{Code: "model_unnamed", Status: 422}
)

// ModelNumberError says in message which fields of a model's form hold no valid number.
func ModelNumberError(message string) *Error {
	return &Error{Code: "model_number", Status: 422, Message: message}
}

// ModelServerError is the error of a server of models that somebody connects. Its code and
// its problem are those of package agents/llm, and package agents makes it of them.
func ModelServerError(code, problem string, params Params) *Error {
	return &Error{Code: code, Status: 422, Text: "model_error." + problem, Params: params}
}

// ModelAnswerError is the error of an answer that failed as end says, outside any run.
func ModelAnswerError(end RunEnd) *Error {
	return &Error{Code: end.Code, Status: 502, Text: end.Key(), Params: end.Params}
}
