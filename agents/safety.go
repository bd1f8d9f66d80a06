package agents

import (
	"context"
	"errors"
	"slices"
	"strings"

	"colloquy/classroom"
)

// errDistress ends the context of an exchange when a message of distress waits
// to enter it.
var errDistress = errors.New("a person wrote a message of distress")

// distress is the message that ends an exchange instead of an answer: the one
// that the log names already, the question, or a steer that waits. s.mu is held.
func (s *session) distress(exchange int) (classroom.Safety, bool) {
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
	p, at := distressAmong(s.fold.Queue.Steer)
	return p, at >= 0
}

// distressAmong finds the first message of distress among those that wait, and
// its place, -1 where there is none.
func distressAmong(waiting []classroom.Queued) (classroom.Safety, int) {
	for i, w := range waiting {
		if p, ok := distressIn(w.Text); ok {
			p.Prompt = w.Cursor
			return p, i
		}
	}
	return classroom.Safety{}, -1
}

// distressed reports that nothing of the run's exchange is to reach a model.
func (r *run) distressed() bool {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	_, found := r.s.distress(r.exchange)
	return found
}

// answerDistress acts on messages of distress in the queues: a steer ends the
// exchange at work, and a follow-up opens the next exchange at once where nothing
// runs, with sp as its speakers. s.mu is held.
func (s *session) answerDistress(ctx context.Context, sp *speakers) error {
	if s.run != nil {
		if _, at := distressAmong(s.fold.Queue.Steer); at >= 0 {
			s.run.cancel(errDistress)
		}
		return nil
	}
	if _, at := distressAmong(s.fold.Queue.FollowUp); at >= 0 {
		return s.sendQueue(ctx, sp)
	}
	return nil
}

// safe reports that a model may see the question of a card. Logs of versions
// that did not check are checked here.
func safe(card *classroom.Card) bool {
	if card.Distressed() {
		return false
	}
	_, found := distressIn(card.Question.Text)
	return !found
}

// safeLines leaves out the lines that are messages of distress.
func safeLines(lines []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool {
		_, found := distressIn(line)
		return found
	})
}

// safeTranscript leaves messages of distress out of what a model is to see, for
// logs of versions that did not check.
func safeTranscript(lines []classroom.Line) []classroom.Line {
	var out []classroom.Line
	for _, l := range lines {
		switch l.Voice {
		case classroom.VoiceHuman:
			if _, found := distressIn(l.Text); found {
				continue
			}
		case classroom.VoiceNote:
			l.Text = strings.Join(safeLines(strings.Split(l.Text, "\n")), "\n")
		}
		out = append(out, l)
	}
	return out
}
