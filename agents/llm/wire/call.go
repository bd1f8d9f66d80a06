package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"colloquy/agents/llm"
)

// The limits of an answer.
const (
	IdleTimeout = 5 * time.Minute // without any data
	EndTimeout  = 2 * time.Second // from the finish reason to the end of the stream
)

var errIdle = errors.New("no data arrived in time")

// A Call is one request and its answer.
type Call struct {
	Provider *Provider
	Name     string // of the model, as llm.Model.Name returns it
	Body     *EventBody
	Tools    bool // the request has tools

	ctx        context.Context
	yield      func(llm.Event, error) bool
	readerLeft bool // the reader has stopped reading
	emitted    bool
	finished   bool // the finish reason has arrived
	idleTimer  *time.Timer
}

// NewCall returns a call whose events go to yield.
func NewCall(ctx context.Context, p *Provider, name string, yield func(llm.Event, error) bool) *Call {
	return &Call{Provider: p, Name: name, ctx: ctx, yield: yield}
}

// A Stream is an SDK's stream of events. If it is an io.Closer, it is closed at its end.
type Stream[T any] interface {
	Next() bool
	Current() T
	Err() error
}

// Run opens a stream and calls each with every event, until each returns false or
// the stream ends. It returns the stream's error as an error for users, or nil if
// there is none or the call is abandoned.
func Run[T any](c *Call, open func(context.Context) Stream[T], each func(T) bool) error {
	ctx, cancel := context.WithCancelCause(c.ctx)
	defer cancel(nil)
	c.idleTimer = time.AfterFunc(IdleTimeout, func() { cancel(errIdle) })
	defer c.idleTimer.Stop()
	stream := open(ctx)
	if closer, ok := stream.(io.Closer); ok {
		defer closer.Close()
	}
	for stream.Next() {
		if !each(stream.Current()) {
			return nil
		}
	}
	err := stream.Err()
	if context.Cause(ctx) == errIdle {
		err = errIdle
	}
	if err == nil || c.Abandoned() {
		return nil
	}
	return c.Provider.explain(err, c.Body != nil)
}

// A RoundTrip sends a request and returns the response.
type RoundTrip = func(*http.Request) (*http.Response, error)

// Middleware is middleware for both SDKs. It turns error responses into errors for
// users and the body into events that the SDKs can parse.
func (c *Call) Middleware(req *http.Request, next RoundTrip) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		return res, err
	}
	if err := c.Provider.checkResponse(res); err != nil {
		res.Body.Close()
		return nil, err
	}
	c.Body = NewEventBody(&timedBody{res.Body, c})
	res.Body = c.Body
	res.Header.Set("Content-Type", "text/event-stream") // the format of the new body
	return res, nil
}

// timedBody restarts the idle timer whenever data arrives, until the finish reason.
type timedBody struct {
	io.ReadCloser
	call *Call
}

func (w *timedBody) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if n > 0 && !w.call.finished {
		w.call.idleTimer.Reset(IdleTimeout)
	}
	return n, err
}

// ExpectEnd notes that the finish reason has arrived. The rest of the stream must
// arrive within EndTimeout.
func (c *Call) ExpectEnd() {
	if !c.finished {
		c.finished = true
		c.idleTimer.Reset(EndTimeout)
	}
}

// Emit sends events to the reader and reports whether the reader wants more.
func (c *Call) Emit(events ...llm.Event) bool {
	for _, e := range events {
		if c.ctx.Err() != nil {
			return false
		}
		c.emitted = true
		if !c.yield(e, nil) {
			c.readerLeft = true
			return false
		}
	}
	return true
}

// Abandoned reports whether the reader has stopped reading or the context has ended.
func (c *Call) Abandoned() bool { return c.readerLeft || c.ctx.Err() != nil }

// An Attempt sends a request without some optional parameters. It returns the
// finish reason, the optional parameters that it sent, and the error.
type Attempt func(without OptionalParams) (llm.Reason, OptionalParams, error)

// Send makes attempts and then ends the sequence. As long as rejected returns a
// parameter that may have caused the error, the next attempt omits that one too.
// The parameters whose omission helped are recorded in known.
func (c *Call) Send(known *Capabilities, rejected func(OptionalParams, error) OptionalParam, try Attempt) {
	var without OptionalParams
	for {
		reason, sent, err := try(without)
		if p := rejected(sent, err); p != "" && !c.emitted && !c.Abandoned() {
			without = append(without, p)
			continue
		}
		if err == nil || c.emitted {
			known.recordRejected(without)
		}
		known.recordTools(c.Tools, err)
		c.end(reason, err)
		return
	}
}

// end ends the sequence with a finish reason or with err, or with the context's
// error if the context has ended.
func (c *Call) end(reason llm.Reason, err error) {
	if c.readerLeft || err == nil && c.Emit(llm.Event{Kind: llm.Finish, Reason: reason}) || c.readerLeft {
		return
	}
	if ended := c.ctx.Err(); ended != nil {
		err = fmt.Errorf("ask %s: %w", c.Name, ended)
	}
	c.yield(llm.Event{}, err)
}
