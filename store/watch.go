package store

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// watchPause is how often a shared database is checked for changes of other stores.
const watchPause = 200 * time.Millisecond

// watchOthers wakes all readers after each change of another store, until ctx ends.
func (s *Store) watchOthers(ctx context.Context) {
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		err := s.submit(&job{ctx: ctx, outsideTx: true, do: (*writer).noticeOthers})
		if err != nil && ctx.Err() == nil {
			s.logger.ErrorContext(ctx, "watch changes of other stores", slog.Any("error", err))
		}
	}
}

// noticeOthers wakes all readers if another store committed since its last call. SQLite
// gives no notice of that, but counts the commits of others for each connection.
func (w *writer) noticeOthers() error {
	before := w.othersVersion
	if err := w.row(`PRAGMA data_version`).Scan(&w.othersVersion); err != nil {
		return fmt.Errorf("read data version: %w", err)
	}
	if w.othersVersion != before {
		w.recent.notifyAll()
	}
	return nil
}

// notifyAll wakes the readers of all sessions, of the lists and of rights.
func (r *recent) notifyAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.sessions {
		l.notify()
	}
	close(r.lists)
	r.lists = make(chan struct{})
	close(r.rights)
	r.rights = make(chan struct{})
}
