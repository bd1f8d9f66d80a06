package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"colloquy/classroom"

	"github.com/gofrs/flock"
)

// A Visit looks at a folder without opening it: another process may have it, and
// goes on meanwhile. It changes nothing.
type Visit struct{ store *Store }

// VisitFolder begins a visit. It fails with an error that is fs.ErrNotExist where the folder holds no data.
func VisitFolder(ctx context.Context, dir string) (*Visit, error) {
	s := &Store{dir: dir}
	_, err := os.Stat(s.file())
	if err == nil {
		s.read, err = sql.Open("sqlite3", address(s.file(), readOptions))
	}
	if err == nil {
		err = s.read.PingContext(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("visit %s: %w", dir, err)
	}
	return &Visit{s}, nil
}

// Close ends the visit.
func (v *Visit) Close() error { return v.store.read.Close() }

// Damage is what SQLite finds wrong with the file, a line each.
func (v *Visit) Damage(ctx context.Context) ([]string, error) {
	found, err := all(ctx, v.store.read, scanID, `PRAGMA quick_check(5)`)
	if err != nil || len(found) == 1 && found[0] == "ok" {
		return nil, wrap(err, "check the file")
	}
	return found, nil
}

// Schema is the version of the file, and the newest that this program knows.
func (v *Visit) Schema(ctx context.Context) (have, newest int64, err error) {
	have, err = readSchema(ctx, v.store.read)
	if err != nil {
		return 0, 0, fmt.Errorf("read schema version: %w", err)
	}
	steps, err := migrationSteps()
	if err == nil {
		newest, err = newestSchema(steps)
	}
	return have, newest, err
}

// Sizes are the bytes of the file and of its write-ahead log.
func (v *Visit) Sizes() (file, wal int64, err error) {
	info, err := os.Stat(v.store.file())
	if err != nil {
		return 0, 0, err
	}
	wal, err = v.store.walBytes()
	return info.Size(), wal, err
}

// Newest is the time of the newest event of all sessions; 0 where there is none.
func (v *Visit) Newest(ctx context.Context) (classroom.Stamp, error) {
	at, err := one(ctx, v.store.read, scanNo, `SELECT coalesce((SELECT ts FROM events ORDER BY no DESC LIMIT 1), 0)`)
	return classroom.Stamp(at), wrap(err, "read the newest event")
}

// Models returns the connected models.
func (v *Visit) Models(ctx context.Context) ([]classroom.Model, error) { return v.store.Models(ctx) }

// ModelKey opens the key of a model, see [Store.ModelKey].
func (v *Visit) ModelKey(ctx context.Context, m classroom.Model) (string, error) {
	return v.store.ModelKey(ctx, m)
}

// Holder says whether a process has the folder, and where it listens, if it has said so.
func Holder(dir string) (held bool, address string, err error) {
	file := filepath.Join(dir, "lock")
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return false, "", nil
	}
	l := flock.New(file, flock.SetPermissions(0o600))
	free, err := l.TryLock()
	if err != nil {
		return false, "", fmt.Errorf("look at the lock: %w", err)
	}
	if free {
		return false, "", l.Close()
	}
	where, _ := os.ReadFile(filepath.Join(dir, "address")) // unreadable is as good as unknown
	return true, strings.TrimSpace(string(where)), nil
}

// SecretFile is the name of the file by which keys are sealed.
func SecretFile(dir string) string { return filepath.Join(dir, sealFile) }
