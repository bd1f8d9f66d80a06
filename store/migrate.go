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

// A migration brings a database file to the newest schema of its steps. It
// works on a copy beside the file, which replaces the file in one rename: until
// then the old file can be opened by the version that wrote it.
type migration struct {
	file    string
	steps   fs.FS
	free    func(dir string) (int64, error)     // bytes free on a disk; nil: unknown
	link    func(oldName, newName string) error // os.Link
	reached func(point string)                  // called after each step, for tests that kill the process there
	log     *slog.Logger
}

func (s *Store) migrate(ctx context.Context, free func(dir string) (int64, error)) error {
	steps, err := migrationSteps()
	if err != nil {
		return err
	}
	m := migration{file: s.file(), steps: steps, free: free, link: os.Link, reached: func(string) {}, log: s.log}
	return m.run(ctx)
}

func (m migration) run(ctx context.Context) error {
	want, err := newestSchema(m.steps)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	// Read-only, so that a file of a newer version is left byte for byte as it is.
	have, writtenBy, err := inspectSchema(ctx, m.file)
	switch {
	case err != nil:
		return fmt.Errorf("read schema version: %w", err)
	case have > want:
		return newerSchemaError(m.file, writtenBy, have, want)
	case have == want:
		return m.removeCopy() // of a migration that was killed
	case have == 0:
		return m.apply(ctx, m.file, writeOptions)
	}
	if err := m.replace(ctx, have); err != nil {
		return errors.Join(fmt.Errorf("migrate from schema %d to %d: %w", have, want, err), m.removeCopy())
	}
	m.log.InfoContext(ctx, "database migrated", slog.Int64("from", have), slog.Int64("to", want))
	return nil
}

// copyOptions sync nothing: the copy is synced once at the end, and removed where anything fails.
const copyOptions = "_txlock=immediate&_journal_mode=DELETE&_synchronous=OFF&_foreign_keys=1"

// copyName is the copy that is migrated.
func (m migration) copyName() string { return m.file + ".next" }

// replace migrates a copy of the file and puts it in the file's place. The old
// file is kept under a name of its own.
func (m migration) replace(ctx context.Context, have int64) error {
	if err := m.removeCopy(); err != nil {
		return err
	}
	if err := m.checkRoom(ctx); err != nil {
		return err
	}
	if err := m.copy(ctx); err != nil {
		return err
	}
	m.reached("copied")
	if err := m.apply(ctx, m.copyName(), copyOptions); err != nil {
		return err
	}
	if err := syncFile(m.copyName()); err != nil {
		return err
	}
	m.reached("synced")
	if err := m.keepOld(have); err != nil {
		return fmt.Errorf("keep the old file: %w", err)
	}
	m.reached("kept")
	if err := os.Rename(m.copyName(), m.file); err != nil {
		return err
	}
	_ = syncFile(filepath.Dir(m.file)) // not every system syncs folders
	m.reached("replaced")
	return nil
}

// copy folds the write-ahead log into the file and copies it. A log that stayed
// behind would be applied to the file that replaces this one.
func (m migration) copy(ctx context.Context) (err error) {
	db, err := sql.Open("sqlite3", address(m.file, "_synchronous=FULL&_busy_timeout=5000"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	mode, err := one(ctx, db, scanID, `PRAGMA journal_mode = DELETE`)
	if err == nil && mode != "delete" {
		err = fmt.Errorf("journal mode is %s", mode)
	}
	if err != nil {
		return fmt.Errorf("another program reads the database; end it and start again: %w", err)
	}
	return copyInto(ctx, db, m.copyName())
}

// apply runs the steps that file lacks, each in a transaction.
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
		m.reached(fmt.Sprint("step ", done.Source.Version))
	}
}

// removeCopy removes what a migration has left that did not get to its end.
func (m migration) removeCopy() error {
	var errs []error
	for _, end := range []string{"", "-journal", ".part", ".part-journal"} {
		errs = append(errs, remove(m.copyName()+end))
	}
	return errors.Join(errs...)
}

// inspectSchema returns the schema version of file, 0 where it has none, and
// the version of the program that last opened it, where it says so.
func inspectSchema(ctx context.Context, file string) (schema int64, writtenBy string, err error) {
	db, err := sql.Open("sqlite3", address(file, "mode=ro&_query_only=1&_busy_timeout=5000"))
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, err := one(ctx, db, scanNo, `SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'`)
	if err != nil || tables == 0 {
		return 0, "", err
	}
	if schema, err = readSchema(ctx, db); err != nil {
		return 0, "", err
	}
	// Whatever a newer schema has made of the settings is no reason to fail.
	writtenBy, _ = one(ctx, db, scanID, `SELECT value FROM settings WHERE key = ?`, versionSetting)
	return schema, writtenBy, nil
}

func readSchema(ctx context.Context, q querier) (int64, error) {
	return one(ctx, q, scanNo, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`)
}

// newestSchema is the version that a database has after the last of steps.
func newestSchema(steps fs.FS) (newest int64, err error) {
	names, err := fs.Glob(steps, "*.sql")
	for _, name := range names {
		n, bad := goose.NumericComponent(name)
		err = errors.Join(err, bad)
		newest = max(newest, n)
	}
	return newest, err
}
