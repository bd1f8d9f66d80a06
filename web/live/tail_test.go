package live

import (
	"encoding/json"
	"strings"
	"testing"

	"colloquy/classroom"
)

// eventsFrom makes adjoining events with payloads of that size.
func eventsFrom(from, n, size int) []classroom.Event {
	data, _ := json.Marshal(strings.Repeat("x", size))
	out := make([]classroom.Event, n)
	for i := range out {
		out[i] = classroom.Event{ID: classroom.Cursor(from + i), Type: "x", Data: data}
	}
	return out
}

// readAll reads a tail from a cursor to its head.
func readAll(t *testing.T, tl *tail, cursor classroom.Cursor) string {
	t.Helper()
	var out strings.Builder
	for {
		b, to, ok := tl.after(cursor)
		if !ok {
			t.Fatalf("the tail does not know what follows %d", cursor)
		}
		if to == cursor {
			return out.String()
		}
		out.Write(b)
		cursor = to
	}
}

// A tail returns exactly what follows each cursor that it covers, and reports when it
// does not cover one.
func TestTailFromEveryCursor(t *testing.T) {
	tl := newTail(10)
	var all []classroom.Event
	for _, n := range []int{1, 4, 1, 7, 2} {
		more := eventsFrom(11+len(all), n, 10)
		b, err := feedKey{}.encodeBatch(tl.head, more)
		if err != nil {
			t.Fatal(err)
		}
		before := tl
		tl, all = tl.with(b), append(all, more...)
		if before.head == tl.head || len(before.batches) == len(tl.batches) {
			t.Fatal("a tail changed")
		}
	}
	for i := range len(all) + 1 {
		want, err := feedKey{}.encodeBatch(0, all[i:])
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, tl, classroom.Cursor(10+i)); got != string(want.bytes) {
			t.Errorf("after %d came %q", 10+i, got)
		}
	}
	for cursor, known := range map[classroom.Cursor]bool{
		0: false, 9: false, 10: true, tl.head: true, tl.head + 5: true,
	} {
		if _, _, ok := tl.after(cursor); ok != known {
			t.Errorf("after(%d) is known: %v", cursor, ok)
		}
	}
}

// A tail holds a bounded number of batches and bytes, the newest ones, and a
// batch of any size.
func TestTailIsBounded(t *testing.T) {
	for _, size := range []int{0, 10, 64 << 10, 2 * tailBytes} {
		tl := newTail(0)
		for i := range 3 * tailBatches {
			if i*size > 8*tailBytes {
				break
			}
			b, err := feedKey{}.encodeBatch(tl.head, eventsFrom(i+1, 1, size))
			if err != nil {
				t.Fatal(err)
			}
			tl = tl.with(b)
			if len(tl.batches) > tailBatches || tl.size > tailBytes && len(tl.batches) > 1 ||
				tl.size != sizeOf(tl.batches) {
				t.Fatalf("size %d: %d batches with %d bytes", size, len(tl.batches), tl.size)
			}
		}
		if newest := tl.batches[len(tl.batches)-1]; newest.to != tl.head {
			t.Errorf("size %d: the newest batch leads to %d of %d", size, newest.to, tl.head)
		}
		if _, _, ok := tl.after(0); ok {
			t.Errorf("size %d: the tail still claims the start", size)
		}
	}
}
