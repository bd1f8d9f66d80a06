package wire

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"

	"colloquy/agents/llm"
)

// maxRefusal bounds what is read of the body of a refusal.
const maxErrorBody = 64 << 10

// A Provider is who answers, as its errors speak of it.
type Provider struct {
	Name  string // fits in the middle of a sentence
	Key   string // kept out of every error
	Model string
	Hint  string // what to look at when the answer cannot be read, as a sentence
}

// refusal returns what is wrong with an answer that is no stream, or nil.
func (p *Provider) checkResponse(res *http.Response) error {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode/100 == 2 && kind != "text/html" {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody)) // half a reason is a reason
	if res.StatusCode/100 == 2 {
		return p.Unreadable(fmt.Errorf("status %d with %s", res.StatusCode, kind))
	}
	c := parseAPIError(body)
	c.status, c.retryAfter = res.StatusCode, retryAfter(res.Header)
	return p.explainAPIError(c)
}

// trouble explains an error that the SDK ended with. The provider had begun to
// answer if answered.
func (p *Provider) explain(err error, answered bool) error {
	var known *llm.Error
	var inside *eventError
	var broken *bodyError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &inside):
		return p.explainAPIError(parseAPIError(inside.data))
	case errors.As(err, &broken):
		return p.Incomplete(broken)
	case errors.Is(err, errTooLarge):
		return &llm.Error{Fault: llm.BadAnswer, Message: capitalise(p.Name) + " sent an answer that is too large to read. Ask for something shorter, or choose another model.", Err: err}
	case errors.Is(err, errIdle) && answered:
		return p.Incomplete(err)
	case answered:
		return p.Unreadable(err)
	case errors.Is(err, errPrivate):
		return &llm.Error{Fault: llm.Refused, Message: capitalise(p.Name) + " is on this machine or its network, where this class's model may not be. Choose another address.", Err: errPrivate}
	}
	return p.unreachable(err)
}

// Cut says that the answer broke off; cause, which may be nil, is for operators.
func (p *Provider) Incomplete(cause error) error {
	err := llm.ErrIncomplete
	if cause != nil {
		err = fmt.Errorf("%w (%w)", llm.ErrIncomplete, cause)
	}
	return &llm.Error{Fault: llm.Unreachable, Message: capitalise(p.Name) + " stopped in the middle of the answer. What came is kept; try again.", Err: err}
}

// Unreadable says that the answer makes no sense.
func (p *Provider) Unreadable(cause error) error {
	return &llm.Error{Fault: llm.BadAnswer, Message: capitalise(p.Name) + " sent an answer that cannot be read. " + p.Hint, Err: p.redactError(cause)}
}

// Declined says that the provider would not go on; text is its reason.
func (p *Provider) Declined(text string) error {
	return p.explainAPIError(apiError{codes: "content_filter", message: text})
}

// Failed says that the provider had trouble of its own.
func (p *Provider) Failed(text string) error {
	return p.explainAPIError(apiError{codes: "server_error", message: text})
}

// TooLong says that the answer did not fit.
func (p *Provider) TooLong(text string) error {
	return p.explainAPIError(apiError{codes: "context_length_exceeded", message: text})
}

// unreachable explains why no answer began.
func (p *Provider) unreachable(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // its text would say the whole address
	}
	what := " cannot be reached. Check that it is running and that its address is right, then try again."
	var timeout net.Error
	if errors.Is(err, errIdle) || errors.As(err, &timeout) && timeout.Timeout() {
		what = " did not answer in time. It may be busy, or still loading the model; try again in a minute."
	}
	return &llm.Error{Fault: llm.Unreachable, Message: capitalise(p.Name) + what, Err: p.redactError(err)}
}

func capitalise(s string) string {
	if strings.HasPrefix(s, "the ") {
		return "T" + s[1:]
	}
	return s
}
