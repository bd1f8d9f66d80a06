package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"
)

// The write-ahead log starts over when every page of it is in the file and
// nobody reads from it. SQLite would see to that within some producer's commit;
// here it is done beside the commits, and the writer only does the rest.
const (
	// walKept is what the log is cut back to when it starts over. Above it,
	// the size of the file is the size of what is in use.
	walKept = 4 << 20
	walFull = 8 << 20  // time to checkpoint
	walHigh = 32 << 20 // time to make readers wait, so that it starts over

	walIdleAfter = 2 * time.Second // without a commit: empty the log

	checkpointSettings = `PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 4194304`
)

// checkpoints keeps the write-ahead log short until ctx ends. It wakes after
// commits.
func (s *Store) checkpoints(ctx context.Context, grown <-chan struct{}) {
	idle := time.NewTimer(walIdleAfter)
	defer idle.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-grown:
			idle.Reset(walIdleAfter)
			err = s.checkpoint(ctx)
		case <-idle.C:
			err = s.finishCheckpoint(ctx, "TRUNCATE")
		}
		if err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "checkpoint", slog.Any("error", err))
		}
	}
}

func (s *Store) checkpoint(ctx context.Context) error {
	size, err := s.walBytes()
	if err != nil || size < walFull {
		return err
	}
	if err := s.checkpointAside(ctx); err != nil {
		return err
	}
	if size < walHigh {
		return s.finishCheckpoint(ctx, "PASSIVE")
	}
	return s.finishCheckpoint(ctx, "RESTART")
}

func (s *Store) checkpointAside(ctx context.Context) error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	return checkpointOn(ctx, s.aside, "PASSIVE")
}

// finishCheckpoint has the writer itself bring over what was committed
// meanwhile, so that its next commit finds the whole log done with.
func (s *Store) finishCheckpoint(ctx context.Context, mode string) error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	return s.submit(&job{ctx: ctx, outside: true, do: func(w *writer) error {
		if mode == "PASSIVE" {
			return checkpointOn(uninterrupted, w.conn, mode)
		}
		// A reader that lasts, a backup say, must not hold up the producers.
		if _, err := w.exec(`PRAGMA busy_timeout = 50`); err != nil {
			return err
		}
		err := checkpointOn(uninterrupted, w.conn, mode)
		_, back := w.exec(`PRAGMA busy_timeout = 5000`)
		return errors.Join(err, back)
	}})
}

type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// checkpointOn does what can be done now; that a reader kept it from doing all
// is no error.
func checkpointOn(ctx context.Context, on rower, mode string) error {
	var busy, frames, moved int
	err := on.QueryRowContext(ctx, `PRAGMA wal_checkpoint(`+mode+`)`).Scan(&busy, &frames, &moved)
	if err != nil {
		return fmt.Errorf("checkpoint %s: %w", mode, err)
	}
	return nil
}

func (s *Store) walBytes() (int64, error) {
	info, err := os.Stat(s.walFile())
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
