package live

import (
	"context"
	"time"

	"colloquy/classroom"
)

const longestPause = 2 * time.Second // between two events of a replay, at its own pace

// A Playback is how a session is played.
type Playback struct {
	After classroom.Cursor // what the client asked for, which may be beyond the head
	From  classroom.Cursor // where it begins, within the log
	Speed int              // 1 for its own pace; 0 means 1
}

// A replaySource is a source that gives what is in the log, with the pauses
// between its events.
type replaySource struct {
	log    Log
	view   *SessionView
	head   classroom.Cursor
	speed  int
	events []classroom.Event // read and not played yet
	due    time.Time         // of events[0]; zero where it is not known yet
	last   classroom.Stamp   // of the event that was played last
}

func (src *replaySource) next(ctx context.Context, cursor classroom.Cursor) (step, error) {
	if src.view.fold.Cursor >= src.head {
		return step{}, endError{"end"}
	}
	if len(src.events) == 0 {
		events, err := src.log.Read(ctx, src.view.session, src.view.fold.Cursor, pageEvents)
		if err != nil {
			return step{}, endIfDeleted(err)
		}
		if len(events) == 0 {
			return step{}, endError{"end"}
		}
		src.events = events
	}
	if pause := src.untilNext(); pause > 0 {
		return step{to: cursor, more: closedAfter(pause)}, nil
	}
	return src.play(), nil
}

func (src *replaySource) leave() {}

// untilNext returns how long the next event has to wait.
func (src *replaySource) untilNext() time.Duration {
	if src.due.IsZero() {
		pause := time.Duration(0)
		if src.last != 0 {
			recorded := time.Duration(src.events[0].Time-src.last) * time.Millisecond
			pause = min(longestPause, recorded) / time.Duration(src.speed)
		}
		src.due = time.Now().Add(pause)
	}
	return time.Until(src.due)
}

// play applies the next event, and those that a live page would have been sent
// with it, and returns their patch.
func (src *replaySource) play() step {
	together := classroom.Stamp(patchPause.Milliseconds()) * classroom.Stamp(src.speed)
	n := 1
	for n < len(src.events) && src.events[n].ID <= src.head && src.events[n].Time-src.events[0].Time < together {
		n++
	}
	src.view.apply(src.events[:n])
	src.last, src.due = src.events[n-1].Time, time.Time{}
	src.events = src.events[n:]
	to := src.view.fold.Cursor
	return step{bytes: src.view.diff().frame(to), to: to}
}

// closedAfter returns a channel that is closed once d has passed.
func closedAfter(d time.Duration) <-chan struct{} {
	c := make(chan struct{})
	time.AfterFunc(d, func() { close(c) })
	return c
}
