package live

import (
	"context"
	"errors"
	"time"

	"colloquy/classroom"
)

// A Log reads sessions' event logs. Bell returns a channel that is closed at
// the session's next append: take it before reading.
type Log interface {
	Read(ctx context.Context, sessionID string, after classroom.Cursor, limit int) ([]classroom.Event, error)
	Head(ctx context.Context, sessionID string) (classroom.Cursor, error)
	Bell(sessionID string) <-chan struct{}
}

const (
	pageEvents = 500         // of one read of the log
	pageBytes  = 1 << 20     // what a page is meant to hold at most
	retryPause = time.Second // after a read that failed
)

// pause waits for the bell, or for a moment where there is none. It reports false when ctx ends.
func pause(ctx context.Context, bell <-chan struct{}) bool {
	var retry <-chan time.Time
	if bell == nil {
		retry = time.After(retryPause)
	}
	select {
	case <-bell:
	case <-retry:
	case <-ctx.Done():
		return false
	}
	return true
}

func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// overOf makes the deletion of a session the end of its streams.
func overOf(err error) error {
	if errors.Is(err, classroom.ErrNotFound) {
		return errOver{"deleted"}
	}
	return err
}
