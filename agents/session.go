package agents

import (
	"context"
	"fmt"
	"sync"

	"colloquy/classroom"
)

// A session is one session in memory: its fold, and its run if it has one.
type session struct {
	rt   *Runtime
	id   string
	used int64 // guarded by Runtime.mu

	mu    sync.Mutex // guards what follows, and orders the session's appends
	ready bool
	gone  bool // dropped from memory: load it again
	class classroom.Class
	fold  *classroom.Fold
	run   *run

	cut        string // why load finds an open run, where it is no crash
	generation int64  // of the lease, 0 when it holds none; kept a few seconds after a run
}

const page = 2000

// session returns the session of that id, locked. The caller ends its call with
// [session.unlock].
func (rt *Runtime) session(ctx context.Context, id string) (*session, error) {
	for {
		s, err := rt.slot(id)
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		if s.gone {
			s.unlock()
			continue
		}
		if s.ready {
			return s, nil
		}
		if err := s.load(ctx); err != nil {
			s.drop()
			s.unlock()
			return nil, err
		}
		return s, nil
	}
}

// unlock ends a call that began with [Runtime.slot] and locked the session.
func (s *session) unlock() {
	s.mu.Unlock()
	s.rt.work.Done()
}

// slot returns the session of that id for a call, which Close waits for: a run
// that the call begins is then among those that it interrupts.
func (rt *Runtime) slot(id string) (*session, error) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if rt.closing {
		return nil, classroom.ErrClosing
	}
	s := rt.loaded[id]
	if s == nil {
		rt.evict()
		s = &session{rt: rt, id: id}
		rt.loaded[id] = s
	}
	rt.clock++
	s.used = rt.clock
	rt.work.Add(1)
	return s, nil
}

// evict drops the session that is idle longest when too many are kept.
func (rt *Runtime) evict() {
	if len(rt.loaded) < keepIdle {
		return
	}
	var oldest *session
	for _, s := range rt.loaded {
		if oldest != nil && oldest.used < s.used || !s.mu.TryLock() {
			continue
		}
		if s.ready && s.run == nil {
			oldest = s
		}
		s.mu.Unlock()
	}
	if oldest == nil || !oldest.mu.TryLock() {
		return
	}
	defer oldest.mu.Unlock()
	if oldest.run == nil {
		oldest.gone = true
		delete(rt.loaded, oldest.id)
	}
}

func (rt *Runtime) sessions() []*session {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	out := make([]*session, 0, len(rt.loaded))
	for _, s := range rt.loaded {
		out = append(out, s)
	}
	return out
}

// Forget drops a deleted session from memory and ends its run without a word in its log.
func (rt *Runtime) Forget(id string) {
	rt.mu.Lock()
	s := rt.loaded[id]
	rt.mu.Unlock()
	if s == nil {
		return
	}
	s.mu.Lock()
	r := s.run
	if r != nil {
		r.cancel(errLost)
	}
	s.drop()
	s.mu.Unlock()
	if r != nil {
		<-r.done
	}
}

// drop makes the session be loaded again at its next use. s.mu is held.
func (s *session) drop() {
	s.gone = true
	s.rt.mu.Lock()
	defer s.rt.mu.Unlock()
	if s.rt.loaded[s.id] == s {
		delete(s.rt.loaded, s.id)
	}
}

// load folds the log and closes what a crash left open. s.mu is held.
func (s *session) load(ctx context.Context) error {
	s.fold = new(classroom.Fold)
	for {
		events, err := s.rt.o.Log.Read(ctx, s.id, s.fold.Cursor, page)
		if err != nil {
			return fmt.Errorf("load session %s: %w", s.id, err)
		}
		for _, e := range events {
			s.fold.Apply(e)
		}
		if len(events) < page {
			break
		}
	}
	class, err := s.rt.o.Classes.Class(ctx, s.fold.ClassID)
	if err != nil {
		return fmt.Errorf("load class of session %s: %w", s.id, err)
	}
	s.class = class
	s.ready = true
	return s.settle(ctx)
}

// refresh reads the class again: its rules or its agents may have been changed
// since the session was loaded. Where that fails the class stays as it was.
func (s *session) refresh(ctx context.Context) {
	class, err := s.rt.o.Classes.Class(ctx, s.class.ID)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.class = class
}

// rounds is how many rounds the session has, by its mode and what was asked for.
// s.mu is held.
func (s *session) rounds() int { return classroom.RoundsOf(s.fold.Mode, s.fold.Rounds) }

// limits are the caps of the session's runs. A mode that gives the floor to many
// has more windows than a question and answer, and time and calls for them.
func (s *session) limits() classroom.Limits {
	l := s.rt.o.Limits
	rounds, windows := s.rounds(), 0
	switch s.fold.Mode {
	case classroom.ModeDiscussion:
		windows = rounds * len(s.fold.Roster)
	case classroom.ModeDebate:
		windows = 2*rounds + 2
	}
	if more := windows + 8 - l.Windows; windows > 0 && more > 0 { // 8: for interjections
		l.Windows += more
		l.ToolCalls += 3 * more
		l.Seconds += 60 * more
	}
	return l
}

// append commits drafts and takes them into the fold. s.mu is held.
func (s *session) append(ctx context.Context, generation int64, drafts ...classroom.Draft) ([]classroom.Event, error) {
	events, err := s.rt.o.Log.Append(ctx, s.id, generation, drafts...)
	if err != nil {
		return nil, fmt.Errorf("append to session %s: %w", s.id, err)
	}
	for _, e := range events {
		s.fold.Apply(e)
	}
	return events, nil
}

// running reports whether the session has a run.
func (s *session) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run != nil
}

// speakers are the roster agents of the session, as its class describes them now.
func (s *session) speakers() []classroom.Agent {
	out := make([]classroom.Agent, 0, len(s.fold.Roster))
	for _, a := range s.fold.Roster {
		for _, full := range s.class.Roster {
			if full.ID == a.ID {
				a = full
			}
		}
		out = append(out, a)
	}
	return out
}
