package llm

import (
	"errors"
	"time"
)

// ErrCut says that an answer ended without a finish reason; what came before is real.
var ErrIncomplete = errors.New("the answer ended without a finish reason")

// A Fault says what kind of trouble a provider had.
type Fault string

// The faults. Overloaded and Unreachable may pass when tried again; the others will not.
const (
	Overloaded  Fault = "overloaded"  // 429, 5xx and the like
	Unreachable Fault = "unreachable" // refused, reset, timed out, cut off
	Credentials Fault = "credentials" // the key is missing or refused
	TooLong     Fault = "too_long"    // the request does not fit the model's context
	Refused     Fault = "refused"     // the provider would not answer this request
	BadAnswer   Fault = "bad_answer"  // the provider sent what nobody can read

	// ToolsRefused says that the model or its server takes no tools; the same
	// request without them may succeed.
	ToolsRefused Fault = "tools_refused"
)

// An Error is a provider's trouble. Message is for people: it names the
// provider and what to do, and holds no key and no Go error text.
type Error struct {
	Fault      Fault
	Status     int // HTTP status, 0 where there was none
	Message    string
	RetryAfter time.Duration // what the provider asked for, 0 where it asked nothing
	Err        error         // for operators; holds no key
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed when sent again.
func (e *Error) Retryable() bool { return e.Fault == Overloaded || e.Fault == Unreachable }
