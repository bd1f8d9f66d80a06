package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"colloquy/classroom"
)

// A rebuild fills a derived table, such as an index, again from the rows of another
// table, in the order of their numbers. It runs in small transactions between other
// writes. Each transaction stores its last row, so that the rebuild continues from
// there after a kill.
type rebuild struct {
	name string
	// version is the version of the table that this program writes. A table of any other
	// version is rebuilt; a database without a stored version has version 1.
	version int
	// source is the table that the rows come from; its key is "no".
	source string
	// batch is the number of rows in one transaction. Appends wait for that transaction, so
	// the number is small.
	batch int
	// rows writes at most limit rows that follow after, and returns the last.
	rows func(w *writer, after int64, limit int) (last int64, n int, err error)
}

// A rebuildState is stored in the settings.
type rebuildState struct {
	Version int   `json:"version"`
	After   int64 `json:"after"` // the last row written
	Done    int64 `json:"done"`  // the number of rows written
	Running bool  `json:"running"`
}

// rebuilds are the rebuilds of a store, and the progress of the running one.
type rebuilds struct {
	all    []rebuild
	onStep func(name string, p classroom.Progress) // called after each transaction, for tests

	mu       sync.Mutex
	progress *classroom.Progress
}

func newRebuilds() *rebuilds {
	return &rebuilds{all: []rebuild{passageRebuild}, onStep: func(string, classroom.Progress) {}}
}

// setProgress keeps a copy of p; nil means that no rebuild is due.
func (r *rebuilds) setProgress(p *classroom.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.progress = nil; p != nil {
		r.progress = new(*p)
	}
}

// IndexProgress returns the progress of the rebuild of an index, and false if none is
// due. Until the rebuild has ended, a search may miss passages.
func (s *Store) IndexProgress() (classroom.Progress, bool) {
	s.rebuilds.mu.Lock()
	defer s.rebuilds.mu.Unlock()
	if s.rebuilds.progress == nil {
		return classroom.Progress{}, false
	}
	return *s.rebuilds.progress, true
}

// findRebuilds sets the progress of the first rebuild that is due, so that it is shown
// before the rebuild runs.
func (s *Store) findRebuilds(ctx context.Context) error {
	for _, r := range s.rebuilds.all {
		st, err := s.rebuildState(ctx, r)
		if err != nil {
			return err
		}
		if !st.Running {
			continue
		}
		p, err := s.rebuildProgress(ctx, r, st)
		if err != nil {
			return err
		}
		if p.Total == 0 {
			continue // nothing is missing
		}
		s.rebuilds.setProgress(&p)
		return nil
	}
	return nil
}

// Rebuild rebuilds every index whose version differs, and returns when all are done or
// ctx ends. It may take minutes; call it when the server is already answering requests.
func (s *Store) Rebuild(ctx context.Context) {
	for _, r := range s.rebuilds.all {
		err := s.rebuild(ctx, r)
		if err == nil {
			continue
		}
		if ctx.Err() == nil && !errors.Is(err, classroom.ErrClosing) {
			s.logger.ErrorContext(ctx, "rebuild stopped; it continues at the next start",
				slog.String("of", r.name), slog.Any("error", err))
		}
		return
	}
	s.rebuilds.setProgress(nil)
}

func (s *Store) rebuild(ctx context.Context, r rebuild) error {
	st, err := s.rebuildState(ctx, r)
	if err != nil || !st.Running {
		return err
	}
	p, err := s.rebuildProgress(ctx, r, st)
	if err != nil {
		return err
	}
	s.rebuilds.setProgress(&p)
	logProgress := func(message string) {
		s.logger.InfoContext(ctx, message,
			slog.String("of", r.name), slog.Int64("done", p.Done), slog.Int64("total", p.Total))
	}
	logProgress("rebuild started")
	logged := p.Done
	for st.Running {
		if err := s.change(ctx, func(w *writer) error { return w.rebuildStep(r, &st) }); err != nil {
			return err
		}
		p.Done, p.Total = st.Done, max(p.Total, st.Done)
		s.rebuilds.setProgress(&p)
		s.rebuilds.onStep(r.name, p)
		if p.Done-logged >= max(p.Total/10, 1) {
			logged = p.Done
			logProgress("rebuild continues")
		}
	}
	logProgress("rebuild finished")
	return nil
}

// rebuildStep writes the next rows, and stores the new state in the same transaction.
func (w *writer) rebuildStep(r rebuild, st *rebuildState) error {
	next := *st
	last, n, err := r.rows(w, st.After, r.batch)
	if err != nil {
		return fmt.Errorf("rebuild %s after row %d: %w", r.name, st.After, err)
	}
	if n > 0 {
		next.After = last
	}
	next.Done += int64(n)
	next.Running = n == r.batch
	value, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := w.set(r.setting(), string(value)); err != nil {
		return err
	}
	*st = next
	return nil
}

func (r rebuild) setting() string { return "rebuild_" + r.name }

// rebuildState reads the state of a rebuild. If its version is another one, the rebuild
// begins at the first row.
func (s *Store) rebuildState(ctx context.Context, r rebuild) (rebuildState, error) {
	st := rebuildState{Version: 1}
	value, found, err := s.Setting(ctx, r.setting())
	if err != nil {
		return st, err
	}
	if found && json.Unmarshal([]byte(value), &st) != nil {
		st = rebuildState{} // not readable: version 0 never matches, so the table is rebuilt
	}
	if st.Version != r.version {
		st = rebuildState{Version: r.version, Running: true}
	}
	return st, nil
}

func (s *Store) rebuildProgress(ctx context.Context, r rebuild, st rebuildState) (classroom.Progress, error) {
	left, err := queryOne(ctx, s.read, scanInt, `SELECT count(*) FROM `+r.source+` WHERE no > ?`, st.After)
	return classroom.Progress{Done: st.Done, Total: st.Done + left}, wrap(err, "count rows of %s", r.source)
}
