package prose

import (
	"container/list"
	"sync"
)

// A memo remembers what was made of the texts used last, up to a number of bytes. It may be used from any goroutine.
type memo struct {
	room int // bytes of keys and values it may hold

	mu     sync.Mutex
	held   int
	byKey  map[string]*list.Element
	latest list.List // of entry; the one used last is in front
}

type entry struct{ key, value string }

func (m *memo) get(key string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.byKey[key]
	if !ok {
		return "", false
	}
	m.latest.MoveToFront(at)
	return at.Value.(entry).value, true
}

func (m *memo) put(key, value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	size := len(key) + len(value)
	if m.byKey[key] != nil || size > m.room/8 {
		return
	}
	if m.byKey == nil {
		m.byKey = make(map[string]*list.Element)
	}
	m.byKey[key] = m.latest.PushFront(entry{key, value})
	for m.held += size; m.held > m.room; {
		old := m.latest.Remove(m.latest.Back()).(entry)
		delete(m.byKey, old.key)
		m.held -= len(old.key) + len(old.value)
	}
}
