package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"

	"colloquy/classroom"
)

// An Inspection reads a folder that another process may be using, and changes nothing.
type Inspection struct{ store *Store }

// InspectFolder opens the database of a folder for reading. The error matches
// fs.ErrNotExist if the folder has no database.
func InspectFolder(ctx context.Context, dir string) (*Inspection, error) {
	s := &Store{dir: dir}
	_, err := os.Stat(s.file())
	if err == nil {
		s.read, err = sql.Open("sqlite3", address(s.file(), readOptions))
	}
	if err == nil {
		err = s.read.PingContext(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("inspect %s: %w", dir, err)
	}
	return &Inspection{s}, nil
}

// Close closes the database.
func (v *Inspection) Close() error { return v.store.read.Close() }

// Damage returns what SQLite's quick_check finds wrong with the file, a line each.
func (v *Inspection) Damage(ctx context.Context) ([]string, error) {
	found, err := queryAll(ctx, v.store.read, scanText, `PRAGMA quick_check(5)`)
	if err != nil || len(found) == 1 && found[0] == "ok" {
		return nil, wrap(err, "check the file")
	}
	return found, nil
}

// Schema returns the schema version of the file, and the newest that this program knows.
func (v *Inspection) Schema(ctx context.Context) (have, newest int64, err error) {
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

// Sizes returns the bytes of the file and of its write-ahead log.
func (v *Inspection) Sizes() (file, wal int64, err error) {
	info, err := os.Stat(v.store.file())
	if err != nil {
		return 0, 0, err
	}
	wal, err = v.store.walBytes()
	return info.Size(), wal, err
}

// Newest returns the time of the newest event of all sessions, or 0 if there is none.
func (v *Inspection) Newest(ctx context.Context) (classroom.Stamp, error) {
	at, err := queryOne(ctx, v.store.read, scanInt,
		`SELECT coalesce((SELECT ts FROM events ORDER BY no DESC LIMIT 1), 0)`)
	return classroom.Stamp(at), wrap(err, "read the newest event")
}

// Models returns the connected models.
func (v *Inspection) Models(ctx context.Context) ([]classroom.Model, error) {
	return v.store.Models(ctx)
}

// ModelKey decrypts the key of a model, see [Store.ModelKey].
func (v *Inspection) ModelKey(ctx context.Context, m classroom.Model) (string, error) {
	return v.store.ModelKey(ctx, m)
}
