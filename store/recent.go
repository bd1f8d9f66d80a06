package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"colloquy/classroom"
)

const (
	recentEvents = 1024        // kept of one session; at most twice as many for a moment
	recentBytes  = 256 << 10   // of their data, of one session
	recentLife   = time.Minute // without an append and without a follower, a session is dropped
)

// recent holds the newest committed events of the sessions that were appended
// to or asked for lately, and the channels that say that there may be more.
// Whoever follows a session takes its events from here, as they were appended
// and with their payloads, and reads the database only when it has fallen behind.
type recent struct {
	mu       sync.RWMutex
	now      func() time.Time
	swept    time.Time
	sessions map[string]*recentLog
	lists    chan struct{}
}

// A recentLog is the end of one session's log.
type recentLog struct {
	events  []classroom.Event // adjoining; the last is the head of the log. Elements are never changed
	bytes   int               // of the events' data
	changed chan struct{}     // nil until somebody asks for it
	used    time.Time         // the last append, or the last time somebody asked for changed
}

func newRecent() *recent {
	return &recent{now: time.Now, swept: time.Now(), sessions: map[string]*recentLog{}, lists: make(chan struct{})}
}

// changed returns the channel that closes at the session's next change.
func (r *recent) changed(session string) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep()
	l := r.log(session)
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.changed
}

// log returns the session's entry, and makes it where there is none. r.mu is held.
func (r *recent) log(session string) *recentLog {
	l := r.sessions[session]
	if l == nil {
		l = new(recentLog)
		r.sessions[session] = l
	}
	l.used = r.now()
	return l
}

// sweep drops the sessions that nobody used for a while. A follower that still
// waits is woken, finds nothing new, and asks again. r.mu is held.
func (r *recent) sweep() {
	now := r.now()
	if now.Sub(r.swept) < recentLife {
		return
	}
	r.swept = now
	for session, l := range r.sessions {
		if now.Sub(l.used) >= recentLife {
			l.notify()
			delete(r.sessions, session)
		}
	}
}

// notify wakes the followers of the session.
func (l *recentLog) notify() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// publish adds what one commit brought, wakes its followers, and wakes those who
// follow the lists if lists is set.
func (r *recent) publish(changes []change, lists bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range changes {
		l := r.log(c.session)
		l.add(c.events)
		l.notify()
		if c.deleted {
			delete(r.sessions, c.session)
		}
	}
	if lists {
		close(r.lists)
		r.lists = make(chan struct{})
	}
	r.sweep()
}

// add appends events, and drops the oldest half where a bound is passed.
func (l *recentLog) add(events []classroom.Event) {
	if len(events) == 0 {
		return
	}
	l.events = append(l.events, events...)
	l.bytes += dataBytes(events)
	if len(l.events) <= 2*recentEvents && l.bytes <= 2*recentBytes {
		return
	}
	keep := max(0, len(l.events)-recentEvents)
	for bytes := dataBytes(l.events[keep:]); bytes > recentBytes && keep < len(l.events)-1; keep++ {
		bytes -= len(l.events[keep].Data)
	}
	l.events = slices.Clone(l.events[keep:])
	l.bytes = dataBytes(l.events)
}

func dataBytes(events []classroom.Event) int {
	n := 0
	for _, e := range events {
		n += len(e.Data)
	}
	return n
}

// after returns the events after a cursor, at most limit of them. ok is false
// where only the database can tell.
func (r *recent) after(session string, after classroom.Cursor, limit int) (events []classroom.Event, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	l := r.sessions[session]
	if l == nil || len(l.events) == 0 || after < l.events[0].ID-1 {
		return nil, false
	}
	from := min(int(after-l.events[0].ID)+1, len(l.events))
	to := len(l.events)
	if limit > 0 {
		to = min(to, from+limit)
	}
	return l.events[from:to:to], true
}

// head returns the cursor of the session's last event, where it is known here.
func (r *recent) head(session string) (classroom.Cursor, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	l := r.sessions[session]
	if l == nil || len(l.events) == 0 {
		return 0, false
	}
	return l.events[len(l.events)-1].ID, true
}

// Changed returns a channel that is closed at the session's next append, or when
// the session is deleted. Take it before reading. It may also close when
// nothing changed.
func (s *Store) Changed(sessionID string) <-chan struct{} { return s.recent.changed(sessionID) }

// ListsChanged returns a channel that is closed at the next change of what lists
// show: a class, a session's title or status, a material; made, changed or
// deleted.
func (s *Store) ListsChanged() <-chan struct{} {
	s.recent.mu.RLock()
	defer s.recent.mu.RUnlock()
	return s.recent.lists
}

// Head returns the cursor of the session's last event.
func (s *Store) Head(ctx context.Context, sessionID string) (classroom.Cursor, error) {
	if head, ok := s.recent.head(sessionID); ok {
		return head, ctx.Err()
	}
	return s.storedHead(ctx, sessionID)
}
