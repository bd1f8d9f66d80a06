package store

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colloquy/classroom"
)

// TestWriteAheadLogStaysShort writes well more than the bound while ten readers
// follow, and looks at the log's size all the while.
func TestWriteAheadLogStaysShort(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MB")
	}
	const bound, total = 64 << 20, 96 << 20
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	ctx, stop := context.WithCancel(t.Context())
	var readers, writers sync.WaitGroup
	for range 10 {
		readers.Go(func() { followUntil(ctx, t, s, id) })
	}
	var highest, written atomic.Int64
	text := strings.Repeat("Leaves are green. ", 3000)
	for range 8 {
		writers.Go(func() {
			for written.Add(int64(len(text))) < total {
				if _, err := s.Append(t.Context(), id, 0, delta(text)); err != nil {
					t.Error(err)
					return
				}
				size, err := s.walBytes()
				if err != nil {
					t.Error(err)
				}
				highest.Store(max(highest.Load(), size))
			}
		})
	}
	writers.Wait()
	stop()
	readers.Wait()
	if highest.Load() > bound {
		t.Errorf("the log grew to %d MB, want at most %d", highest.Load()>>20, bound>>20)
	}
	size, err := s.walBytes()
	// An earlier checkpoint may still be running.
	for end := time.Now().Add(20 * time.Second); err == nil && size != 0 && time.Now().Before(end); {
		if err := s.checkpointByWriter(t.Context(), "TRUNCATE"); err != nil {
			t.Fatal(err)
		}
		size, err = s.walBytes()
	}
	if err != nil || size != 0 {
		t.Errorf("after the rush the log has %d bytes, %v, want 0", size, err)
	}
	t.Logf("highest %d MB", highest.Load()>>20)
}

func followUntil(ctx context.Context, t *testing.T, s *Store, id string) {
	var at classroom.Cursor
	for ctx.Err() == nil {
		changed := s.Changed(id)
		events, err := s.Read(ctx, id, at, 50)
		if err != nil {
			if ctx.Err() == nil {
				t.Error(err)
			}
			return
		}
		if len(events) > 0 {
			at = events[len(events)-1].ID
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// TestReadHoldsNothing empties the write-ahead log while readers stand between
// two pages: a transaction held open would keep it from being emptied.
func TestReadHoldsNothing(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	for range 20 {
		mustAppend(t, s, id, delta("x"))
	}
	for range 2 * s.read.Stats().MaxOpenConnections {
		if _, err := s.Read(t.Context(), id, 3, 5); err != nil {
			t.Fatal(err)
		}
	}
	if open := s.read.Stats().InUse; open != 0 {
		t.Errorf("%d connections are in use after the reads", open)
	}
	mustAppend(t, s, id, delta("y"))
	size, err := s.walBytes()
	// An earlier checkpoint may still be running.
	for end := time.Now().Add(20 * time.Second); err == nil && size != 0 && time.Now().Before(end); {
		if err := s.checkpointByWriter(t.Context(), "TRUNCATE"); err != nil {
			t.Fatal(err)
		}
		size, err = s.walBytes()
	}
	if err != nil || size != 0 {
		t.Errorf("the log has %d bytes, %v, want 0", size, err)
	}
}

// TestSlowReaderDelaysNobody holds a snapshot, as a backup does, through every
// kind of checkpoint.
func TestSlowReaderDelaysNobody(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	tx, err := s.read.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRowContext(t.Context(), `SELECT count(*) FROM events`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"PASSIVE", "RESTART", "TRUNCATE"} {
		mustAppend(t, s, id, delta("x"))
		if err := s.checkpointByWriter(t.Context(), mode); err != nil {
			t.Errorf("checkpoint %s beside a reader: %v", mode, err)
		}
	}
	mustAppend(t, s, id, delta("y"))
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if head, err := s.Head(t.Context(), id); err != nil || head != 5 {
		t.Errorf("head is %d, %v, want 5", head, err)
	}
}
