package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings file to the newest schema. A file that holds anything is
// copied beside itself first.
func migrate(ctx context.Context, file string) (err error) {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite3", address(file, writeOptions))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return migrateWith(ctx, db, sub, file)
}

func migrateWith(ctx context.Context, db *sql.DB, steps fs.FS, file string) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, steps)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, want, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	switch {
	case have == want:
		return nil
	case have > want:
		return fmt.Errorf("the file was written by a newer version (schema %d, this one knows %d): use that version", have, want)
	case have > 0:
		if err := copyInto(ctx, db, fmt.Sprintf("%s.schema-%d", file, have)); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("copy before migration: %w", err)
		}
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate from schema %d: %w", have, err)
	}
	return nil
}
