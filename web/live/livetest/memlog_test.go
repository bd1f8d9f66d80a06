package livetest

import (
	"testing"

	"colloquy/classroom"
	"colloquy/store/storetest"
)

// TestMemLog: the log in memory keeps what streams need of a store.
func TestMemLog(t *testing.T) {
	l := NewMemLog(classroom.Event{ID: 1}, classroom.Event{ID: 2})
	next := classroom.Cursor(2)
	storetest.TestReadLog(t, l, "s", func() {
		next++
		l.Add(classroom.Event{ID: next})
	})
}
