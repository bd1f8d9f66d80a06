// Package store keeps everything that outlives the process in one SQLite file: the logs
// of the sessions, classes, materials, people, models, logins and settings.
//
// # Order
//
// The events of a session have cursors 1, 2, 3, … without gaps, in the order in which
// the writer ran the [Store.Append] calls. The events of one call have consecutive
// cursors. There is no order between sessions.
//
// # Delivery
//
// Append returns once its events are synced to disk. Only then is the channel of
// [Store.Changed] closed. So a reader that gets the channel, reads, and then waits for
// the channel misses no event, and never reads an event that a crash could undo. The
// channel may be closed without a new event.
//
// A change is made completely (nil) or not at all (an error).
//
// # Concurrency
//
// All methods may be called from any goroutine. One goroutine writes, and commits all
// changes that arrive during a commit together in the next one. Reads run at the same
// time and hold no transaction after they return. A folder belongs to one process, unless
// it is opened as [Options.Shared]: then the writer notices what others committed.
//
// # Not here
//
// The store interprets events only for what lists show of a session: title, status and
// number of exchanges. It checks no rights and hashes no passwords. No other package
// uses database/sql.
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

// Options configure a [Store]. Only Dir is required.
type Options struct {
	Dir    string           // created if it is missing, readable by its owner only
	Now    func() time.Time // nil means time.Now
	Logger *slog.Logger     // nil logs nothing

	// Shared opens the folder without its lock, beside a store that has it or beside other
	// shared ones. The folder must have the schema of this program. Leases then decide
	// which store may append to a session; signals reach only the readers of the store
	// that made the change.
	Shared bool

	Version   string                          // of this program; an older program that cannot read the file names it
	FreeBytes func(dir string) (int64, error) // bytes free on the disk of dir; nil means unknown
}

// A Store is an open data folder.
type Store struct {
	dir          string
	now          func() time.Time
	logger       *slog.Logger
	lock         *lock
	write        *sql.DB // one connection, the writer's
	read         *sql.DB
	checkpointDB *sql.DB // one connection, for checkpoints beside the writer
	queue        *queue

	// checkpointing is held during each checkpoint: of two at the same time, SQLite lets
	// the second do nothing.
	checkpointing sync.Mutex

	keyFile sync.Mutex // held while the key file is read or created

	recent   *recent
	logins   *Logins
	rebuilds *rebuilds
	indexes  indexes
	counts   counts
	stop     context.CancelFunc
	workers  sync.WaitGroup
	close    func() error
}

// Open locks the folder and migrates its database to the schema of this program. It
// fails with a [*LockedError] while another process has the folder.
func Open(ctx context.Context, o Options) (*Store, error) {
	s, err := open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("open store in %s: %w", o.Dir, err)
	}
	return s, nil
}

func open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{now: o.Now, logger: o.Logger, recent: newRecent(), rebuilds: newRebuilds()}
	s.indexes.byClass = map[int64]*classIndex{}
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

// prepare stores what it acquired in s, also when it fails, so that Close releases it.
func (s *Store) prepare(ctx context.Context, o Options) (err error) {
	if s.dir, err = filepath.Abs(o.Dir); err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if o.Shared {
		if err := s.requireSchema(ctx); err != nil {
			return err
		}
	} else if err := s.own(ctx, o); err != nil {
		return err
	}
	if err := s.openPools(); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	if o.Shared {
		return nil
	}
	return errors.Join(s.saveVersion(ctx, o.Version), s.findRebuilds(ctx))
}

// own locks the folder and brings its database to the schema of this program.
func (s *Store) own(ctx context.Context, o Options) (err error) {
	if s.lock, err = acquireLock(s.dir); err != nil {
		return err
	}
	if err := makePrivate(s.file()); err != nil {
		return err
	}
	return s.migrate(ctx, o.FreeBytes)
}

// versionSetting holds the version of the program that last opened the file.
const versionSetting = "version"

func (s *Store) saveVersion(ctx context.Context, version string) error {
	saved, _, err := s.Setting(ctx, versionSetting)
	if err != nil || version == "" || version == saved {
		return err
	}
	return s.SetSetting(ctx, versionSetting, version)
}

// makePrivate makes the file readable by its owner only. SQLite gives the write-ahead
// log the same permissions.
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
	walGrew := make(chan struct{}, 1)
	s.workers.Go(func() { w.run(s.queue, walGrew) })
	s.workers.Go(func() { s.runCheckpoints(background, walGrew) })
	s.workers.Go(func() { s.logins.sweep(background) })
	return nil
}

// closeLimit is how long Close waits for the disk.
const closeLimit = 10 * time.Second

// Close ends all writing, checkpoints and removes the write-ahead log and unlocks the
// folder. Later changes fail with classroom.ErrClosing. If the disk does not respond
// within ten seconds, Close returns an error; the lock is then held until the process
// ends. It may be called twice.
func (s *Store) Close() error { return s.close() }

// shutDown releases what prepare acquired.
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
