package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Backup writes a copy of everything, as of one moment, into a new file. It
// fails with an error that is fs.ErrExist where there is a file already.
// Others read and write meanwhile.
func (s *Store) Backup(ctx context.Context, file string) (err error) {
	// Not of the pool: that one may write nothing, not even a copy.
	db, err := sql.Open("sqlite3", address(s.file(), "mode=ro&_busy_timeout=5000"))
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := copyInto(ctx, db, file); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	return nil
}

// copyInto claims the name first and fills it last, so that a copy of that
// name is whole and nobody's file is overwritten.
func copyInto(ctx context.Context, db *sql.DB, file string) (err error) {
	claim, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	part := file + ".part"
	defer func() {
		if err != nil {
			err = errors.Join(err, remove(part), remove(file))
		}
	}()
	if err := errors.Join(claim.Close(), remove(part)); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return fmt.Errorf("copy into %s: %w", part, err)
	}
	if err := os.Chmod(part, 0o600); err != nil {
		return err
	}
	if err := errors.Join(syncFile(part), os.Rename(part, file)); err != nil {
		return err
	}
	_ = syncFile(filepath.Dir(file)) // not every system syncs folders
	return nil
}

func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
