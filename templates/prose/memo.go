package prose

import (
	"container/list"
	"sync"
)

// A memo remembers what was made of the texts used last, up to a number of bytes. It may be used from any goroutine.
type memo[V any] struct {
	room int // bytes of keys and values it may hold

	mu     sync.Mutex
	held   int
	byKey  map[string]*list.Element
	latest list.List // of entry; the one used last is in front
}

type entry[V any] struct {
	key   string
	value V
	size  int
}

func (m *memo[V]) get(key string) (value V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.byKey[key]
	if !ok {
		return value, false
	}
	m.latest.MoveToFront(at)
	return at.Value.(entry[V]).value, true
}

// put takes the size of the value in bytes.
func (m *memo[V]) put(key string, value V, size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	size += len(key)
	if m.byKey[key] != nil || size > m.room/8 {
		return
	}
	if m.byKey == nil {
		m.byKey = make(map[string]*list.Element)
	}
	m.byKey[key] = m.latest.PushFront(entry[V]{key, value, size})
	for m.held += size; m.held > m.room; {
		old := m.latest.Remove(m.latest.Back()).(entry[V])
		delete(m.byKey, old.key)
		m.held -= old.size
	}
}
