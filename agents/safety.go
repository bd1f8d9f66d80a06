package agents

import (
	"context"
	"errors"
	"slices"
	"strings"

	"colloquy/classroom"
)

// errDistress cancels an exchange when a message of distress is queued for it.
var errDistress = errors.New("a person wrote a message of distress")

// findDistress returns the message of distress that ends an exchange instead of an
// answer: the one that the log already names, the question, or a queued steer. s.mu
// is held.
func (s *session) findDistress(exchange int) (classroom.Safety, bool) {
	c := s.fold.Card(exchange)
	if c == nil {
		return classroom.Safety{}, false
	}
	if c.Safety != nil { // the log was cut off before its run_end
		return c.Safety.Safety, true
	}
	if p, ok := distressIn(c.Question.Text); ok {
		p.Prompt = c.Question.Cursor
		return p, true
	}
	p, at := findQueuedDistress(s.fold.Queue.Steer)
	return p, at >= 0
}

// findQueuedDistress returns the first message of distress in a queue and its index,
// or -1 if there is none.
func findQueuedDistress(waiting []classroom.Queued) (classroom.Safety, int) {
	for i, w := range waiting {
		if p, ok := distressIn(w.Text); ok {
			p.Prompt = w.Cursor
			return p, i
		}
	}
	return classroom.Safety{}, -1
}

// hasDistress reports whether the run's exchange has a message of distress, so that
// no model may see any of it.
func (r *run) hasDistress() bool {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	_, found := r.s.findDistress(r.exchange)
	return found
}

// answerDistress handles messages of distress in the queues: a steer ends the running
// exchange, and a follow-up opens the next exchange if nothing runs, with sp as its
// speakers. s.mu is held.
func (s *session) answerDistress(ctx context.Context, sp *speakers) error {
	if s.run != nil {
		if _, at := findQueuedDistress(s.fold.Queue.Steer); at >= 0 {
			s.run.cancel(errDistress)
		}
		return nil
	}
	if _, at := findQueuedDistress(s.fold.Queue.FollowUp); at >= 0 {
		return s.sendQueue(ctx, sp)
	}
	return nil
}

// mayReachModel reports whether a model may see the question of a card. It checks the
// text too, because earlier versions did not.
func mayReachModel(card *classroom.Card) bool {
	if card.Distressed() {
		return false
	}
	_, found := distressIn(card.Question.Text)
	return !found
}

// removeDistress removes the lines that are messages of distress.
func removeDistress(lines []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool {
		_, found := distressIn(line)
		return found
	})
}

// removeDistressFromTranscript removes messages of distress from a transcript for a
// model. Logs of earlier versions contain them.
func removeDistressFromTranscript(lines []classroom.Line) []classroom.Line {
	var out []classroom.Line
	for _, l := range lines {
		switch l.Voice {
		case classroom.VoiceHuman:
			if _, found := distressIn(l.Text); found {
				continue
			}
		case classroom.VoiceNote:
			l.Text = strings.Join(removeDistress(strings.Split(l.Text, "\n")), "\n")
		}
		out = append(out, l)
	}
	return out
}
