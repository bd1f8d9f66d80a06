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

// A writer is the only goroutine that changes the database. It commits all jobs that
// arrived during the previous commit in one transaction (group commit), so callers
// that append at the same time share one sync of the disk.
type writer struct {
	conn     *sql.Conn
	now      func() time.Time
	logger   *slog.Logger
	recent   *recent
	counts   *counts
	insert   *sql.Stmt
	version  int64 // of the database, which changes when another connection commits
	sessions map[string]*sessionState
	changes  []change // published after the commit

	listsChanged  bool // what lists show changed; published after the commit
	rightsChanged bool // a membership or a link changed; published after the commit
}

// A change is what a commit changed in one session.
type change struct {
	session string
	events  []classroom.Event // appended, in order
	deleted bool
}

// uninterrupted is the context of the writer's statements: a caller whose context ends
// must not fail the other jobs of the transaction.
var uninterrupted = context.Background()

func newWriter(ctx context.Context, s *Store) (*writer, error) {
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{conn: conn, now: s.now, logger: s.logger, recent: s.recent, counts: &s.counts}
	w.dropSessions()
	w.insert, err = conn.PrepareContext(uninterrupted, insertEvent)
	if err == nil {
		_, err = conn.ExecContext(uninterrupted, checkpointSettings)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return w, nil
}

// run runs jobs until the queue is closed and empty. It sends to walGrew after commits.
func (w *writer) run(q *queue, walGrew chan<- struct{}) {
	for jobs := q.next(); jobs != nil; jobs = q.next() {
		if w.runGroup(jobs) {
			select {
			case walGrew <- struct{}{}:
			default:
			}
		}
	}
	if err := errors.Join(w.insert.Close(), w.conn.Close()); err != nil {
		w.logger.Error("close writer", slog.Any("error", err))
	}
}

// runGroup runs the jobs, those inside a transaction in one, and reports whether it
// committed anything.
func (w *writer) runGroup(jobs []*job) (committed bool) {
	inside := make([]*job, 0, len(jobs))
	for _, j := range jobs {
		if j.outsideTx {
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
		w.recent.publish(w.changes, w.listsChanged)
		if w.rightsChanged {
			w.recent.publishRights()
		}
	} else {
		w.counts.failures.Add(1)
		w.dropSessions()
		for _, j := range jobs {
			if j.err == nil {
				j.err = err
			}
		}
	}
	clear(w.changes)
	w.changes, w.listsChanged, w.rightsChanged = w.changes[:0], false, false
	return err == nil
}

// transact runs jobs in one transaction. After an error none of them has changed
// anything.
func (w *writer) transact(jobs []*job) (err error) {
	tx, err := w.conn.BeginTx(uninterrupted, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := w.noteOthers(); err != nil {
		return errors.Join(err, ignoreTxDone(tx.Rollback()))
	}
	for _, j := range jobs {
		if err := w.runJob(j); err != nil {
			return errors.Join(err, ignoreTxDone(tx.Rollback()))
		}
	}
	if err := tx.Commit(); err != nil {
		return errors.Join(fmt.Errorf("commit: %w", err), ignoreTxDone(tx.Rollback()))
	}
	return nil
}

// noteOthers forgets what is known of the sessions if another store changed the
// database since the last transaction.
func (w *writer) noteOthers() error {
	var version int64
	if err := w.row("PRAGMA data_version").Scan(&version); err != nil {
		return fmt.Errorf("read version of data: %w", err)
	}
	if version != w.version {
		w.version = version
		w.dropSessions()
		w.recent.dropEvents()
	}
	return nil
}

// ignoreTxDone drops the error of a rollback after SQLite has rolled back by itself.
func ignoreTxDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// runJob runs j within the open transaction. The job's own error goes to j.err; a
// returned error fails the whole transaction.
func (w *writer) runJob(j *job) error {
	if err := j.ctx.Err(); err != nil {
		j.err = fmt.Errorf("wait for the disk: %w", err)
		return nil
	}
	if !j.checksFirst {
		return w.runInSavepoint(j)
	}
	err := j.do(w)
	if isRefusal(err) {
		j.err = err
		return nil
	}
	return err
}

// isRefusal reports whether err is an error for people: the request was refused, the
// database is fine.
func isRefusal(err error) bool {
	_, ok := errors.AsType[*classroom.Error](err)
	return ok
}

// runInSavepoint undoes what j changed if it fails, and nothing of the other jobs.
func (w *writer) runInSavepoint(j *job) error {
	if _, err := w.exec("SAVEPOINT job"); err != nil {
		return err
	}
	changes, listsChanged, rightsChanged := len(w.changes), w.listsChanged, w.rightsChanged
	if j.err = j.do(w); j.err != nil {
		w.changes, w.listsChanged, w.rightsChanged = w.changes[:changes], listsChanged, rightsChanged
		w.dropSessions()
		if _, err := w.exec("ROLLBACK TO job"); err != nil {
			return errors.Join(j.err, err)
		}
	}
	_, err := w.exec("RELEASE job")
	return err
}

// dropSessions empties the writer's cache of session states.
func (w *writer) dropSessions() { w.sessions = map[string]*sessionState{} }

// changed records a change of a session and the events appended to it.
func (w *writer) changed(session string, events ...classroom.Event) {
	w.changes = append(w.changes, change{session: session, events: events})
}

// deleted records that a session was deleted.
func (w *writer) deleted(session string) {
	delete(w.sessions, session)
	w.changes = append(w.changes, change{session: session, deleted: true})
}

func (w *writer) exec(query string, args ...any) (sql.Result, error) {
	return w.conn.ExecContext(uninterrupted, query, args...)
}

func (w *writer) row(query string, args ...any) *sql.Row {
	return w.conn.QueryRowContext(uninterrupted, query, args...)
}

// stamp is the current time.
func (w *writer) stamp() classroom.Stamp { return classroom.StampOf(w.now()) }
