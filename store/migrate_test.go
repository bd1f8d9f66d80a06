package store

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// steps returns the migrations of this version and more.
func steps(t *testing.T, more fstest.MapFS) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := migrations.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = &fstest.MapFile{Data: text}
	}
	maps.Copy(out, more)
	return out
}

// TestMigrate brings a file with data to a schema to come, fails to bring it
// further, and refuses it afterwards.
func TestMigrate(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	id := newSession(t, s)
	mustAppend(t, s, id, delta("kept"))
	file := s.file()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next := fstest.MapFS{"90000_next.sql": {Data: []byte("-- +goose Up\nALTER TABLE sessions ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';\n")}}
	broken := fstest.MapFS{"90001_broken.sql": {Data: []byte("-- +goose Up\nDROP TABLE settings;\nTHIS IS NO SQL;\n")}}

	db := openRaw(t, file, writeOptions)
	for range 2 { // the second time nothing is to do
		if err := migrateWith(t.Context(), db, steps(t, next), file); err != nil {
			t.Fatal(err)
		}
	}
	var n int
	if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM events e JOIN sessions s ON s.no = e.session WHERE s.mood = 'calm'`).Scan(&n); err != nil || n != 2 {
		t.Errorf("the new schema holds %d events, %v, want 2", n, err)
	}
	copies, err := filepath.Glob(file + ".schema-*")
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies before the migration: %v, %v, want one", copies, err)
	}

	maps.Copy(broken, next)
	if err := migrateWith(t.Context(), db, steps(t, broken), file); err == nil {
		t.Error("a broken migration passed")
	}
	if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM settings`).Scan(&n); err != nil {
		t.Errorf("a broken migration left half of itself: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Options{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("a file of a newer version: got %v", err)
	}

	old := t.TempDir() // the copy is what there was
	if err := os.Rename(copies[0], filepath.Join(old, fileName)); err != nil {
		t.Fatal(err)
	}
	before := openStore(t, old)
	if head, err := before.Head(t.Context(), id); err != nil || head != 2 {
		t.Errorf("the copy's log ends at %d, %v, want 2", head, err)
	}
}

// TestSchema holds that every table is STRICT, so that no number becomes a text
// unseen.
func TestSchema(t *testing.T) {
	s := openStore(t, t.TempDir())
	loose, err := all(t.Context(), s.read, scanID, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
		AND NOT strict AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'`)
	if err != nil || len(loose) > 0 {
		t.Errorf("tables %v are not strict, %v", loose, err)
	}
}

// TestDamagedFile opens what is no database: an error, and no new file in its
// place.
func TestDamagedFile(t *testing.T) {
	dir := t.TempDir()
	junk := []byte(strings.Repeat("this is no database ", 500))
	if err := os.WriteFile(filepath.Join(dir, fileName), junk, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first attempt must have let go of the folder
		_, err := Open(t.Context(), Options{Dir: dir})
		if err == nil {
			t.Fatal("it was opened")
		}
		if _, locked := errors.AsType[*LockedError](err); locked {
			t.Errorf("the failed attempt kept the folder: %v", err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, fileName)); err != nil || string(got) != string(junk) {
		t.Errorf("the file was changed: %v", err)
	}
}
