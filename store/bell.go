package store

import (
	"sync"
	"time"
)

// bellLife is how long a bell that nobody rang is kept. Then it is rung for
// nothing, which costs its listeners one look at the log, and forgets
// those who went away without a word.
const bellLife = time.Minute

// bells hold one channel for each session that was asked for lately.
type bells struct {
	mu     sync.Mutex
	now    func() time.Time
	turned time.Time
	young  map[string]chan struct{} // asked for since turned
	old    map[string]chan struct{} // asked for in the life before
	lobby  chan struct{}
}

func newBells() *bells {
	return &bells{
		now: time.Now, turned: time.Now(),
		young: map[string]chan struct{}{}, old: map[string]chan struct{}{},
		lobby: make(chan struct{}),
	}
}

func (b *bells) of(session string) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn()
	if c, ok := b.old[session]; ok {
		return c
	}
	c, ok := b.young[session]
	if !ok {
		c = make(chan struct{})
		b.young[session] = c
	}
	return c
}

// turn rings what is older than a life. Only asking for bells makes their
// number grow, so it is enough to look then.
func (b *bells) turn() {
	now := b.now()
	if now.Sub(b.turned) < bellLife {
		return
	}
	for _, c := range b.old {
		close(c)
	}
	b.old, b.young, b.turned = b.young, map[string]chan struct{}{}, now
}

func (b *bells) ring(sessions []string, lobby bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range sessions {
		ringIn(b.young, id)
		ringIn(b.old, id)
	}
	if lobby {
		close(b.lobby)
		b.lobby = make(chan struct{})
	}
}

func ringIn(m map[string]chan struct{}, id string) {
	if c, ok := m[id]; ok {
		close(c)
		delete(m, id)
	}
}

// Bell returns a channel that is closed at the session's next append, or when
// the session is deleted. Take it before reading. It may also close for
// nothing.
func (s *Store) Bell(sessionID string) <-chan struct{} { return s.bells.of(sessionID) }

// Lobby returns a channel that is closed at the next change of what lists
// show: a class, a session's title or status, a material; made, changed or
// deleted.
func (s *Store) Lobby() <-chan struct{} {
	s.bells.mu.Lock()
	defer s.bells.mu.Unlock()
	return s.bells.lobby
}
