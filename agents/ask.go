package agents

import (
	"context"
	"errors"
	"fmt"
	"time"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

const (
	maxRetries  = 3
	firstWait   = 2 * time.Second // doubled each time
	longestWait = time.Minute     // where a provider asks for more, the run fails
)

// ask gets one message from the model, and tries again after a temporary failure.
// The superseded text stays in the log. A conversation that does not fit the model
// is shortened before, or once after the model refused it as too long. A model that
// refuses tools is asked without them.
func (r *run) ask(ctx context.Context) (classroom.MessageEnd, *classroom.RunEnd, error) {
	model, request := r.request(ctx)
	if err := r.shortenToFit(ctx, &model, &request); err != nil {
		return classroom.MessageEnd{Blocks: []classroom.Block{}}, nil, err
	}
	c := &change{r: r, model: &model, request: &request}
	for tries := 1; ; tries++ {
		m, fault, err := r.stream(ctx, model, request)
		if err == nil {
			changed, err := c.changeRequest(ctx, m, fault)
			if err != nil {
				return m, nil, err
			}
			if changed {
				tries--
				continue
			}
		}
		switch {
		case err != nil:
			return m, nil, err
		case fault == nil && !hasAnswer(m.Blocks) && m.StopReason != classroom.StopLength:
			end := failedEnd("empty_answer")
			return m, &end, nil
		case fault == nil:
			return m, nil, nil
		case ctx.Err() != nil:
			return m, endByContext(ctx), nil
		}
		wait, again := retryDelay(fault, tries)
		if !again {
			end := failureOf(fault, model)
			return m, &end, nil
		}
		code, params := problemOf(fault, model)
		retry := classroom.Retry{
			MessageID: m.MessageID, Attempt: tries, Max: maxRetries,
			WaitMS: wait.Milliseconds(), Reason: code, Params: params,
		}
		if err := r.append(ctx, r.agentDraft(retry)); err != nil {
			return m, nil, err
		}
		if !sleep(ctx, wait) {
			m.StopReason = classroom.StopAborted
			return m, endByContext(ctx), nil
		}
	}
}

// A change is what a turn does about a message that the same request would bring again.
type change struct {
	r          *run
	model      *llm.Model
	request    *llm.Request
	overflowed bool
	gaveAway   int
}

// changeRequest makes another request after a message that was too long, gave something
// away, or came from a model that refuses tools. It reports whether the model is to be asked
// again.
func (c *change) changeRequest(ctx context.Context, m classroom.MessageEnd, fault error) (bool, error) {
	switch {
	case !c.overflowed && tooLong(fault):
		c.overflowed = true
		return c.r.shortenAfterOverflow(ctx, m, c.model, c.request)
	case errors.Is(fault, errGaveAway) && c.gaveAway < 2:
		c.gaveAway++
		return true, c.r.answerGivenAway(ctx, m, c.model, c.request, c.gaveAway)
	case toolsRefused(fault) && len(c.request.Tools) > 0:
		return true, c.r.retryWithoutTools(ctx, m, c.model, c.request)
	}
	return false, nil
}

// retryDelay returns how long to wait before the next try, and whether to try at all.
func retryDelay(fault error, tries int) (time.Duration, bool) {
	if tries > maxRetries {
		return 0, false
	}
	wait := firstWait << (tries - 1)
	var e *llm.Error
	switch {
	case errors.Is(fault, llm.ErrIncomplete):
		return wait, true
	case !errors.As(fault, &e) || !e.Retryable() || e.RetryAfter > longestWait:
		return 0, false
	}
	return max(wait, e.RetryAfter), true
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// stream asks the model once and writes its message to the log as it arrives. The
// first error is the model's, the second the log's.
func (r *run) stream(ctx context.Context, model llm.Model, request llm.Request) (classroom.MessageEnd, error, error) {
	r.messages++
	m := newMessage(fmt.Sprintf("m%d-%d-%d", r.exchange, r.attempt, r.messages))
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	if !r.withheld.Empty() {
		model = guarded{model, r.withheld}
	}
	events := r.startStream(asking, model, request)
	flush := time.NewTimer(time.Hour)
	defer flush.Stop()
	var fault error
	for open := true; open; {
		select {
		case e, ok := <-events:
			if !ok || e.fault != nil {
				fault, open = e.fault, false
				break
			}
			if due := m.add(e.Event, time.Now()); due > 0 {
				flush.Reset(due)
			}
			if m.bytes > maxAnswer {
				m.reason, open = classroom.StopLength, false
			}
		case <-flush.C:
			m.markAllDue()
		case <-ctx.Done():
			m.drain(events)
			fault, open = context.Cause(ctx), false
		}
		if drafts := r.updateDrafts(m); len(drafts) > 0 {
			if err := r.append(ctx, drafts...); err != nil {
				return m.end(nil), nil, err
			}
		}
	}
	end := m.end(fault)
	r.cite(&end)
	r.countUsage(model, end.Usage)
	if ctx.Err() != nil {
		end.StopReason = classroom.StopAborted
		if fault == nil {
			fault = context.Cause(ctx)
		}
	}
	return end, fault, r.commit(ctx, func() []classroom.Draft { return r.messageEndDrafts(m, end) })
}

// updateDrafts returns the message_updates of m that are due, after message_start
// for the first.
func (r *run) updateDrafts(m *message) []classroom.Draft {
	ready := m.dueUpdates(time.Now())
	if len(ready) == 0 {
		return nil
	}
	var drafts []classroom.Draft
	if !m.started {
		m.started = true
		drafts = append(drafts, r.agentDraft(classroom.MessageStart{MessageID: m.id}))
	}
	for _, u := range ready {
		drafts = append(drafts, r.agentDraft(u))
	}
	return drafts
}

// messageEndDrafts returns message_end, after message_start where the message is
// empty. Where the message was cut off in a tool call, both queues are emptied: see
// "A cut-off step" in docs/events.md. session.mu is held.
func (r *run) messageEndDrafts(m *message, end classroom.MessageEnd) []classroom.Draft {
	m.markAllDue() // so that readers of the deltas have the whole text before message_end
	drafts := r.updateDrafts(m)
	if !m.started {
		drafts = append(drafts, r.agentDraft(classroom.MessageStart{MessageID: m.id}))
	}
	drafts = append(drafts, r.agentDraft(end))
	if _, at := findQueuedDistress(r.s.fold.Queue.Steer); at >= 0 || !cutOffInCall(turn{message: end}) {
		return drafts
	}
	q, u := r.s.queue(), classroom.QueueUpdate{Reason: "barrier"}
	for _, w := range append(q.Steer, q.FollowUp...) {
		u.Dropped = append(u.Dropped, w.Cursor)
	}
	return append(drafts, r.agentDraft(u))
}

// A modelEvent is an event of a model's stream, or the error that ended it.
type modelEvent struct {
	llm.Event
	fault error
}

// startStream asks the model on a goroutine of its own, so that Stop is quick even
// while the model sends nothing.
func (r *run) startStream(ctx context.Context, model llm.Model, request llm.Request) <-chan modelEvent {
	events := make(chan modelEvent)
	r.s.rt.work.Go(func() {
		defer close(events)
		for e, err := range llm.Guard(model).Stream(ctx, request) {
			select {
			case events <- modelEvent{e, err}:
			case <-ctx.Done():
				return
			}
		}
	})
	return events
}
