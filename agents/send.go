package agents

import (
	"context"
	"strings"

	"colloquy/classroom"
)

// Send adds a person's message to a session. It returns once the message is
// committed. A post whose ClientID was used before is not added again: it gets
// the receipt of the first, or ErrClientIDReused where its text differs.
func (rt *Runtime) Send(ctx context.Context, id string, p classroom.Post) (classroom.Receipt, error) {
	if err := p.Check(); err != nil {
		return classroom.Receipt{}, err
	}
	if p.ClientID == "" {
		return rt.accept(ctx, id, p)
	}
	if r, found, err := rt.sentBefore(ctx, id, p); found || err != nil {
		return r, err
	}
	r, err := rt.accept(ctx, id, p)
	if err == nil {
		return r, nil
	}
	// The same message may have been sent twice at once: then the log has the other one.
	if first, found, firstErr := rt.sentBefore(ctx, id, p); found {
		return first, firstErr
	}
	return classroom.Receipt{}, err
}

// accept commits a message: it waits in a queue, or starts a run.
func (rt *Runtime) accept(ctx context.Context, id string, p classroom.Post) (classroom.Receipt, error) {
	s, sp, err := rt.sessionWithSpeakers(ctx, id)
	if err != nil {
		return classroom.Receipt{}, err
	}
	defer s.unlock()
	if _, distress := distressIn(p.Text); s.fold.Barrier && !distress {
		return classroom.Receipt{}, classroom.ErrBarrier
	}
	// The message must not be lost halfway because its sender went away.
	ctx = context.WithoutCancel(ctx)
	switch delivery := s.delivery(p.Delivery); delivery {
	case classroom.Steer, classroom.FollowUp:
		return s.enqueue(ctx, p, delivery)
	default:
		return s.startExchange(ctx, sp, p)
	}
}

// sentBefore returns the receipt of the message that has p's client id, where the
// log has one. The error is ErrClientIDReused where its text or its author is another.
func (rt *Runtime) sentBefore(ctx context.Context, id string, p classroom.Post) (classroom.Receipt, bool, error) {
	e, found, err := rt.o.Log.SentBefore(ctx, id, p.ClientID)
	if err != nil || !found {
		return classroom.Receipt{}, false, err
	}
	payload, err := classroom.Decode(e)
	if err != nil {
		return classroom.Receipt{}, false, err
	}
	m, _ := payload.(classroom.UserMessage)
	if m.Text != p.Text || m.Author.ID != p.Author.ID {
		return classroom.Receipt{}, true, classroom.ErrClientIDReused
	}
	return receipt(e, m.Delivery), true, nil
}

func receipt(e classroom.Event, d classroom.Delivery) classroom.Receipt {
	r := classroom.Receipt{Cursor: e.ID, Delivery: d}
	if e.Exchange != 0 {
		x := e.Exchange
		r.Exchange = &x
	}
	return r
}

// delivery returns how a message is delivered that was sent with the requested
// delivery: a prompt when idle, otherwise a steer or a follow-up. s.mu is held.
func (s *session) delivery(requested classroom.Delivery) classroom.Delivery {
	switch {
	case s.run == nil:
		return classroom.Prompt
	case requested == classroom.Prompt || s.run.stopped:
		return classroom.FollowUp
	case requested == "":
		return classroom.Steer
	}
	return requested
}

func userMessage(p classroom.Post, d classroom.Delivery) classroom.UserMessage {
	return classroom.UserMessage{
		Text: p.Text, Author: p.Author, Delivery: d, ClientID: p.ClientID, Option: p.Option, Speakers: p.Speakers,
		StaffOnly: staffOnly(p.Text),
	}
}

// staffOnly returns why only the staff may read a person's message; empty where everybody
// may.
func staffOnly(text string) string {
	if _, distress := distressIn(text); distress {
		return classroom.RedactedSafety
	}
	return ""
}

// startExchange opens the next exchange and starts its run. s.mu is held and the
// session is idle.
func (s *session) startExchange(ctx context.Context, sp *speakers, p classroom.Post) (classroom.Receipt, error) {
	exchange := len(s.fold.Cards) + 1
	r := s.newRun(sp, exchange, 1)
	drafts := s.supersededEnd()
	before := len(drafts)
	at := s.fold.Cursor + classroom.Cursor(before) + 1
	drafts = append(drafts, classroom.Draft{Exchange: exchange, Payload: userMessage(p, classroom.Prompt)})
	if _, distress := distressIn(p.Text); s.fold.Title == "" && !distress {
		drafts = append(drafts, classroom.Draft{Payload: classroom.TitleChange{Title: titleOf(p.Text), By: "question"}})
	}
	drafts = append(drafts, r.startDraft(at))
	events, err := s.append(ctx, r.generation, drafts...)
	if err != nil {
		return classroom.Receipt{}, err
	}
	s.startRun(r)
	return receipt(events[before], classroom.Prompt), nil
}

// supersededEnd returns the run_end of a last exchange that was interrupted and
// waits to be continued: every run has an end, and a new question replaces this one.
func (s *session) supersededEnd() []classroom.Draft {
	c := s.fold.LastCard()
	if c == nil || c.State != classroom.CardInterrupted {
		return nil
	}
	end := classroom.RunEnd{Status: classroom.Cancelled, Code: "superseded", Usage: c.Usage()}
	return []classroom.Draft{{Exchange: c.Exchange, Attempt: c.Attempt, Payload: end}}
}

// titleOf returns a session's title, made from its first question.
func titleOf(text string) string {
	title := strings.Join(strings.Fields(text), " ")
	if runes := []rune(title); len(runes) > 70 {
		title = strings.TrimSpace(string(runes[:69])) + "…"
	}
	return title
}
