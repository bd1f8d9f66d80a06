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

// A checkpoint copies the write-ahead log into the database file. SQLite's automatic
// checkpoints run within a commit and delay its caller, so they are turned off. Here a
// second connection copies most of the log while the writer commits, and the writer
// copies the rest.
const (
	walKeptSize       = 4 << 20  // journal_size_limit: a log that starts over is truncated to this
	walCheckpointSize = 8 << 20  // a larger log is copied
	walRestartSize    = 32 << 20 // a larger log is also reset, which may delay readers

	walIdleAfter = 2 * time.Second // after this time without a commit the log is emptied

	checkpointSettings = `PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 4194304`
)

// runCheckpoints keeps the write-ahead log short until ctx ends. walGrew receives after
// commits.
func (s *Store) runCheckpoints(ctx context.Context, walGrew <-chan struct{}) {
	idle := time.NewTimer(walIdleAfter)
	defer idle.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-walGrew:
			idle.Reset(walIdleAfter)
			err = s.checkpoint(ctx)
		case <-idle.C:
			err = s.checkpointByWriter(ctx, "TRUNCATE")
		}
		if err != nil && ctx.Err() == nil {
			s.logger.ErrorContext(ctx, "checkpoint", slog.Any("error", err))
		}
	}
}

func (s *Store) checkpoint(ctx context.Context) error {
	size, err := s.walBytes()
	if err != nil || size < walCheckpointSize {
		return err
	}
	if err := s.checkpointBeside(ctx); err != nil {
		return err
	}
	if size < walRestartSize {
		return s.checkpointByWriter(ctx, "PASSIVE")
	}
	return s.checkpointByWriter(ctx, "RESTART")
}

func (s *Store) checkpointBeside(ctx context.Context) error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	return checkpointOn(ctx, s.checkpointDB, "PASSIVE")
}

// checkpointByWriter checkpoints on the writer's connection between two commits, so
// that no frame of the log is left over when the next commit starts.
func (s *Store) checkpointByWriter(ctx context.Context, mode string) error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	return s.submit(&job{ctx: ctx, outsideTx: true, do: func(w *writer) error {
		if mode == "PASSIVE" {
			return checkpointOn(uninterrupted, w.conn, mode)
		}
		// A long read, such as a backup, must not delay the next commits.
		if _, err := w.exec(`PRAGMA busy_timeout = 50`); err != nil {
			return err
		}
		err := checkpointOn(uninterrupted, w.conn, mode)
		_, restoreErr := w.exec(`PRAGMA busy_timeout = 5000`)
		return errors.Join(err, restoreErr)
	}})
}

type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// checkpointOn copies what it can now. It is no error that a reader prevents a part.
func checkpointOn(ctx context.Context, on rowQuerier, mode string) error {
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
