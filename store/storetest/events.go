package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"colloquy/classroom"
)

func testGaplessCursors(t *testing.T, l Log) {
	const producers, batches = 12, 40
	ids := []string{newSession(t, l), newSession(t, l)}
	var wg sync.WaitGroup
	for p := range producers {
		wg.Go(func() {
			for b := range batches {
				size := 1 + (p+b)%4
				drafts := make([]classroom.Draft, size)
				for n := range drafts {
					drafts[n] = delta(numbered(p, b, n))
				}
				events, err := l.Append(t.Context(), ids[b%2], 0, drafts...)
				if err != nil {
					t.Error(err)
					return
				}
				for n, e := range events {
					if e.ID != events[0].ID+classroom.Cursor(n) {
						t.Errorf("batch has cursors %d and %d at %d", events[0].ID, e.ID, n)
					}
				}
			}
		})
	}
	wg.Wait()
	for parity, id := range ids {
		checkBatches(t, mustRead(t, l, id, 1, 0), producers, batches, parity)
	}
}

// checkBatches fails unless events hold each batch once, whole, and each
// producer's batches in order.
func checkBatches(t *testing.T, events []classroom.Event, producers, batches, parity int) {
	t.Helper()
	checkCursors(t, events, 1)
	next := make([]int, producers)
	for p := range next {
		next[p] = parity
	}
	for i := 0; i < len(events); {
		var p, b int
		if _, err := fmt.Sscanf(deltaText(t, events[i]), "%d/%d/0", &p, &b); err != nil {
			t.Fatalf("event %d is %q, not the beginning of a batch", events[i].ID, deltaText(t, events[i]))
		}
		if b != next[p] {
			t.Fatalf("producer %d: batch %d, want %d", p, b, next[p])
		}
		next[p] += 2
		for n := range 1 + (p+b)%4 {
			if i >= len(events) || deltaText(t, events[i]) != numbered(p, b, n) {
				t.Fatalf("batch %d/%d is broken at %d", p, b, n)
			}
			i++
		}
	}
	for p, b := range next {
		if b < batches {
			t.Errorf("producer %d: batch %d is missing", p, b)
		}
	}
}

func testBatch(t *testing.T, l Log) {
	id := newSession(t, l)
	mustAppend(t, l, id, 0, message("once"))
	_, err := l.Append(t.Context(), id, 0, delta("before"), message("once"), delta("after"))
	if !errors.Is(err, classroom.ErrClientIDReused) {
		t.Errorf("a batch with a message sent before: got %v, want %v", err, classroom.ErrClientIDReused)
	}
	_, err = l.Append(t.Context(), id, 0, message("twice"), message("twice"))
	if !errors.Is(err, classroom.ErrClientIDReused) {
		t.Errorf("a batch with a message twice: got %v, want %v", err, classroom.ErrClientIDReused)
	}
	if head := mustHead(t, l, id); head != 2 {
		t.Errorf("head is %d, want 2: refused batches left events", head)
	}
	if events := mustAppend(t, l, id, 0); len(events) != 0 {
		t.Errorf("an empty batch gave %v", events)
	}
	checkCursors(t, mustAppend(t, l, id, 0, delta("next")), 2)
}

func testPages(t *testing.T, l Log) {
	id := newSession(t, l)
	for i := range 25 {
		mustAppend(t, l, id, 0, delta(numbered(0, i, 0)), delta(numbered(0, i, 1)))
	}
	whole := mustRead(t, l, id, 0, 0)
	if len(whole) != 51 {
		t.Fatalf("read %d events, want 51", len(whole))
	}
	for limit := 1; limit <= 52; limit++ {
		var got []classroom.Event
		for {
			page := mustRead(t, l, id, classroom.Cursor(len(got)), limit)
			if len(page) > limit {
				t.Fatalf("a page of %d has %d events", limit, len(page))
			}
			if len(page) == 0 {
				break
			}
			got = append(got, page...)
		}
		if !reflect.DeepEqual(asStored(t, got), asStored(t, whole)) {
			t.Fatalf("pages of %d are not the log", limit)
		}
	}
	if beyond := mustRead(t, l, id, 99, 10); len(beyond) != 0 {
		t.Errorf("beyond the head there are %v", beyond)
	}
}

