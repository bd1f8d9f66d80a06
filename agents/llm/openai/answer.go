package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"colloquy/agents/llm"
)

var errSilent = errors.New("nothing came for too long")

// An answer is one request under way; it belongs to the goroutine that reads it.
type answer struct {
	model *Model
	ctx   context.Context
	yield func(llm.Event, error) bool
	left  bool // the reader has left

	text, thought letters
	think         thinker
	calls         *calls
	usage         llm.Usage
	spoke         bool   // there is text to read
	reason        string // the provider's finish reason

	body  *eventBody
	alarm *time.Timer
}

// run asks and passes the answer on. It returns what ends it, other than a Finish.
func (a *answer) run(p sdk.ChatCompletionNewParams) error {
	ctx, cancel := context.WithCancelCause(a.ctx)
	defer cancel(nil)
	a.alarm = time.AfterFunc(a.model.silence, func() { cancel(errSilent) })
	defer a.alarm.Stop()
	stream := a.model.chat.NewStreaming(ctx, p, option.WithMiddleware(a.plain))
	defer stream.Close()
	for stream.Next() {
		if !a.chunk(stream.Current()) {
			return a.calledOff()
		}
	}
	err := stream.Err()
	if context.Cause(ctx) == errSilent {
		err = errSilent
	}
	return a.end(err)
}

// plain is the SDK's middleware: it turns refusals into errors for people, and
// the body into events that the SDK can read.
func (a *answer) plain(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		return res, err
	}
	if err := a.model.refusal(res); err != nil {
		res.Body.Close()
		return nil, err
	}
	a.body = newEventBody(&watched{res.Body, a})
	res.Body = a.body
	res.Header.Set("Content-Type", "text/event-stream") // what the body is now
	return res, nil
}

// watched sets the alarm anew whenever bytes come, until a finish reason has come.
type watched struct {
	io.ReadCloser
	a *answer
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if n > 0 && w.a.reason == "" {
		w.a.alarm.Reset(w.a.model.silence)
	}
	return n, err
}

// emit reports whether the reader wants more.
func (a *answer) emit(events ...llm.Event) bool {
	for _, e := range events {
		if a.ctx.Err() != nil {
			return false
		}
		if !a.yield(e, nil) {
			a.left = true
			return false
		}
	}
	return true
}

// calledOff returns the context's error, if it has ended.
func (a *answer) calledOff() error {
	if err := a.ctx.Err(); err != nil {
		return fmt.Errorf("ask %s: %w", a.model.Name(), err)
	}
	return nil
}

// end comes after the last chunk; err is what the SDK ended with.
func (a *answer) end(err error) error {
	if off := a.calledOff(); off != nil {
		return off
	}
	if !a.say(a.think.flush()) || !a.emit(a.calls.release(true)...) {
		return a.calledOff()
	}
	called := len(a.calls.list) > 0
	reason := a.reason
	switch {
	case reason != "":
	case err != nil:
		return a.model.trouble(err, a.body != nil)
	case a.body == nil || !a.body.done || called && !a.calls.whole() || !called && !a.spoke:
		return a.model.cut(llm.ErrCut)
	default:
		reason = "stop"
	}
	return a.finish(reason, called)
}

func (a *answer) finish(reason string, called bool) error {
	r, err := a.model.reason(reason, called)
	if err != nil {
		return err
	}
	if !a.emit(llm.Event{Kind: llm.Finish, Reason: r}) {
		return a.calledOff()
	}
	return nil
}
