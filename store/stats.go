package store

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
)

// counts are updated by the writer.
type counts struct {
	commits, events, failures atomic.Uint64
}

// Stats are figures for monitoring. Counters begin at 0 with each start.
type Stats struct {
	FileBytes int64  // of the database file
	WALBytes  int64  // of the write-ahead log
	Commits   uint64 // transactions synced to disk
	Failures  uint64 // transactions that failed and were rolled back
	Events    uint64 // events appended
	Waiting   int    // changes that wait for the writer
}

// Stats returns the current figures.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	info, err := os.Stat(s.file())
	if err != nil {
		return Stats{}, fmt.Errorf("read sizes: %w", err)
	}
	wal, err := s.walBytes()
	if err != nil {
		return Stats{}, fmt.Errorf("read sizes: %w", err)
	}
	return Stats{
		FileBytes: info.Size(), WALBytes: wal, Waiting: s.queue.len(),
		Commits: s.counts.commits.Load(), Failures: s.counts.failures.Load(), Events: s.counts.events.Load(),
	}, ctx.Err()
}

// Ping reports whether the file can be read, for readiness checks.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.read.PingContext(ctx); err != nil {
		return fmt.Errorf("read store: %w", err)
	}
	return nil
}
