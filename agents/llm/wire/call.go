package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
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
	Server *Server
	Done   bool // "[DONE]" has arrived

	ctx        context.Context
	yield      func(llm.Event, error) bool
	tools      bool // the request has tools
	readerLeft bool // the reader has stopped reading
	emitted    bool
	finished   bool // the finish reason has arrived
	idleTimer  *time.Timer
}

// An Attempt sends a request without some optional parameters and emits the answer. It
// returns the finish reason, the optional parameters that it sent, and the error.
type Attempt func(c *Call, without OptionalParams) (llm.Reason, OptionalParams, error)

// Stream answers req by attempts. As long as rejected returns a parameter that may
// have caused the error of an attempt, the next one omits that parameter too. The
// parameters whose omission helped are recorded.
func (s *Server) Stream(
	ctx context.Context, req llm.Request, rejected func(OptionalParams, error) OptionalParam, try Attempt,
) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		c := &Call{Server: s, ctx: ctx, yield: yield, tools: len(req.Tools) > 0}
		var without OptionalParams
		for {
			reason, sent, err := try(c, without)
			if p := rejected(sent, err); p != "" && !c.emitted && !c.Abandoned() {
				without = append(without, p)
				continue
			}
			if err == nil || c.emitted {
				s.Capabilities.recordRejected(without)
			}
			s.Capabilities.recordTools(c.tools, err)
			c.end(reason, err)
			return
		}
	}
}

// Run sends a request and calls each with every event, decoded as T, until each returns
// false or the answer ends. It returns an error for users, or nil if there is none or
// the call is abandoned.
func Run[T any](c *Call, request any, each func(T) bool) error {
	ctx, cancel := context.WithCancelCause(c.ctx)
	defer cancel(nil)
	c.idleTimer = time.AfterFunc(IdleTimeout, func() { cancel(errIdle) })
	defer c.idleTimer.Stop()
	body, err := c.Server.open(ctx, http.MethodPost, c.Server.endpoint.AskPath, request)
	answered := err == nil
	if answered {
		defer body.Close()
		err = readEvents(c, body, each)
	}
	if err == nil || c.Abandoned() {
		return nil
	}
	if context.Cause(ctx) == errIdle {
		err = errIdle
	}
	return c.Server.explain(err, answered)
}

func readEvents[T any](c *Call, body io.Reader, each func(T) bool) error {
	events := NewEventReader(timedBody{body, c})
	for {
		raw, err := events.Next()
		c.Done = events.Done
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var event T
		if err := decode(raw, &event); err != nil {
			return err
		}
		if more := each(event); !more || c.Abandoned() {
			return nil
		}
	}
}

// decode reads JSON into v. It skips a field of another type than v's: some servers
// send numbers for texts, or a text for a list.
func decode(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	if _, skipped := errors.AsType[*json.UnmarshalTypeError](err); skipped {
		return nil
	}
	return err
}

// timedBody restarts the idle timer whenever data arrives, until the finish reason.
type timedBody struct {
	io.Reader
	call *Call
}

func (b timedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if n > 0 && !b.call.finished {
		b.call.idleTimer.Reset(IdleTimeout)
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

// Emit sends events to the reader. Once the call is abandoned it drops them.
func (c *Call) Emit(events ...llm.Event) {
	for _, e := range events {
		if c.Abandoned() {
			return
		}
		c.emitted = true
		c.readerLeft = !c.yield(e, nil)
	}
}

// Abandoned reports whether the reader has stopped reading or the context has ended.
func (c *Call) Abandoned() bool { return c.readerLeft || c.ctx.Err() != nil }

// end ends the sequence with a finish reason or with err, or with the context's
// error if the context has ended.
func (c *Call) end(reason llm.Reason, err error) {
	if err == nil && !c.Abandoned() {
		c.yield(llm.Event{Kind: llm.Finish, Reason: reason}, nil)
		return
	}
	if c.readerLeft {
		return
	}
	if ended := c.ctx.Err(); ended != nil {
		err = fmt.Errorf("ask %s: %w", c.Server.ModelName(), ended)
	}
	c.yield(llm.Event{}, err)
}
