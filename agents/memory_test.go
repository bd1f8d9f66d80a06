package agents_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"colloquy/classroom"
)

// A memoryLease is a session's lease; nobody has it if holder is empty.
type memoryLease struct {
	generation int64
	holder     string
	expires    time.Time
}

// A memoryStore is a log, leases and classes in memory, as strict as package store's:
// it refuses an ended context, a lost lease and a client id used twice.
type memoryStore struct {
	mu       sync.Mutex
	events   map[string][]classroom.Event
	leases   map[string]memoryLease
	class    classroom.Class
	failNext error         // of the next append
	disk     chan struct{} // where it is set, an append waits until it is closed
}

func newMemoryStore() *memoryStore {
	class := classroom.Class{
		ID: "c", Title: "Biology", Roster: []classroom.Agent{
			{ID: "ada", Name: "Ms Ada", Role: classroom.Teacher, Priority: 10},
			{ID: "ben", Name: "Ben", Role: classroom.Assistant, Priority: 7},
			{ID: "cleo", Name: "Cleo", Role: classroom.Student, Priority: 5},
			{ID: "dan", Name: "Dan", Role: classroom.Student, Priority: 4},
		}}
	return &memoryStore{events: map[string][]classroom.Event{}, leases: map[string]memoryLease{}, class: class}
}

// open starts a session with those agents of the class, all if none is named.
func (m *memoryStore) open(id string, agents ...string) {
	m.openAs(id, classroom.ModeQA, 0, agents...)
}

// openAs is open in a mode, with a number of rounds; 0 asks for none in particular.
func (m *memoryStore) openAs(id, mode string, rounds int, agents ...string) {
	var roster []classroom.Agent
	for _, a := range m.class.Roster {
		if len(agents) == 0 || slices.Contains(agents, a.ID) {
			roster = append(roster, a)
		}
	}
	m.mu.Lock()
	m.events[id] = []classroom.Event{}
	m.mu.Unlock()
	start := classroom.SessionStart{ClassID: "c", Title: "Plants", Mode: mode, Rounds: rounds, Roster: roster}
	if _, err := m.Append(context.Background(), id, 0, classroom.Draft{Payload: start}); err != nil {
		panic(err)
	}
}

func (m *memoryStore) Append(
	ctx context.Context, id string, generation int64, drafts ...classroom.Draft,
) ([]classroom.Event, error) {
	if m.disk != nil {
		<-m.disk
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	log, ok := m.events[id]
	if !ok {
		return nil, classroom.ErrNotFound
	}
	if generation != 0 && !m.leases[id].proves(generation) {
		return nil, classroom.ErrLeaseLost
	}
	if err := m.failNext; err != nil {
		m.failNext = nil
		return nil, err
	}
	var out []classroom.Event
	for _, d := range drafts {
		e, err := d.Encode(classroom.Cursor(len(log)+len(out)+1), classroom.StampOf(time.Now()))
		if err != nil {
			return nil, err
		}
		if u, ok := d.Payload.(classroom.UserMessage); ok && u.ClientID != "" && m.sent(id, u.ClientID) != nil {
			return nil, classroom.ErrClientIDReused
		}
		out = append(out, e)
	}
	m.events[id] = append(log, out...)
	return out, nil
}

func (m *memoryStore) Read(_ context.Context, id string, after classroom.Cursor, limit int) ([]classroom.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	log, ok := m.events[id]
	if !ok {
		return nil, classroom.ErrNotFound
	}
	from := min(int(after), len(log))
	return slices.Clone(log[from:min(from+limit, len(log))]), nil
}

func (m *memoryStore) SentBefore(_ context.Context, id, client string) (classroom.Event, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.sent(id, client); e != nil {
		return *e, true, nil
	}
	return classroom.Event{}, false, nil
}

func (m *memoryStore) sent(id, client string) *classroom.Event {
	for i, e := range m.events[id] {
		if e.Type != classroom.TypeUserMessage {
			continue
		}
		if p, _ := classroom.Decode(e); p.(classroom.UserMessage).ClientID == client {
			return &m.events[id][i]
		}
	}
	return nil
}

// proves reports whether a generation is that of the lease.
func (l memoryLease) proves(generation int64) bool {
	return l.holder != "" && l.generation == generation
}

func (m *memoryStore) Acquire(_ context.Context, id, holder string, ttl time.Duration) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.leases[id]
	if l.holder != "" && l.holder != holder && l.expires.After(time.Now()) {
		return 0, classroom.ErrLeaseLost
	}
	m.leases[id] = memoryLease{l.generation + 1, holder, time.Now().Add(ttl)}
	return l.generation + 1, nil
}

func (m *memoryStore) Renew(_ context.Context, id string, generation int64, ttl time.Duration) error {
	return m.changeLease(id, generation, func(l *memoryLease) { l.expires = time.Now().Add(ttl) })
}

func (m *memoryStore) Release(_ context.Context, id string, generation int64) error {
	return m.changeLease(id, generation, func(l *memoryLease) { l.holder = "" })
}

func (m *memoryStore) changeLease(id string, generation int64, change func(*memoryLease)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.leases[id]
	if !l.proves(generation) {
		return classroom.ErrLeaseLost
	}
	change(&l)
	m.leases[id] = l
	return nil
}

func (m *memoryStore) Class(_ context.Context, id string) (classroom.Class, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if id != m.class.ID {
		return classroom.Class{}, classroom.ErrNotFound
	}
	return m.class, nil
}

func (m *memoryStore) Unfinished(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []string
	for id, log := range m.events {
		if classroom.Of(log).Status() != classroom.Idle {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// log returns a copy of a session's events.
func (m *memoryStore) log(id string) []classroom.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.events[id])
}

// steal makes the session's lease another process's.
func (m *memoryStore) steal(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.leases[id] = memoryLease{m.leases[id].generation + 1, "thief", time.Now().Add(time.Hour)}
}

// remove deletes a session and its log.
func (m *memoryStore) remove(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.events, id)
}

// crash keeps the first n events of a session, as if the process had died there.
func (m *memoryStore) crash(id string, n int) *memoryStore {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := newMemoryStore()
	c.events[id] = slices.Clone(m.events[id][:n])
	return c
}

// expire has the session's lease expire.
func (m *memoryStore) expire(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.leases[id]
	l.expires = time.Time{}
	m.leases[id] = l
}