// testEventTypes appends an event of every type with every envelope field.
func testEventTypes(t *testing.T, l Log) {
	id := newSession(t, l)
	var appended []classroom.Event
	for _, p := range payloads() {
		d := classroom.Draft{Exchange: 3, Agent: "ada", Attempt: 2, Payload: p}
		written := mustAppend(t, l, id, 0, d)[0]
		read := mustRead(t, l, id, written.ID-1, 1)[0]
		appended = append(appended, written)
		if !reflect.DeepEqual(asStored(t, []classroom.Event{read}), asStored(t, []classroom.Event{written})) {
			t.Errorf("%s: read %+v, want %+v", p.EventType(), read, written)
		}
		if read.Exchange != 3 || read.Agent != "ada" || read.Attempt != 2 || read.Type != p.EventType() ||
			read.Time == 0 {
			t.Errorf("%s: envelope is %+v", p.EventType(), read)
		}
		got, err := classroom.Decode(read)
		if err != nil {
			t.Fatal(err)
		}
		if want := classroom.Slim(d).Payload; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read %+v, want %+v", p.EventType(), got, want)
		}
	}
	whole := mustRead(t, l, id, 0, 0) // events that were read one by one equal those of one read
	if !reflect.DeepEqual(asStored(t, whole[1:]), asStored(t, appended)) {
		t.Errorf("the log is %v, want %v", whole[1:], appended)
	}
}

// asStored returns events as a reader of their JSON has them.
func asStored(t *testing.T, events []classroom.Event) (out []classroom.Event) {
	t.Helper()
	b, err := json.Marshal(events)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func testMissingSession(t *testing.T, l Log) {
	for _, id := range []string{"nobody", "", "' OR 1=1 --"} {
		_, appended := l.Append(t.Context(), id, 0, delta("x"))
		_, read := l.Read(t.Context(), id, 0, 10)
		_, head := l.Head(t.Context(), id)
		_, acquired := l.Acquire(t.Context(), id, "a", 0)
		for what, err := range map[string]error{
			"append": appended, "read": read, "head": head, "acquire": acquired,
			"delete": l.DeleteSession(t.Context(), id),
		} {
			if !errors.Is(err, classroom.ErrNotFound) {
				t.Errorf("%s of session %q: got %v, want %v", what, id, err, classroom.ErrNotFound)
			}
		}
	}
}

// testCancelledAppend cancels each append when some other one returns. The error of an
// append must tell whether its events are in the log.
func testCancelledAppend(t *testing.T, l Log) {
	id := newSession(t, l)
	var mu sync.Mutex
	kept := map[string]bool{}
	cancels := make(chan context.CancelFunc, 32)
	var wg sync.WaitGroup
	for p := range 16 {
		wg.Go(func() {
			for b := range 40 {
				ctx, cancel := context.WithCancel(t.Context())
				cancels <- cancel
				_, err := l.Append(ctx, id, 0, delta(numbered(p, b, 0)), delta(numbered(p, b, 1)))
				(<-cancels)()
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				mu.Lock()
				kept[numbered(p, b, 0)], kept[numbered(p, b, 1)] = err == nil, err == nil
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	events := mustRead(t, l, id, 1, 0)
	checkCursors(t, events, 1)
	for _, e := range events {
		if !kept[deltaText(t, e)] {
			t.Errorf("%s was cancelled and is in the log", deltaText(t, e))
		}
		delete(kept, deltaText(t, e))
	}
	for text, k := range kept {
		if k {
			t.Errorf("%s was acknowledged and is not in the log", text)
		}
	}
}

func testTimes(t *testing.T, l Log) {
	id := newSession(t, l)
	for i := range 50 {
		mustAppend(t, l, id, 0, delta(numbered(0, i, 0)))
	}
	var last classroom.Stamp
	for _, e := range mustRead(t, l, id, 0, 0) {
		if e.Time < last {
			t.Fatalf("event %d has time %v, the event before it %v", e.ID, e.Time, last)
		}
		last = e.Time
	}
}
