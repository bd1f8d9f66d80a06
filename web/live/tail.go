package live

import (
	"slices"
	"sort"

	"colloquy/classroom"
)

const (
	ringBytes   = 1 << 20
	ringBatches = 1024
)

// A batch is encoded once and written to many: the bytes that bring a reader
// from one cursor to another.
type batch struct {
	from, to classroom.Cursor
	bytes    []byte
	starts   []int // where the frame of each cursor after from begins; nil where only from is a boundary
}

// A tail is the newest part of a stream. It never changes: the next one is
// published and news is closed, so a reader that holds a tail has taken its
// wait before it reads.
type tail struct {
	batches []batch // adjoining, oldest first
	size    int     // bytes held
	head    classroom.Cursor
	news    chan struct{}
	over    string // why nothing comes after this tail; empty while more may come
}

func newTail(head classroom.Cursor) *tail { return &tail{head: head, news: make(chan struct{})} }

// and returns the tail that follows t by b, without the oldest half where the
// bounds are passed.
func (t *tail) and(b batch) *tail {
	next := &tail{batches: append(t.batches, b), size: t.size + len(b.bytes), head: b.to, news: make(chan struct{})}
	if next.size > ringBytes || len(next.batches) > ringBatches {
		next.drop()
	}
	return next
}

func (t *tail) drop() {
	keep := len(t.batches) / 2
	for ; keep < len(t.batches)-1 && sizeOf(t.batches[keep:]) > ringBytes/2; keep++ {
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

// after returns the bytes that follow cursor and where they lead. ok is false
// where the tail cannot say: the cursor is older than what it holds, or between
// two boundaries. At the head, and beyond it, there
// are no bytes.
func (t *tail) after(cursor classroom.Cursor) (b []byte, to classroom.Cursor, ok bool) {
	if cursor >= t.head { // a reader of the log itself may be ahead of the tail
		return nil, cursor, true
	}
	i := sort.Search(len(t.batches), func(i int) bool { return t.batches[i].to > cursor })
	if i == len(t.batches) || t.batches[i].from > cursor {
		return nil, cursor, false
	}
	at := t.batches[i]
	if at.from == cursor {
		return at.bytes, at.to, true
	}
	if at.starts == nil {
		return nil, cursor, false
	}
	return at.bytes[at.starts[cursor-at.from]:], at.to, true
}
