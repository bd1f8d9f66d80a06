package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationSteps returns the migrations of this version.
func migrationSteps() (fs.FS, error) { return fs.Sub(migrations, "migrations") }

// A migration brings a database file to the newest schema of its steps. It works on a
// copy beside the file, which replaces the file in one rename. Until then the version
// that wrote the old file can still open it.
type migration struct {
	file   string
	steps  fs.FS
	free   func(dir string) (int64, error)     // bytes free on the disk of dir; nil: unknown
	link   func(oldName, newName string) error // os.Link
	onStep func(point string)                  // called after each step, for tests that kill the process there
	logger *slog.Logger
}

func (s *Store) migrate(ctx context.Context, free func(dir string) (int64, error)) error {
	steps, err := migrationSteps()
	if err != nil {
		return err
	}
	m := migration{file: s.file(), steps: steps, free: free, link: os.Link, onStep: func(string) {}, logger: s.logger}
	return m.run(ctx)
}

func (m migration) run(ctx context.Context) error {
	want, err := newestSchema(m.steps)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	// Read-only, so that a file of a newer version stays byte for byte the same.
	have, writtenBy, err := inspectSchema(ctx, m.file)
	switch {
	case err != nil:
		return fmt.Errorf("read schema version: %w", err)
	case have > want:
		return newerSchemaError(m.file, writtenBy, have, want)
	case have == want:
		return m.removeCopy() // a killed migration may have left one
	case have == 0:
		return m.apply(ctx, m.file, writeOptions)
	}
	if err := m.replace(ctx, have); err != nil {
		return errors.Join(fmt.Errorf("migrate from schema %d to %d: %w", have, want, err), m.removeCopy())
	}
	m.logger.InfoContext(ctx, "database migrated", slog.Int64("from", have), slog.Int64("to", want))
	return nil
}

// copyOptions turn syncs off: the copy is synced once at the end, and removed after an error.
const copyOptions = "_txlock=immediate&_journal_mode=DELETE&_synchronous=OFF&_foreign_keys=1"

// copyPath is the path of the copy that is migrated.
func (m migration) copyPath() string { return m.file + ".next" }

// replace migrates a copy of the file and renames it to the file's name. The old file is
// kept under a name with its schema version.
func (m migration) replace(ctx context.Context, have int64) error {
	if err := m.removeCopy(); err != nil {
		return err
	}
	if err := m.checkFreeSpace(ctx); err != nil {
		return err
	}
	if err := m.copy(ctx); err != nil {
		return err
	}
	m.onStep("copied")
	if err := m.apply(ctx, m.copyPath(), copyOptions); err != nil {
		return err
	}
	if err := syncFile(m.copyPath()); err != nil {
		return err
	}
	m.onStep("synced")
	if err := m.keepOldFile(have); err != nil {
		return fmt.Errorf("keep the old file: %w", err)
	}
	m.onStep("kept")
	if err := os.Rename(m.copyPath(), m.file); err != nil {
		return err
	}
	syncFolder(filepath.Dir(m.file))
	m.onStep("replaced")
	return nil
}

// copy checkpoints the write-ahead log, removes it and copies the file. A log that
// stayed would be applied to the file that replaces this one.
func (m migration) copy(ctx context.Context) (err error) {
	db, err := sql.Open("sqlite3", address(m.file, "_synchronous=FULL&_busy_timeout=5000"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	mode, err := queryOne(ctx, db, scanText, `PRAGMA journal_mode = DELETE`)
	if err == nil && mode != "delete" {
		err = fmt.Errorf("journal mode is %s", mode)
	}
	if err != nil {
		return fmt.Errorf("another program reads the database; end it and start again: %w", err)
	}
	return copyInto(ctx, db, m.copyPath())
}

// apply runs the steps that the file does not have yet, each in a transaction.
func (m migration) apply(ctx context.Context, file, options string) (err error) {
	db, err := sql.Open("sqlite3", address(file, options))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	p, err := goose.NewProvider(goose.DialectSQLite3, db, m.steps)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	for {
		done, err := p.UpByOne(ctx)
		if errors.Is(err, goose.ErrNoNextVersion) {
			return nil
		}
		if err != nil {
			return err
		}
		m.onStep(fmt.Sprint("step ", done.Source.Version))
	}
}

// removeCopy removes the files of a migration that did not finish.
func (m migration) removeCopy() error {
	var errs []error
	for _, end := range []string{"", "-journal", ".part", ".part-journal"} {
		errs = append(errs, remove(m.copyPath()+end))
	}
	return errors.Join(errs...)
}

// inspectSchema returns the schema version of file, or 0 if it has none, and the version
// of the program that last opened it, or "" if that is unknown.
func inspectSchema(ctx context.Context, file string) (schema int64, writtenBy string, err error) {
	db, err := sql.Open("sqlite3", address(file, "mode=ro&_query_only=1&_busy_timeout=5000"))
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, err := queryOne(ctx, db, scanInt, `SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'`)
	if err != nil || tables == 0 {
		return 0, "", err
	}
	if schema, err = readSchema(ctx, db); err != nil {
		return 0, "", err
	}
	// The error is ignored: a newer schema may have changed the table settings.
	writtenBy, _ = queryOne(ctx, db, scanText, `SELECT value FROM settings WHERE key = ?`, versionSetting)
	return schema, writtenBy, nil
}

func readSchema(ctx context.Context, q querier) (int64, error) {
	return queryOne(ctx, q, scanInt, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`)
}

// newestSchema returns the schema version after the last step.
func newestSchema(steps fs.FS) (newest int64, err error) {
	names, err := fs.Glob(steps, "*.sql")
	for _, name := range names {
		n, bad := goose.NumericComponent(name)
		err = errors.Join(err, bad)
		newest = max(newest, n)
	}
	return newest, err
}
