package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"colloquy/classroom"
)

// A writer is the one goroutine that changes the file. It commits together
// whatever came in while it was at the disk: with one producer each append has
// its own sync, with many they share one.
type writer struct {
	conn     *sql.Conn
	now      func() time.Time
	log      *slog.Logger
	recent   *recent
	counts   *counts
	insert   *sql.Stmt
	sessions map[string]*sessionState
	changes  []change // published once the group is on disk
	lists    bool     // a list changed
}

// A change is what a commit did to one session.
type change struct {
	session string
	events  []classroom.Event // appended, in order
	deleted bool
}

// The writer's statements must not be stopped half way by one producer's
// context: the others of the group would pay for it.
var uninterrupted = context.Background()

func newWriter(ctx context.Context, s *Store) (*writer, error) {
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{conn: conn, now: s.now, log: s.log, recent: s.recent, counts: &s.counts}
	w.forget()
	w.insert, err = conn.PrepareContext(uninterrupted, insertEvent)
	if err == nil {
		_, err = conn.ExecContext(uninterrupted, checkpointSettings)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return w, nil
}

// run ends when the queue is closed and empty.
func (w *writer) run(q *queue, grown chan<- struct{}) {
	for jobs := q.take(); jobs != nil; jobs = q.take() {
		if w.group(jobs) {
			select {
			case grown <- struct{}{}:
			default:
			}
		}
	}
	if err := errors.Join(w.insert.Close(), w.conn.Close()); err != nil {
		w.log.Error("close the writer", slog.Any("error", err))
	}
}

// group carries out jobs, those for a transaction in one, answers each of them,
// and reports whether it committed anything.
func (w *writer) group(jobs []*job) (committed bool) {
	inside := make([]*job, 0, len(jobs))
	for _, j := range jobs {
		if j.outside {
			j.err = j.do(w)
			continue
		}
		inside = append(inside, j)
	}
	if len(inside) > 0 {
		committed = w.commit(inside)
	}
	for _, j := range jobs {
		close(j.done)
	}
	return committed
}

func (w *writer) commit(jobs []*job) bool {
	err := w.transact(jobs)
	if err == nil {
		w.counts.commits.Add(1)
		w.recent.publish(w.changes, w.lists)
	} else {
		w.counts.failures.Add(1)
		w.forget()
		for _, j := range jobs {
			if j.err == nil {
				j.err = err
			}
		}
	}
	clear(w.changes)
	w.changes, w.lists = w.changes[:0], false
	return err == nil
}

// transact returns an error when nothing at all of the jobs happened.
func (w *writer) transact(jobs []*job) (err error) {
	tx, err := w.conn.BeginTx(uninterrupted, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for _, j := range jobs {
		if err := w.work(j); err != nil {
			return errors.Join(err, ignoreDone(tx.Rollback()))
		}
	}
	if err := tx.Commit(); err != nil {
		return errors.Join(fmt.Errorf("commit: %w", err), ignoreDone(tx.Rollback()))
	}
	return nil
}

// ignoreDone drops the complaint that there is nothing left to roll back.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// work carries out j within the open transaction. The job's own failure is in
// j.err; a returned error is the end of the whole group.
func (w *writer) work(j *job) error {
	if err := j.ctx.Err(); err != nil {
		j.err = fmt.Errorf("wait for the disk: %w", err)
		return nil
	}
	if !j.refuses {
		return w.workInside(j)
	}
	err := j.do(w)
	if _, refused := errors.AsType[*classroom.Error](err); refused {
		j.err = err
		return nil
	}
	return err
}

// workInside undoes what j did if it fails, and nothing of its neighbours.
func (w *writer) workInside(j *job) error {
	if _, err := w.exec("SAVEPOINT job"); err != nil {
		return err
	}
	changes, lists := len(w.changes), w.lists
	if j.err = j.do(w); j.err != nil {
		w.changes, w.lists = w.changes[:changes], lists
		w.forget()
		if _, err := w.exec("ROLLBACK TO job"); err != nil {
			return errors.Join(j.err, err)
		}
	}
	_, err := w.exec("RELEASE job")
	return err
}

// forget drops what the writer knows of sessions; it reads it anew from the
// file.
func (w *writer) forget() { w.sessions = map[string]*sessionState{} }

// changed notes events of a session for those who follow it.
func (w *writer) changed(session string, events ...classroom.Event) {
	w.changes = append(w.changes, change{session: session, events: events})
}

// deleted notes that a session is gone.
func (w *writer) deleted(session string) {
	w.changes = append(w.changes, change{session: session, deleted: true})
}

func (w *writer) exec(query string, args ...any) (sql.Result, error) {
	return w.conn.ExecContext(uninterrupted, query, args...)
}

func (w *writer) row(query string, args ...any) *sql.Row {
	return w.conn.QueryRowContext(uninterrupted, query, args...)
}

// stamp is the time of what is being written.
func (w *writer) stamp() classroom.Stamp { return classroom.StampOf(w.now()) }
