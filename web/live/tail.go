package live

import (
	"slices"
	"sort"

	"colloquy/classroom"
)

const (
	tailBytes   = 1 << 20
	tailBatches = 1024
)

// A batch has the bytes that bring a reader from one cursor to another. They are
// encoded once and written to many readers.
type batch struct {
	from, to classroom.Cursor
	bytes    []byte
	starts   []int // where the frame of each cursor after from begins; nil where only from is a boundary
}

// A tail is the newest part of a stream. It never changes: it is replaced by the
// next one, and then its channel is closed. So a reader that holds a tail misses
// nothing if it reads the tail first and then waits for the channel.
type tail struct {
	batches  []batch // adjoining, oldest first
	size     int     // bytes held
	head     classroom.Cursor
	replaced chan struct{}
	ended    string // why nothing comes after this tail; empty while more may come
}

func newTail(head classroom.Cursor) *tail { return &tail{head: head, replaced: make(chan struct{})} }

// with returns the tail that has b after t. Where that exceeds the bounds, it is
// without the oldest half.
func (t *tail) with(b batch) *tail {
	next := &tail{batches: append(t.batches, b), size: t.size + len(b.bytes), head: b.to, replaced: make(chan struct{})}
	if next.size > tailBytes || len(next.batches) > tailBatches {
		next.dropOldest()
	}
	return next
}

// last returns t as a tail that nothing follows.
func (t *tail) last(reason string) *tail {
	next := *t
	next.replaced, next.ended = make(chan struct{}), reason
	return &next
}

func (t *tail) dropOldest() {
	keep := len(t.batches) / 2
	for ; keep < len(t.batches)-1 && sizeOf(t.batches[keep:]) > tailBytes/2; keep++ {
	}
	t.batches = slices.Clone(t.batches[keep:])
	t.size = sizeOf(t.batches)
}

func sizeOf(batches []batch) int {
	n := 0
	for _, b := range batches {
		n += len(b.bytes)
	}
	return n
}

// after returns the bytes that follow a cursor, and the cursor that they lead to.
// At the head and beyond it there are none. ok is false where the tail does not
// know: the cursor is older than the tail, or between two boundaries.
func (t *tail) after(cursor classroom.Cursor) (b []byte, to classroom.Cursor, ok bool) {
	if cursor >= t.head { // a reader that reads the log itself may be ahead of the tail
		return nil, cursor, true
	}
	i := sort.Search(len(t.batches), func(i int) bool { return t.batches[i].to > cursor })
	if i == len(t.batches) || t.batches[i].from > cursor {
		return nil, cursor, false
	}
	found := t.batches[i]
	if found.from == cursor {
		return found.bytes, found.to, true
	}
	if found.starts == nil {
		return nil, cursor, false
	}
	return found.bytes[found.starts[cursor-found.from]:], found.to, true
}
