package live

import (
	"context"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
)

// ViewAt returns the view of a session as it was at a cursor. It belongs to the caller.
func (h *Hub) ViewAt(ctx context.Context, session string, at classroom.Cursor) (*SessionView, error) {
	sc := newView(session, false)
	for sc.fold.Cursor < at {
		events, err := h.opt.Log.Read(ctx, session, sc.fold.Cursor, int(min(pageEvents, at-sc.fold.Cursor)))
		if err != nil {
			return nil, err
		}
		if len(events) == 0 {
			break
		}
		sc.take(events)
	}
	sc.prime()
	return sc, nil
}

// FillStops notes where the exchanges end, as seen from v.At.
func (sc *SessionView) FillStops(v *templates.Replay) {
	v.Exchanges, v.Last, v.Next = len(sc.fold.Cards), v.Head, v.Head
	var ends []classroom.Cursor
	for i, end := range sc.ended {
		if end == 0 && i+1 < len(sc.born) {
			end = sc.born[i+1] - 1
		}
		if end == 0 || end > v.Head || i == len(sc.ended)-1 {
			end = v.Head
		}
		ends = append(ends, end)
	}
	v.First = v.Head
	if len(ends) > 0 {
		v.First = ends[0]
	}
	v.Prev = v.First
	for _, end := range ends {
		if end < v.At {
			v.Prev = end
		}
		if end > v.At && end < v.Next {
			v.Next = end
		}
	}
}

const longestPause = 2 * time.Second

// A Playback says from where a session is played, and how fast.
type Playback struct {
	After classroom.Cursor // the client's own place
	From  classroom.Cursor
	Speed int
}

// A player is a source that gives what is recorded with its pauses.
type player struct {
	log    Log
	screen *SessionView
	head   classroom.Cursor
	speed  int
	events []classroom.Event // read and not yet played
	due    time.Time         // of events[0]; zero where it is not set yet
	last   classroom.Stamp   // of the event played before
}

func (p *player) next(ctx context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	if p.screen.fold.Cursor >= p.head {
		return nil, cursor, nil, errOver{"end"}
	}
	if len(p.events) == 0 {
		events, err := p.log.Read(ctx, p.screen.session, p.screen.fold.Cursor, pageEvents)
		if err != nil {
			return nil, cursor, nil, overOf(err)
		}
		if len(events) == 0 {
			return nil, cursor, nil, errOver{"end"}
		}
		p.events = events
	}
	if wait := p.wait(); wait > 0 {
		return nil, cursor, after(wait), nil
	}
	b, to := p.play()
	return b, to, nil, nil
}

func (p *player) leave() {}

// wait returns how long the next event has to wait.
func (p *player) wait() time.Duration {
	if p.due.IsZero() {
		pause := time.Duration(0)
		if p.last != 0 {
			pause = min(longestPause, time.Duration(p.events[0].Time-p.last)*time.Millisecond) / time.Duration(p.speed)
		}
		p.due = time.Now().Add(pause)
	}
	return time.Until(p.due)
}

// play takes the next event, and those of the same moment, and cuts.
func (p *player) play() ([]byte, classroom.Cursor) {
	n := 1
	for n < len(p.events) && p.events[n].ID <= p.head && p.events[n].Time-p.events[0].Time < classroom.Stamp(cutPause.Milliseconds())*classroom.Stamp(p.speed) {
		n++
	}
	p.screen.take(p.events[:n])
	p.last, p.due = p.events[n-1].Time, time.Time{}
	p.events = p.events[n:]
	to := p.screen.fold.Cursor
	return p.screen.cut().frame(to), to
}

// after returns a channel that is closed once d has passed.
func after(d time.Duration) <-chan struct{} {
	c := make(chan struct{})
	time.AfterFunc(d, func() { close(c) })
	return c
}
