package llm

import (
	"errors"
	"time"
)

// ErrIncomplete reports that an answer ended without a finish reason. The events before it are valid.
var ErrIncomplete = errors.New("the answer ended without a finish reason")

// A Fault classifies an error of a provider.
type Fault string

// The faults. A request that failed with Overloaded or Unreachable may succeed later; the others will not.
const (
	Overloaded  Fault = "overloaded"  // status 429, 5xx and similar
	Unreachable Fault = "unreachable" // connection refused, reset, timed out or closed early
	Credentials Fault = "credentials" // the key is missing or rejected
	TooLong     Fault = "too_long"    // the request exceeds the model's context
	Refused     Fault = "refused"     // the provider rejected this request
	BadAnswer   Fault = "bad_answer"  // the answer cannot be parsed

	// ToolsRefused means that the model or its server does not support tools. The
	// same request without tools may succeed.
	ToolsRefused Fault = "tools_refused"
)

// An Error is an error of a provider. Message is for whoever runs the server: it names
// the provider and its address, says what to do, and contains no key and no Go error
// text. What the class reads is made from Problem.
type Error struct {
	Fault      Fault
	Problem    string // a code finer than Fault, such as no_credit: a key of templates/locale below model_error
	Status     int    // HTTP status, 0 if there was none
	Message    string
	RetryAfter time.Duration // as the provider asked, 0 if it did not
	Err        error         // for operators; contains no key
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed when it is sent again.
func (e *Error) Retryable() bool { return e.Fault == Overloaded || e.Fault == Unreachable }
