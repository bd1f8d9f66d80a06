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

// rebuildBatch is how many rows one transaction of a rebuild takes. Appends wait
// for it, so it is small.
const rebuildBatch = 50

// A rebuild fills a derived table anew, such as an index, from the rows of
// another table, in the order of their numbers. It runs in small transactions
// beside all other writing. Each keeps where it ended, so that the rebuild goes
// on from there after a kill.
type rebuild struct {
	name string
	// version is what the table should be. A file that says another one, older
	// or newer, is rebuilt; one that says none has version 1.
	version int
	// source is the table that the rows come from; its key is "no".
	source string
	// rows writes those that follow after, at most limit, and returns the last.
	rows func(w *writer, after int64, limit int) (last int64, n int, err error)
}

// A rebuildState is what the settings keep of a rebuild.
type rebuildState struct {
	Version int   `json:"version"`
	After   int64 `json:"after"` // the last row done
	Done    int64 `json:"done"`  // how many were done
	Running bool  `json:"running"`
}

// rebuilds are those of a store; progress is that of the one that runs.
type rebuilds struct {
	all    []rebuild
	onStep func(name string, p classroom.Progress) // called after each transaction, for tests

	mu       sync.Mutex
	progress *classroom.Progress
}

func newRebuilds() *rebuilds {
	return &rebuilds{all: []rebuild{passageRebuild}, onStep: func(string, classroom.Progress) {}}
}

func (r *rebuilds) setProgress(p *classroom.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress = p
}

// IndexProgress says how far the rebuild of an index is; false means that none
// is due. Until it has ended, a search may miss passages.
func (s *Store) IndexProgress() (classroom.Progress, bool) {
	s.rebuilds.mu.Lock()
	defer s.rebuilds.mu.Unlock()
	if s.rebuilds.progress == nil {
		return classroom.Progress{}, false
	}
	return *s.rebuilds.progress, true
}

// findRebuilds notes which rebuilds are due, so that their progress shows before they run.
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
		s.rebuilds.setProgress(&p)
		return nil
	}
	return nil
}

// Rebuild brings every index up to date whose version differs, and returns when
// all are or ctx ends. Call it once the store is in use: it may take minutes.
func (s *Store) Rebuild(ctx context.Context) {
	for _, r := range s.rebuilds.all {
		err := s.rebuild(ctx, r)
		if err == nil {
			continue
		}
		if ctx.Err() == nil && !errors.Is(err, classroom.ErrClosing) {
			s.logger.ErrorContext(ctx, "rebuild stopped; it goes on at the next start",
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
	logProgress := func(what string) {
		s.logger.InfoContext(ctx, what, slog.String("of", r.name), slog.Int64("done", p.Done), slog.Int64("total", p.Total))
	}
	logProgress("rebuild begins")
	logged := p.Done
	for st.Running {
		if err := s.change(ctx, func(w *writer) error { return w.rebuildStep(r, &st) }); err != nil {
			return err
		}
		p.Done, p.Total = st.Done, max(p.Total, st.Done)
		shown := p
		s.rebuilds.setProgress(&shown)
		s.rebuilds.onStep(r.name, p)
		if p.Done-logged >= max(p.Total/10, 10*rebuildBatch) {
			logged = p.Done
			logProgress("rebuild goes on")
		}
	}
	logProgress("rebuild finished")
	return nil
}

// rebuildStep does the next rows, and keeps that they are done in the same transaction.
func (w *writer) rebuildStep(r rebuild, st *rebuildState) error {
	next := *st
	last, n, err := r.rows(w, st.After, rebuildBatch)
	if err != nil {
		return fmt.Errorf("rebuild %s after row %d: %w", r.name, st.After, err)
	}
	if n > 0 {
		next.After = last
	}
	next.Done += int64(n)
	next.Running = n == rebuildBatch
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

// rebuildState reads where a rebuild is. One of another version begins anew.
func (s *Store) rebuildState(ctx context.Context, r rebuild) (rebuildState, error) {
	st := rebuildState{Version: 1}
	value, found, err := s.Setting(ctx, r.setting())
	if err != nil {
		return st, err
	}
	if found && json.Unmarshal([]byte(value), &st) != nil {
		st = rebuildState{} // unreadable: no version is 0, so it is rebuilt
	}
	if st.Version != r.version {
		st = rebuildState{Version: r.version, Running: true}
	}
	return st, nil
}

func (s *Store) rebuildProgress(ctx context.Context, r rebuild, st rebuildState) (classroom.Progress, error) {
	left, err := one(ctx, s.read, scanInt, `SELECT count(*) FROM `+r.source+` WHERE no > ?`, st.After)
	return classroom.Progress{Done: st.Done, Total: st.Done + left}, wrap(err, "count rows of %s", r.source)
}
