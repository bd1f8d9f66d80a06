// Package livetest has what tests of streams need: logs such as the runtime
// writes, a log in memory, and a page that carries out patches as a browser does.
package livetest

import (
	"context"
	"sync"

	"colloquy/classroom"
)

// A MemLog is a log in memory, for tests with a clock of their own.
type MemLog struct {
	mu      sync.Mutex
	events  []classroom.Event
	changed chan struct{}
	reads   int
}

// NewMemLog returns a log with events in it.
func NewMemLog(events ...classroom.Event) *MemLog {
	return &MemLog{events: events, changed: make(chan struct{})}
}

// Add appends events.
func (l *MemLog) Add(events ...classroom.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, events...)
	close(l.changed)
	l.changed = make(chan struct{})
}

// Read returns at most limit events after a cursor.
func (l *MemLog) Read(ctx context.Context, _ string, after classroom.Cursor, limit int) ([]classroom.Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	from := min(int(after), len(l.events))
	return l.events[from:min(len(l.events), from+limit)], nil
}

// Reads returns how often the log was read.
func (l *MemLog) Reads() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reads
}

// Head returns the cursor of the last event.
func (l *MemLog) Head(context.Context, string) (classroom.Cursor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return classroom.Cursor(len(l.events)), nil
}

// Changed returns a channel that is closed at the next Add.
func (l *MemLog) Changed(string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}
