package web

import (
	"context"
	"sync"

	"colloquy/classroom"
)

// A memLog is a log in memory, for tests with a clock of their own.
type memLog struct {
	mu     sync.Mutex
	events []classroom.Event
	bell   chan struct{}
	reads  int
}

func newMemLog(events ...classroom.Event) *memLog {
	return &memLog{events: events, bell: make(chan struct{})}
}

func (l *memLog) add(events ...classroom.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, events...)
	close(l.bell)
	l.bell = make(chan struct{})
}

func (l *memLog) Read(ctx context.Context, _ string, after classroom.Cursor, limit int) ([]classroom.Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	from := min(int(after), len(l.events))
	return l.events[from:min(len(l.events), from+limit)], nil
}

func (l *memLog) Head(context.Context, string) (classroom.Cursor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return classroom.Cursor(len(l.events)), nil
}

func (l *memLog) Bell(string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bell
}
