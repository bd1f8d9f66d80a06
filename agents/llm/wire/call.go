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
	IdleTimeout = 5 * time.Minute // how long it may say nothing
	EndTimeout  = 2 * time.Second // how long what follows its finish reason is waited for
)

var errIdle = errors.New("nothing came for too long")

// An Exchange is one request under way.
type Call struct {
	Provider *Provider
	Name     string // the model's, as llm.Model.Name says it
	Body     *EventBody
	Tools    bool // the request holds tools

	ctx        context.Context
	yield      func(llm.Event, error) bool
	readerLeft bool // the reader has left
	emitted    bool
	finished   bool // the finish reason has come
	idleTimer  *time.Timer
}

// NewExchange returns an exchange that reports to yield.
func NewCall(ctx context.Context, p *Provider, name string, yield func(llm.Event, error) bool) *Call {
	return &Call{Provider: p, Name: name, ctx: ctx, yield: yield}
}

// A Stream is an SDK's stream of events. It is closed where it is an io.Closer too.
type Stream[T any] interface {
	Next() bool
	Current() T
	Err() error
}

// Run opens a stream and hands each event to each, until that returns false or
// the stream ends. It returns what the stream ended with, as an error for
// people, or nil. Where the context has ended or the reader has left, the
// caller has nothing more to say; see [Exchange.Close].
func Run[T any](x *Call, open func(context.Context) Stream[T], each func(T) bool) error {
	ctx, cancel := context.WithCancelCause(x.ctx)
	defer cancel(nil)
	x.idleTimer = time.AfterFunc(IdleTimeout, func() { cancel(errIdle) })
	defer x.idleTimer.Stop()
	stream := open(ctx)
	if c, ok := stream.(io.Closer); ok {
		defer c.Close()
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
	if err == nil || x.Abandoned() {
		return nil
	}
	return x.Provider.explain(err, x.Body != nil)
}

// Middleware is both SDKs' middleware: it turns refusals into errors for people,
// and the body into events that the SDKs can read.
func (x *Call) Middleware(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		return res, err
	}
	if err := x.Provider.checkResponse(res); err != nil {
		res.Body.Close()
		return nil, err
	}
	x.Body = NewEventBody(&timedBody{res.Body, x})
	res.Body = x.Body
	res.Header.Set("Content-Type", "text/event-stream") // what the body is now
	return res, nil
}

// watched sets the alarm anew whenever bytes come, until a finish reason has come.
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

// Finished says that the finish reason has come: the rest gets a moment only.
func (x *Call) ExpectEnd() {
	if !x.finished {
		x.finished = true
		x.idleTimer.Reset(EndTimeout)
	}
}

// Emit reports whether the reader wants more.
func (x *Call) Emit(events ...llm.Event) bool {
	for _, e := range events {
		if x.ctx.Err() != nil {
			return false
		}
		x.emitted = true
		if !x.yield(e, nil) {
			x.readerLeft = true
			return false
		}
	}
	return true
}

// Over reports whether nobody listens any more.
func (x *Call) Abandoned() bool { return x.readerLeft || x.ctx.Err() != nil }

// Ask tries until no wish is left that a refusal may be due to, and ends the
// sequence. What helped is kept in m.
func (x *Call) Send(m *Capabilities, refused func(OptionalParams, error) OptionalParam, try func(without OptionalParams) (llm.Reason, OptionalParams, error)) {
	var without OptionalParams
	for {
		reason, asked, err := try(without)
		if more := refused(asked, err); more != "" && !x.emitted && !x.Abandoned() {
			without = append(without, more)
			continue
		}
		if err == nil || x.emitted {
			m.Record(without)
		}
		m.recordTools(x.Tools, err)
		x.End(reason, err)
		return
	}
}

// Close ends the sequence with a reason to finish, or with err; or with the
// context's error where that has ended.
func (x *Call) End(reason llm.Reason, err error) {
	if x.readerLeft || err == nil && x.Emit(llm.Event{Kind: llm.Finish, Reason: reason}) || x.readerLeft {
		return
	}
	if off := x.ctx.Err(); off != nil {
		err = fmt.Errorf("ask %s: %w", x.Name, off)
	}
	x.yield(llm.Event{}, err)
}
