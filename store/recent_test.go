package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
)

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// numberedEvents are events from cursor first to last, each with size bytes of data.
func numberedEvents(first, last, size int) (out []classroom.Event) {
	for i := first; i <= last; i++ {
		out = append(out, classroom.Event{ID: classroom.Cursor(i), Data: []byte(strings.Repeat("x", size))})
	}
	return out
}

// TestUnusedSessionsAreDropped asks for the changes of many sessions in which
// nothing ever happens.
func TestUnusedSessionsAreDropped(t *testing.T) {
	r := newRecent()
	now := r.swept
	r.now = func() time.Time { return now }
	first := r.changed("first")
	for minute := range 10 {
		for i := range 1000 {
			r.changed(fmt.Sprintf("%d/%d", minute, i))
		}
		now = now.Add(recentLife)
	}
	r.changed("last")
	if kept := len(r.sessions); kept > 1001 {
		t.Errorf("%d sessions are kept, want those of one life at most", kept)
	}
	if !isClosed(first) {
		t.Error("the channel of a dropped session is open: its reader waits for ever")
	}
	r.publish([]change{{session: "busy", events: numberedEvents(1, 2, 10)}}, false)
	now = now.Add(2 * recentLife)
	r.changed("last")
	if _, ok := r.after("busy", 1, 0); ok {
		t.Error("the events of a session that nobody used are still in memory")
	}
}

func TestChangeWakesEveryFollowerOfItsSession(t *testing.T) {
	r := newRecent()
	one, two, other, lists := r.changed("a"), r.changed("a"), r.changed("b"), r.lists
	r.publish([]change{{session: "a"}, {session: "a"}, {session: "never asked for"}}, false)
	if !isClosed(one) || !isClosed(two) {
		t.Error("a follower was not woken")
	}
	if isClosed(other) || isClosed(lists) {
		t.Error("a follower of something else was woken")
	}
	if isClosed(r.changed("a")) {
		t.Error("the next channel is closed already")
	}
	r.publish(nil, true)
	if !isClosed(lists) {
		t.Error("who follows the lists was not woken")
	}
}

// TestRecentEventsAnswerOrDecline compares every read from memory with the log
// that was appended: events that are not in memory must come from the database.
func TestRecentEventsAnswerOrDecline(t *testing.T) {
	for _, size := range []int{1, 1000, recentBytes} {
		r := newRecent()
		if _, ok := r.after("s", 0, 0); ok {
			t.Fatal("a session that nobody appended to was answered from memory")
		}
		head := 7 // the session was appended to before this process followed it
		for head < 7+3*recentEvents {
			r.publish([]change{{session: "s", events: numberedEvents(head+1, head+5, size)}}, false)
			head += 5
		}
		held := 0
		for after := range head + 3 {
			events, ok := r.after("s", classroom.Cursor(after), 0)
			if !ok {
				if held > 0 {
					t.Fatalf("size %d: after %d was left to the database, an older cursor was not", size, after)
				}
				continue
			}
			held = max(held, len(events))
			if want := max(0, head-after); len(events) != want ||
				want > 0 && events[0].ID != classroom.Cursor(after+1) {
				t.Fatalf("size %d: after %d came %d events, want %d", size, after, len(events), want)
			}
			if page, _ := r.after("s", classroom.Cursor(after), 2); len(page) != min(2, max(0, head-after)) {
				t.Fatalf("size %d: after %d a page of 2 has %d", size, after, len(page))
			}
		}
		if bound := 2*max(recentEvents, 1) + 5; held == 0 || held > bound ||
			held > 1 && held*size > 2*recentBytes+5*size {
			t.Errorf("size %d: %d events are held", size, held)
		}
		if at, ok := r.head("s"); !ok || at != classroom.Cursor(head) {
			t.Errorf("size %d: the head is %d, want %d", size, at, head)
		}
	}
}

// TestDeletedSessionLeavesMemory: what was deleted must not be read from memory.
func TestDeletedSessionLeavesMemory(t *testing.T) {
	r := newRecent()
	r.publish([]change{{session: "s", events: numberedEvents(2, 9, 1)}}, false)
	changed := r.changed("s")
	r.publish([]change{{session: "s", deleted: true}}, true)
	if _, ok := r.after("s", 2, 0); ok || !isClosed(changed) {
		t.Errorf("events of a deleted session are held: %v; its follower was woken: %v", ok, isClosed(changed))
	}
}

// Whoever follows a session reads its newest events from memory.
func TestNewestEventsNeedNoDatabase(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	s.Changed(id) // somebody follows it
	sent := mustAppend(t, s, id, delta("x"), delta("y"))
	if err := s.read.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := s.Read(t.Context(), id, sent[0].ID-1, 0)
	if err != nil || len(got) != 2 || got[1].ID != sent[1].ID {
		t.Errorf("read %v, %v", got, err)
	}
}
