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

// maxErrorBody limits the bytes that are read of the body of an error response.
const maxErrorBody = 64 << 10

// A Provider is the server that answers, as the error messages describe it.
type Provider struct {
	Name  string // as written in the middle of a sentence
	Key   string // never part of an error
	Model string
	Hint  string // a sentence for users, for an answer that cannot be parsed
}

// checkResponse returns the error that a response reports, or nil if it is an answer.
func (p *Provider) checkResponse(res *http.Response) error {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode/100 == 2 && kind != "text/html" {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody)) // a part of the reason is enough
	if res.StatusCode/100 == 2 {
		return p.Unreadable(fmt.Errorf("status %d with %s", res.StatusCode, kind))
	}
	c := parseAPIError(body)
	c.status, c.retryAfter = res.StatusCode, retryAfter(res.Header)
	return p.explainAPIError(c)
}

// explain returns err as an error for users. answered reports whether the provider
// had begun to answer.
func (p *Provider) explain(err error, answered bool) error {
	var known *llm.Error
	var event *eventError
	var broken *bodyError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &event):
		return p.explainAPIError(parseAPIError(event.data))
	case errors.As(err, &broken):
		return p.Incomplete(broken)
	case errors.Is(err, errTooLarge):
		return p.newError(llm.BadAnswer, "too_large", " sent an answer that is too large to read. "+
			"Ask for something shorter, or choose another model.", err)
	case errors.Is(err, errIdle) && answered:
		return p.Incomplete(err)
	case answered:
		return p.Unreadable(err)
	case errors.Is(err, errPrivate):
		return p.newError(llm.Refused, "private", " is on this machine or its network, "+
			"where this class's model may not be. Choose another address.", errPrivate)
	}
	return p.unreachable(err)
}

// newError returns an error for users. The message is predicate after the
// provider's name.
func (p *Provider) newError(f llm.Fault, problem, predicate string, err error) *llm.Error {
	return &llm.Error{Fault: f, Problem: problem, Message: capitalise(p.Name) + predicate, Err: err}
}

// Incomplete returns the error of an answer that ended early. cause, which may be
// nil, is for operators.
func (p *Provider) Incomplete(cause error) error {
	err := llm.ErrIncomplete
	if cause != nil {
		err = fmt.Errorf("%w (%w)", llm.ErrIncomplete, cause)
	}
	return p.newError(llm.Unreachable, "incomplete",
		" stopped in the middle of the answer. What came is kept; try again.", err)
}

// Unreadable returns the error of an answer that cannot be parsed.
func (p *Provider) Unreadable(cause error) error {
	return p.newError(llm.BadAnswer, "unreadable", " sent an answer that cannot be read. "+p.Hint, p.redactError(cause))
}

// Reported returns the error of an answer that ended for a reason which is no finish.
// code classifies it as the code of an error would; text is the reason.
func (p *Provider) Reported(code, text string) error {
	return p.explainAPIError(apiError{codes: code, message: text})
}

// unreachable returns the error of a request that got no answer.
func (p *Provider) unreachable(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // the text of u contains the whole address
	}
	problem, predicate := "unreachable",
		" cannot be reached. Check that it is running and that its address is right, then try again."
	var timeout net.Error
	if errors.Is(err, errIdle) || errors.As(err, &timeout) && timeout.Timeout() {
		problem, predicate = "timeout",
			" did not answer in time. It may be busy, or still loading the model; try again in a minute."
	}
	return p.newError(llm.Unreachable, problem, predicate, p.redactError(err))
}

func capitalise(s string) string {
	if strings.HasPrefix(s, "the ") {
		return "T" + s[1:]
	}
	return s
}
