package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

const (
	lockFileName    = "lock"
	addressFileName = "address"
)

// A LockedError is returned by [Open] if another process holds the lock on the folder.
type LockedError struct {
	Dir     string
	Address string // where that process listens; empty if it has not called SetAddress yet
}

func (e *LockedError) Error() string {
	if e.Address == "" {
		return fmt.Sprintf("Colloquy is already starting with the folder %s. "+
			"Wait a moment, or stop it, or choose another folder with --data.", e.Dir)
	}
	return fmt.Sprintf("Colloquy is already running with the folder %s. "+
		"Open %s in your browser, or choose another folder with --data.", e.Dir, e.Address)
}

// A lock is a locked file and a second file that holds the process's address, because
// some systems do not let others read a locked file. The system releases the lock when
// the process dies.
type lock struct {
	file    *flock.Flock
	address string
}

func acquireLock(dir string) (*lock, error) {
	l := &lock{file: lockFile(dir), address: filepath.Join(dir, addressFileName)}
	ok, err := l.file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if !ok {
		return nil, &LockedError{Dir: dir, Address: readAddress(dir)}
	}
	if err := l.removeAddress(); err != nil { // left by a process that was killed
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

func lockFile(dir string) *flock.Flock {
	return flock.New(filepath.Join(dir, lockFileName), flock.SetPermissions(0o600))
}

// readAddress returns the address of the process that has the folder, or "" if it
// cannot be read.
func readAddress(dir string) string {
	address, _ := os.ReadFile(filepath.Join(dir, addressFileName))
	return strings.TrimSpace(string(address))
}

// LockedBy reports whether a process has the folder, and its address, which is empty if
// the process has not called SetAddress yet.
func LockedBy(dir string) (locked bool, address string, err error) {
	if _, err := os.Stat(filepath.Join(dir, lockFileName)); errors.Is(err, os.ErrNotExist) {
		return false, "", nil
	}
	file := lockFile(dir)
	free, err := file.TryLock()
	if err != nil {
		return false, "", fmt.Errorf("look at the lock: %w", err)
	}
	if free {
		return false, "", file.Close()
	}
	return true, readAddress(dir), nil
}

func (l *lock) removeAddress() error {
	if err := os.Remove(l.address); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove address: %w", err)
	}
	return nil
}

func (l *lock) release() error { return errors.Join(l.removeAddress(), l.file.Close()) }

// SetAddress stores the address at which this process listens, for the error message of
// another process that opens the same folder. A shared store has no address.
func (s *Store) SetAddress(url string) error {
	if s.lock == nil {
		return nil
	}
	next := s.lock.address + ".new"
	if err := os.WriteFile(next, []byte(url+"\n"), 0o600); err != nil {
		return fmt.Errorf("write address: %w", err)
	}
	if err := os.Rename(next, s.lock.address); err != nil {
		return fmt.Errorf("write address: %w", err)
	}
	return nil
}
