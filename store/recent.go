package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"colloquy/classroom"
)

const (
	recentEvents = 1024        // kept of one session; up to twice as many between two trims
	recentBytes  = 256 << 10   // of data, kept of one session; the same
	recentLife   = time.Minute // a session that was not used for this long is dropped
)

// recent holds the newest committed events of the sessions in use, with their decoded
// payloads, and the channels that signal changes. Readers that follow a session get its
// events from here, and read the database only when they have fallen behind.
type recent struct {
	mu       sync.RWMutex
	now      func() time.Time
	swept    time.Time
	sessions map[string]*recentLog
	lists    chan struct{}
	rights   chan struct{} // closed after the next change of rights
}

// A recentLog is the end of one session's log.
type recentLog struct {
	events  []classroom.Event // consecutive, up to the head of the log. Elements are never changed
	bytes   int               // of the events' data
	changed chan struct{}     // nil until a reader calls recent.changed
	used    time.Time         // the last append or call of recent.changed
}

func newRecent() *recent {
	return &recent{
		now: time.Now, swept: time.Now(), sessions: map[string]*recentLog{},
		lists: make(chan struct{}), rights: make(chan struct{}),
	}
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

// log returns the session's entry, and creates it if there is none. r.mu is held.
func (r *recent) log(session string) *recentLog {
	l := r.sessions[session]
	if l == nil {
		l = new(recentLog)
		r.sessions[session] = l
	}
	l.used = r.now()
	return l
}

// sweep drops the sessions that were not used for recentLife. A reader that still waits
// is woken, finds nothing new, and waits again. r.mu is held.
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

// notify wakes the readers that wait for a change of the session.
func (l *recentLog) notify() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// publish adds the changes of one commit and wakes the readers of those sessions, and
// the readers of the lists if listsChanged is set.
func (r *recent) publish(changes []change, listsChanged bool) {
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
	if listsChanged {
		close(r.lists)
		r.lists = make(chan struct{})
	}
	r.sweep()
}

// dropEvents forgets all events, and wakes the readers that follow them.
func (r *recent) dropEvents() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.sessions {
		l.events, l.bytes = nil, 0
		l.notify()
	}
}

// publishRights wakes those that watch rights.
func (r *recent) publishRights() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.rights)
	r.rights = make(chan struct{})
}

// add appends events. When the events exceed twice a bound, it drops the oldest ones.
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

// after returns the events after a cursor, at most limit of them. ok is false if the
// database must be read for them.
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

// head returns the cursor of the session's last event. ok is false if the database must
// be read for it.
func (r *recent) head(session string) (head classroom.Cursor, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	l := r.sessions[session]
	if l == nil || len(l.events) == 0 {
		return 0, false
	}
	return l.events[len(l.events)-1].ID, true
}

// Changed returns a channel that is closed after the session's next append or deletion.
// Call it before Read, so that no append is missed. The channel may also be closed when
// nothing changed.
func (s *Store) Changed(sessionID string) <-chan struct{} { return s.recent.changed(sessionID) }

// ListsChanged returns a channel that is closed after the next change of what lists
// show: a class, a material, or a session's title, status or number of exchanges.
func (s *Store) ListsChanged() <-chan struct{} {
	s.recent.mu.RLock()
	defer s.recent.mu.RUnlock()
	return s.recent.lists
}

// RightsChanged returns a channel that is closed after the next change that may take
// away a right: of a membership, or of a link that is revoked.
func (s *Store) RightsChanged() <-chan struct{} {
	s.recent.mu.RLock()
	defer s.recent.mu.RUnlock()
	return s.recent.rights
}

// Head returns the cursor of the session's last event.
func (s *Store) Head(ctx context.Context, sessionID string) (classroom.Cursor, error) {
	if head, ok := s.recent.head(sessionID); ok {
		return head, ctx.Err()
	}
	return s.storedHead(ctx, sessionID)
}
