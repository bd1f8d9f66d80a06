package openai

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"colloquy/agents/llm"
)

// maxRefusal bounds what is read of the body of a refusal.
const maxRefusal = 64 << 10

// refusal returns what is wrong with an answer that is no stream, or nil.
func (m *Model) refusal(res *http.Response) error {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode/100 == 2 && kind != "text/html" {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal)) // half a reason is a reason
	c := complaintOf(body)
	c.status = res.StatusCode
	if res.StatusCode/100 == 2 {
		return m.unreadable(fmt.Errorf("status %d with %s", res.StatusCode, kind))
	}
	c.wait = retryAfter(res.Header)
	return m.explain(c)
}

// trouble explains an error that the SDK ended with. The provider had begun to
// answer if answered.
func (m *Model) trouble(err error, answered bool) error {
	var known *llm.Error
	var inside *ssestream.StreamError
	var broken *brokenError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &inside):
		return m.explain(complaintOf(inside.Event.Data))
	case errors.As(err, &broken):
		return m.cut(fmt.Errorf("%w (%w)", llm.ErrCut, broken))
	case errors.Is(err, errSilent) && answered:
		return m.cut(fmt.Errorf("%w (%w)", llm.ErrCut, err))
	case answered:
		return m.unreadable(err)
	}
	return m.unreachable(err)
}

func (m *Model) cut(cause error) error {
	return &llm.Error{Fault: llm.Unreachable, Message: capital(m.at.name) + " stopped in the middle of the answer. What came is kept; try again.", Err: cause}
}

func (m *Model) unreadable(cause error) error {
	return &llm.Error{
		Fault:   llm.BadAnswer,
		Message: capital(m.at.name) + " sent an answer that cannot be read. Check that its address is the one for OpenAI-compatible programs; it often ends in /v1.",
		Err:     m.hide(cause),
	}
}

// unreachable explains why no answer began.
func (m *Model) unreachable(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // its text would say the whole address
	}
	what := " cannot be reached. Check that it is running and that its address is right, then try again."
	var timeout net.Error
	if errors.Is(err, errSilent) || errors.As(err, &timeout) && timeout.Timeout() {
		what = " did not answer in time. It may be busy, or still loading the model; try again in a minute."
	}
	return &llm.Error{Fault: llm.Unreachable, Message: capital(m.at.name) + what, Err: m.hide(err)}
}

// reason reads a finish reason; called says that the answer holds calls. Many
// servers say "stop" where they called.
func (m *Model) reason(text string, called bool) (llm.Reason, error) {
	switch strings.ToLower(text) {
	case "length", "max_tokens", "model_length":
		return llm.Length, nil
	case "content_filter", "safety", "recitation", "sensitive":
		return "", m.explain(complaint{kind: "content_filter", text: "finish reason " + text})
	case "error", "network_error", "insufficient_system_resource":
		return "", m.explain(complaint{kind: "server_error", text: "finish reason " + text})
	case "abort", "aborted", "cancelled":
		return "", m.cut(fmt.Errorf("%w (finish reason %s)", llm.ErrCut, text))
	}
	if called {
		return llm.ToolUse, nil
	}
	return llm.Stop, nil
}

func capital(s string) string {
	if strings.HasPrefix(s, "the ") {
		return "T" + s[1:]
	}
	return s
}
