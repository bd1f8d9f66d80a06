package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Backup writes a copy of the database, as of one moment, into a new file. It fails
// with fs.ErrExist if the file exists. Reads and writes go on meanwhile.
func (s *Store) Backup(ctx context.Context, file string) (err error) {
	// A connection of its own: those of the read pool are query_only, which forbids VACUUM INTO.
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

// BackupFolder does what [Store.Backup] does for a folder that this process has not
// opened. Another process may be using the folder. It fails with fs.ErrNotExist if
// the folder holds no database.
func BackupFolder(ctx context.Context, dir, file string) error {
	s := &Store{dir: dir}
	if _, err := os.Stat(s.file()); err != nil {
		return fmt.Errorf("back up %s: %w", dir, err)
	}
	return s.Backup(ctx, file)
}

// copyInto reserves the name with an empty file, writes the copy under another name
// and renames it. So no existing file is overwritten and no partial copy has that name.
func copyInto(ctx context.Context, db *sql.DB, file string) (err error) {
	reserved, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	part := file + ".part"
	defer func() {
		if err != nil {
			err = errors.Join(err, remove(part), remove(file))
		}
	}()
	if err := errors.Join(reserved.Close(), remove(part)); err != nil {
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
	syncFolder(filepath.Dir(file))
	return nil
}

// syncFolder makes a rename in dir durable. Its error is ignored: not every system
// can sync a folder.
func syncFolder(dir string) { _ = syncFile(dir) }

func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// remove deletes a file; one that does not exist is no error.
func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
