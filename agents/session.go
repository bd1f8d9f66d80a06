package agents

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"colloquy/classroom"
)

// A session is one session in memory: its fold, and its run if it has one.
type session struct {
	rt      *Runtime
	id      string
	lastUse int64 // guarded by Runtime.mu

	loaded       chan struct{} // closed when load has ended
	loadErr      error         // of load; read it after loaded is closed
	interruption string        // the reason that load gives for a run it finds open
	acquiring    chan struct{} // holds a token while somebody acquires the lease

	// mu guards what follows and orders the session's appends. Nothing is looked
	// up or read from the store while it is held.
	mu         sync.Mutex
	gone       bool // no longer in memory: load it again
	class      classroom.Class
	fold       *classroom.Fold
	run        *run
	generation int64 // of the lease, 0 when it holds none; kept a few seconds after a run
}

const readPage = 2000 // events

// session returns the session of that id, locked. The caller ends its call with
// [session.unlock].
func (rt *Runtime) session(ctx context.Context, id string) (*session, error) {
	return rt.sessionInterruptedBy(ctx, id, "crash")
}

// sessionInterruptedBy is session, with the reason for a run that it finds open.
func (rt *Runtime) sessionInterruptedBy(ctx context.Context, id, reason string) (*session, error) {
	for {
		s, err := rt.entry(id, reason)
		if err != nil {
			return nil, err
		}
		if err := s.waitLoaded(ctx); err != nil {
			rt.work.Done()
			return nil, err
		}
		s.mu.Lock()
		if !s.gone {
			return s, nil
		}
		s.unlock()
	}
}

// unlock ends a call that began with [Runtime.entry] and locked the session.
func (s *session) unlock() {
	s.mu.Unlock()
	s.rt.work.Done()
}

func (s *session) waitLoaded(ctx context.Context) error {
	select {
	case <-s.loaded:
		return s.loadErr
	case <-ctx.Done():
		return fmt.Errorf("wait for session %s: %w", s.id, ctx.Err())
	}
}

// sessionWithSpeakers is session for a caller that may start a run. Where none
// runs, it also returns the speakers of the next one.
func (rt *Runtime) sessionWithSpeakers(ctx context.Context, id string) (*session, *speakers, error) {
	var found *speakers
	for {
		s, err := rt.leasedSession(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if s.run != nil {
			return s, nil, nil
		}
		if found != nil {
			return s, found, nil
		}
		class, roster := s.class, s.fold.Roster
		s.unlock()
		found = rt.lookUpSpeakers(ctx, class, roster)
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("look up the speakers of session %s: %w", id, err)
		}
	}
}

// entry returns the session of that id for a call, and begins to load it where it
// is not in memory. The runtime loads it, not the caller: others may wait for it
// too. Close waits for the call, so that it interrupts a run that the call starts.
func (rt *Runtime) entry(id, interruption string) (*session, error) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if rt.closing {
		return nil, classroom.ErrClosing
	}
	s := rt.sessionsByID[id]
	if s == nil {
		rt.evict()
		s = &session{rt: rt, id: id, interruption: interruption,
			loaded: make(chan struct{}), acquiring: make(chan struct{}, 1)}
		rt.sessionsByID[id] = s
		rt.work.Go(s.load)
	}
	rt.uses++
	s.lastUse = rt.uses
	rt.work.Add(1)
	return s, nil
}

// evict removes the session that is idle longest when too many are in memory.
func (rt *Runtime) evict() {
	if len(rt.sessionsByID) < maxLoaded {
		return
	}
	var oldest *session
	for _, s := range rt.sessionsByID {
		if (oldest == nil || s.lastUse < oldest.lastUse) && s.whileIdle(func() {}) {
			oldest = s
		}
	}
	if oldest != nil {
		oldest.whileIdle(func() {
			oldest.gone = true
			delete(rt.sessionsByID, oldest.id)
		})
	}
}

// whileIdle calls f where the session is loaded, unused and without a run, and
// reports whether it did. It does not wait for the session's lock.
func (s *session) whileIdle(f func()) bool {
	select {
	case <-s.loaded:
	default:
		return false
	}
	if !s.mu.TryLock() {
		return false
	}
	defer s.mu.Unlock()
	if s.run != nil {
		return false
	}
	f()
	return true
}

func (rt *Runtime) sessions() []*session {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	out := make([]*session, 0, len(rt.sessionsByID))
	for _, s := range rt.sessionsByID {
		out = append(out, s)
	}
	return out
}

