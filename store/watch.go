package store

import (
	"context"
	"database/sql"
	"log/slog"
	"time"
)

// watchPause is how often a shared database is checked for changes of other stores.
const watchPause = 200 * time.Millisecond

// watchOthers wakes all readers after each change of another store, until ctx ends.
// SQLite has no notice of such a change, but counts them for each connection.
func (s *Store) watchOthers(ctx context.Context) {
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	conn, err := s.read.Conn(ctx)
	if err != nil {
		s.logOther(ctx, err)
		return
	}
	defer conn.Close()
	seen := int64(-1) // the first check wakes the readers that came before it
	for {
		version, err := dataVersion(ctx, conn)
		switch {
		case err != nil:
			s.logOther(ctx, err)
		case version != seen:
			seen = version
			s.recent.notifyAll()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Store) logOther(ctx context.Context, err error) {
	if ctx.Err() == nil {
		s.logger.ErrorContext(ctx, "watch changes of other stores", slog.Any("error", err))
	}
}

// dataVersion returns a number that changes when another connection commits.
func dataVersion(ctx context.Context, conn *sql.Conn) (version int64, err error) {
	err = conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
	return version, err
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
