// Package store keeps everything that outlives the process in one SQLite file:
// the logs of the sessions, classes, materials, people, logins and settings.
//
// # Order
//
// The events of a session have cursors 1, 2, 3, … without gaps, in the order in
// which [Store.Append] calls were taken. The events of one call stand together.
// Sessions have no order between them.
//
// # Delivery
//
// Append returns once its events are on disk, synced. Only then does the
// session's bell ring, so a reader that takes the bell, reads, and waits for
// the bell misses nothing and never reads what a crash could take back. A bell
// says that there may be more; it may ring for nothing.
//
// A change either happened whole (nil) or not at all (an error).
//
// # Concurrency
//
// All methods may be called from any goroutine. One goroutine writes; what
// arrives while the disk is busy is committed together. Reads go beside it and
// hold no transaction beyond their call. A folder belongs to one process at a
// time.
//
// # Not here
//
// No meaning of events beyond what lists show of a session (title, status,
// number of exchanges); no rights; no hashing of passwords. Nothing outside
// this package sees database/sql.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const fileName = "colloquy.db"

// Options say where a [Store] is. Only Dir is required.
type Options struct {
	Dir    string           // made if it is missing, readable by its owner only
	Now    func() time.Time // nil means time.Now
	Logger *slog.Logger     // nil means silence

	Version   string                          // of the program, kept for one that cannot read the file
	FreeBytes func(dir string) (int64, error) // bytes free on the disk of dir; nil means unknown
}

// A Store is the open folder.
type Store struct {
	dir          string
	now          func() time.Time
	logger       *slog.Logger
	lock         *lock
	write        *sql.DB // one connection, the writer's
	read         *sql.DB
	checkpointDB *sql.DB // one connection, for checkpoints beside the writer
	queue        *queue

	// checkpointing is held for each checkpoint: SQLite has the second of two
	// do nothing.
	checkpointing sync.Mutex

	keyFile sync.Mutex // held while the key file is read or made

	recent   *recent
	logins   *Logins
	rebuilds *rebuilds
	counts   counts
	stop     context.CancelFunc
	workers  sync.WaitGroup
	close    func() error
}

// Open takes the folder, brings its file up to date and returns it. It fails
// with a [*LockedError] while another process has the folder.
func Open(ctx context.Context, o Options) (*Store, error) {
	s, err := open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("open store in %s: %w", o.Dir, err)
	}
	return s, nil
}

func open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{now: o.Now, logger: o.Logger, recent: newRecent(), rebuilds: newRebuilds()}
	if s.now == nil {
		s.now = time.Now
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	s.logins = &Logins{store: s}
	s.close = sync.OnceValue(s.shutDown)
	if err := s.prepare(ctx, o); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// prepare leaves what it got hold of in s, also when it fails.
func (s *Store) prepare(ctx context.Context, o Options) (err error) {
	if s.dir, err = filepath.Abs(o.Dir); err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if s.lock, err = acquireLock(s.dir); err != nil {
		return err
	}
	if err := makePrivate(s.file()); err != nil {
		return err
	}
	if err := s.migrate(ctx, o.FreeBytes); err != nil {
		return err
	}
	if err := s.openPools(); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	return errors.Join(s.saveVersion(ctx, o.Version), s.findRebuilds(ctx))
}

// versionSetting holds the version of the program that last opened the file.
const versionSetting = "version"

func (s *Store) saveVersion(ctx context.Context, version string) error {
	had, _, err := s.Setting(ctx, versionSetting)
	if err != nil || version == "" || version == had {
		return err
	}
	return s.SetSetting(ctx, versionSetting, version)
}

// makePrivate makes the file one that only its owner can read; SQLite gives the
// files beside it the same rights.
func makePrivate(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}

func (s *Store) start(ctx context.Context) error {
	w, err := newWriter(ctx, s)
	if err != nil {
		return err
	}
	s.queue = newQueue()
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	grown := make(chan struct{}, 1)
	s.workers.Go(func() { w.run(s.queue, grown) })
	s.workers.Go(func() { s.runCheckpoints(background, grown) })
	s.workers.Go(func() { s.logins.sweep(background) })
	return nil
}

// closeLimit is how long Close waits for the disk.
const closeLimit = 10 * time.Second

// Close ends all writing, folds the write-ahead log into the file and lets go
// of the folder. Changes that arrive later fail with classroom.ErrClosing. Where
// the disk does not answer for ten seconds it returns an error and leaves the
// rest, the folder's lock included, to the end of the process. It may be called
// twice.
func (s *Store) Close() error { return s.close() }

// shut undoes as much of prepare as was done.
func (s *Store) shutDown() error {
	if s.stop != nil {
		s.stop()
		s.queue.close()
	}
	done := make(chan error, 1)
	go func() {
		s.workers.Wait()
		done <- s.release()
	}()
	limit := time.NewTimer(closeLimit)
	defer limit.Stop()
	select {
	case err := <-done:
		return err
	case <-limit.C:
		return fmt.Errorf("close store in %s: its writer and checkpoints did not end within %v", s.dir, closeLimit)
	}
}

func (s *Store) release() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.checkpointDB, s.write} { // the last may empty and remove the write-ahead log
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close store in %s: %w", s.dir, err)
	}
	return nil
}

func (s *Store) file() string { return filepath.Join(s.dir, fileName) }

func (s *Store) walFile() string { return s.file() + "-wal" }