// Forget removes a deleted session from memory and ends its run, without an
// event in its log.
func (rt *Runtime) Forget(id string) {
	rt.mu.Lock()
	s := rt.sessionsByID[id]
	rt.mu.Unlock()
	if s == nil {
		return
	}
	s.mu.Lock()
	r := s.run
	if r != nil {
		r.cancel(errLost)
	}
	s.unload()
	s.mu.Unlock()
	if r != nil {
		<-r.done
	}
}

// unload removes the session from memory: its next use loads it again. s.mu is held.
func (s *session) unload() {
	s.gone = true
	s.rt.mu.Lock()
	defer s.rt.mu.Unlock()
	if s.rt.sessionsByID[s.id] == s {
		delete(s.rt.sessionsByID, s.id)
	}
}

// load folds the log and closes a run that a crash or a fork left open.
func (s *session) load() {
	defer close(s.loaded)
	err := s.read(s.rt.ctx)
	if err == nil {
		err = s.closeRunAtLoad(s.rt.ctx)
	}
	if err == nil {
		return
	}
	if s.loadErr = err; s.rt.ctx.Err() != nil {
		s.loadErr = classroom.ErrClosing
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unload()
}

// read folds the session's log and reads its class.
func (s *session) read(ctx context.Context) error {
	events, err := s.readAfter(ctx, 0)
	if err != nil {
		return err
	}
	fold := classroom.Of(events)
	class, err := s.rt.o.Classes.Class(ctx, fold.ClassID)
	if err != nil {
		return fmt.Errorf("load class of session %s: %w", s.id, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fold, s.class = fold, class
	return nil
}

// readAfter reads the session's log from a cursor to its end.
func (s *session) readAfter(ctx context.Context, after classroom.Cursor) ([]classroom.Event, error) {
	var all []classroom.Event
	for {
		events, err := s.rt.o.Log.Read(ctx, s.id, after, readPage)
		if err != nil {
			return nil, fmt.Errorf("load session %s: %w", s.id, err)
		}
		all = append(all, events...)
		if len(events) < readPage {
			return all, nil
		}
		after = all[len(all)-1].ID
	}
}

// rounds returns how many rounds the session has: what a person asked for, or
// what is usual in its mode. s.mu is held.
func (s *session) rounds() int { return classroom.ModeOf(s.fold.Mode).RoundsOf(s.fold.Rounds) }

// limits returns the limits of the session's runs. A mode of many speakers gets
// more windows than question and answer, and more time and tool calls. s.mu is held.
func (s *session) limits() classroom.Limits {
	l := s.rt.o.Limits
	windows := classroom.ModeOf(s.fold.Mode).Windows(s.rounds(), len(s.fold.Roster))
	if more := windows + 8 - l.Windows; windows > 0 && more > 0 { // 8: for interjections
		l.Windows += more
		l.ToolCalls += 3 * more
		l.Seconds += 60 * more
	}
	return l
}

// append commits drafts and applies them to the fold. s.mu is held. A lease that turns
// out to be lost is acquired again by the next call, unless a run still has it.
func (s *session) append(ctx context.Context, generation int64, drafts ...classroom.Draft) ([]classroom.Event, error) {
	events, err := s.rt.o.Log.Append(ctx, s.id, generation, drafts...)
	if errors.Is(err, classroom.ErrLeaseLost) && s.run == nil {
		s.generation = 0
	}
	if err != nil {
		return nil, fmt.Errorf("append to session %s: %w", s.id, err)
	}
	if len(events) > 0 {
		if err := s.catchUp(ctx, events[0].ID); err != nil {
			return nil, err
		}
	}
	for _, e := range events {
		s.fold.Apply(e)
	}
	return events, nil
}

// catchUp applies the events before a cursor that were appended without a lease, as by a
// program beside the runtime. s.mu is held.
func (s *session) catchUp(ctx context.Context, before classroom.Cursor) error {
	for s.fold.Cursor+1 < before {
		limit := int(before - 1 - s.fold.Cursor)
		missed, err := s.rt.o.Log.Read(ctx, s.id, s.fold.Cursor, min(limit, readPage))
		if err == nil && len(missed) == 0 {
			err = errors.New("the log has a gap")
		}
		if err != nil {
			return fmt.Errorf("read what others appended to session %s: %w", s.id, err)
		}
		for _, e := range missed {
			s.fold.Apply(e)
		}
	}
	return nil
}

// running reports whether the session has a run.
func (s *session) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run != nil
}
