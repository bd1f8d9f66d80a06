package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// A LockedError says that another process has the folder.
type LockedError struct {
	Dir     string
	Address string // where that process listens; empty when it has not said so
}

func (e *LockedError) Error() string {
	if e.Address == "" {
		return fmt.Sprintf("Colloquy is already starting with the folder %s. Wait a moment, or stop it, or choose another folder with --data.", e.Dir)
	}
	return fmt.Sprintf("Colloquy is already running with the folder %s. Open %s in your browser, or choose another folder with --data.", e.Dir, e.Address)
}

// A lock is held through a file that stays, and an address file beside it: a
// locked file cannot be read on every system. The system lets go of a lock
// when its process dies, however it dies.
type lock struct {
	file    *flock.Flock
	address string
}

func takeLock(dir string) (*lock, error) {
	l := &lock{file: flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600)), address: filepath.Join(dir, "address")}
	ok, err := l.file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if !ok {
		where, _ := os.ReadFile(l.address) // unreadable is as good as unknown
		return nil, &LockedError{Dir: dir, Address: strings.TrimSpace(string(where))}
	}
	if err := l.forget(); err != nil { // left by a process that was killed
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

func (l *lock) forget() error {
	if err := os.Remove(l.address); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("forget address: %w", err)
	}
	return nil
}

func (l *lock) release() error { return errors.Join(l.forget(), l.file.Close()) }

// SetAddress leaves word of where this process listens, for whoever tries to
// open the same folder.
func (s *Store) SetAddress(url string) error {
	next := s.lock.address + ".new"
	if err := os.WriteFile(next, []byte(url+"\n"), 0o600); err != nil {
		return fmt.Errorf("write address: %w", err)
	}
	if err := os.Rename(next, s.lock.address); err != nil {
		return fmt.Errorf("write address: %w", err)
	}
	return nil
}
