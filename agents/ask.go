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
	maxRetries   = 3
	firstWait    = 2 * time.Second // doubled each time
	longestWait  = time.Minute     // a provider that asks for more is not waited for
	textNudge    = "Your answer was cut off here. Go on exactly where you stopped, and do not repeat what you said."
	emptyMessage = "The model sent an empty answer. Try again, or ask with other words."
)

// ask gets one message of the model, and tries again where the trouble may
// pass. The superseded text stays in the log. A conversation that does not fit
// the model is shortened, and where only the model knows that, once more. A model
// that refuses tools is asked without them.
func (r *run) ask(ctx context.Context) (classroom.MessageEnd, *classroom.RunEnd, error) {
	model, request := r.request(ctx)
	if err := r.fit(ctx, &model, &request); err != nil {
		return classroom.MessageEnd{Blocks: []classroom.Block{}}, nil, err
	}
	overflowed := false
	for tries := 1; ; tries++ {
		m, fault, err := r.stream(ctx, model, request)
		if !overflowed && err == nil && tooLong(fault) {
			overflowed = true
			again, err := r.overflow(ctx, m, &model, &request)
			if err != nil {
				return m, nil, err
			}
			if again {
				tries--
				continue
			}
		}
		if err == nil && toolsRefused(fault) && len(request.Tools) > 0 {
			if err := r.askAgain(ctx, m, &model, &request); err != nil {
				return m, nil, err
			}
			tries--
			continue
		}
		switch {
		case err != nil:
			return m, nil, err
		case fault == nil && !answers(m.Blocks) && m.StopReason != classroom.StopLength:
			end := capped("empty_answer", emptyMessage)
			return m, &end, nil
		case fault == nil:
			return m, nil, nil
		case ctx.Err() != nil:
			return m, endOf(ctx), nil
		}
		wait, again := waitFor(fault, tries)
		if !again {
			end := failedBy(fault)
			return m, &end, nil
		}
		retry := classroom.Retry{MessageID: m.MessageID, Attempt: tries, Max: maxRetries, WaitMS: wait.Milliseconds(), Reason: forPeople(fault)}
		if err := r.append(ctx, r.said(retry)); err != nil {
			return m, nil, err
		}
		if !sleep(ctx, wait) {
			m.StopReason = classroom.StopAborted
			return m, endOf(ctx), nil
		}
	}
}

// waitFor says how long to wait before the next try, and whether to try at all.
func waitFor(fault error, tries int) (time.Duration, bool) {
	if tries > maxRetries {
		return 0, false
	}
	wait := firstWait << (tries - 1)
	var e *llm.Error
	switch {
	case errors.Is(fault, llm.ErrCut):
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

func failedBy(fault error) classroom.RunEnd {
	code := "upstream"
	var e *llm.Error
	if errors.As(fault, &e) {
		code = string(e.Fault)
	} else if errors.Is(fault, llm.ErrCut) {
		code = "cut"
	}
	return classroom.RunEnd{Status: classroom.Failed, Code: code, Message: forPeople(fault), Detail: detail(fault)}
}

func forPeople(fault error) string {
	var e *llm.Error
	switch {
	case errors.As(fault, &e):
		return e.Message
	case errors.Is(fault, llm.ErrCut):
		return "The model's answer broke off before its end. What came is kept; try again."
	}
	return "The model could not answer. Try again; if it stays, look at the server's log."
}

func detail(fault error) string {
	text := fault.Error()
	if len(text) > 500 {
		text = text[:500]
	}
	return fmt.Sprintf("%.500s", text)
}

// stream asks the model once and writes what it says as it says it. The first
// error is the model's, the second the log's.
func (r *run) stream(ctx context.Context, model llm.Model, request llm.Request) (classroom.MessageEnd, error, error) {
	r.messages++
	m := newMessage(fmt.Sprintf("m%d-%d-%d", r.exchange, r.attempt, r.messages))
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	events := r.listen(asking, model, request)
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
			if due := m.take(e.Event, time.Now()); due > 0 {
				flush.Reset(due)
			}
			if m.bytes > maxAnswer {
				m.reason, open = classroom.StopLength, false
			}
		case <-flush.C:
			m.dueAll()
		case <-ctx.Done():
			m.drain(events)
			fault, open = context.Cause(ctx), false
		}
		if drafts := r.updates(m); len(drafts) > 0 {
			if err := r.append(ctx, drafts...); err != nil {
				return m.end(nil), nil, err
			}
		}
	}
	end := m.end(fault)
	r.spend(model, end.Usage)
	if ctx.Err() != nil {
		end.StopReason = classroom.StopAborted
		if fault == nil {
			fault = context.Cause(ctx)
		}
	}
	return end, fault, r.commit(ctx, func() []classroom.Draft { return r.ending(m, end) })
}

// updates are the drafts that m has ready, message_start before the first.
func (r *run) updates(m *message) []classroom.Draft {
	ready := m.ready(time.Now())
	if len(ready) == 0 {
		return nil
	}
	var drafts []classroom.Draft
	if !m.started {
		m.started = true
		drafts = append(drafts, r.said(classroom.MessageStart{MessageID: m.id}))
	}
	for _, u := range ready {
		drafts = append(drafts, r.said(u))
	}
	return drafts
}

// ending is message_end, with message_start where nothing came before it, and
// with the barrier of docs/events.md, rule 4, where the message was cut off in a
// tool call: both queues are emptied. session.mu is held.
func (r *run) ending(m *message, end classroom.MessageEnd) []classroom.Draft {
	m.dueAll() // whoever follows the deltas is not to wait for the whole message
	drafts := r.updates(m)
	if !m.started {
		drafts = append(drafts, r.said(classroom.MessageStart{MessageID: m.id}))
	}
	drafts = append(drafts, r.said(end))
	if _, at := distressAmong(r.s.fold.Queue.Steer); at >= 0 || !cutInCall(turn{message: end}) {
		return drafts
	}
	q, u := r.s.queue(), classroom.QueueUpdate{Reason: "barrier"}
	for _, w := range append(q.Steer, q.FollowUp...) {
		u.Dropped = append(u.Dropped, w.Cursor)
	}
	return append(drafts, r.said(u))
}

type heard struct {
	llm.Event
	fault error
}

// listen asks the model on a goroutine of its own, so that Stop is quick also
// while the model is silent.
func (r *run) listen(ctx context.Context, model llm.Model, request llm.Request) <-chan heard {
	events := make(chan heard)
	r.s.rt.work.Go(func() {
		defer close(events)
		for e, err := range llm.Guard(model).Stream(ctx, request) {
			select {
			case events <- heard{e, err}:
			case <-ctx.Done():
				return
			}
		}
	})
	return events
}
