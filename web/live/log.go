package live

import (
	"context"
	"errors"
	"time"

	"colloquy/classroom"
)

// A Log reads the event logs of sessions. Changed returns a channel that is closed at
// the session's next append: take it before reading, so that no append is missed.
type Log interface {
	Read(ctx context.Context, sessionID string, after classroom.Cursor, limit int) ([]classroom.Event, error)
	Head(ctx context.Context, sessionID string) (classroom.Cursor, error)
	Changed(sessionID string) <-chan struct{}
}

const (
	pageEvents = 500         // of one read of the log
	pageBytes  = 1 << 20     // of one read of the log, about
	retryPause = time.Second // after a read that failed
)

// waitForChange waits until changed is closed. Without such a channel it waits for
// the time after which a failed read is tried again. It reports false where ctx ends.
func waitForChange(ctx context.Context, changed <-chan struct{}) bool {
	var retry <-chan time.Time
	if changed == nil {
		retry = time.After(retryPause)
	}
	select {
	case <-changed:
	case <-retry:
	case <-ctx.Done():
		return false
	}
	return true
}

// sleep waits for d. It reports false where ctx ends.
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

// endIfDeleted turns the error of a read into the end of a stream where the session
// was deleted.
func endIfDeleted(err error) error {
	if errors.Is(err, classroom.ErrNotFound) {
		return endError{"deleted"}
	}
	return err
}
