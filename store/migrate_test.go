package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"colloquy/classroom"
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

const nextStep = "-- +goose Up\nALTER TABLE sessions ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';\n"

// testMigration is a migration of file to the schema of this version and more.
func testMigration(t *testing.T, file string, more fstest.MapFS) migration {
	t.Helper()
	return migration{
		file: file, steps: steps(t, more), link: os.Link, onStep: func(string) {},
		logger: slog.New(slog.DiscardHandler),
	}
}

var (
	next   = fstest.MapFS{"90000_next.sql": {Data: []byte(nextStep)}}
	broken = fstest.MapFS{"90000_next.sql": {Data: []byte(nextStep)},
		"90001_broken.sql": {Data: []byte("-- +goose Up\nDROP TABLE settings;\nTHIS IS NO SQL;\n")}}
)

// usedFolder returns a folder as a killed program left it, with a write-ahead
// log, and what was acknowledged of its only session.
func usedFolder(t *testing.T) (dir, session string, last classroom.Cursor) {
	t.Helper()
	dir = t.TempDir()
	s := openStore(t, dir)
	session = newSession(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kept := map[string]classroom.Cursor{session: 1}
	kill(t, dir, 40, kept)
	if info, err := os.Stat(filepath.Join(dir, fileName+"-wal")); err != nil || info.Size() == 0 {
		t.Fatalf("no write-ahead log was left: %v", err)
	}
	return dir, session, kept[session]
}

// keptCopies are the files that migrations have left behind.
func keptCopies(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch strings.TrimPrefix(e.Name(), fileName) {
		case "", "-wal", "-shm", "lock", "address":
		default:
			out = append(out, e.Name())
		}
	}
	return out
}

// checkMigrated fails unless the file has the new schema and the log up to last.
func checkMigrated(t *testing.T, file string, last classroom.Cursor) {
	t.Helper()
	db := openRaw(t, file, writeOptions)
	var n classroom.Cursor
	const kept = `SELECT count(*) FROM events e JOIN sessions s ON s.no = e.session WHERE s.mood = 'calm'`
	err := db.QueryRowContext(t.Context(), kept).Scan(&n)
	if err != nil || n < last {
		t.Errorf("the new schema holds %d events, %v, want at least %d", n, err, last)
	}
}

// TestMigrate migrates a file with data to a later schema, keeps the old one,
// and fails to bring it further without a trace.
func TestMigrate(t *testing.T) {
	dir, session, last := usedFolder(t)
	file := filepath.Join(dir, fileName)
	for range 2 { // the second time nothing is to do
		if err := testMigration(t, file, next).run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	checkMigrated(t, file, last)
	copies := keptCopies(t, dir)
	if len(copies) != 1 {
		t.Fatalf("after the migration there are %v, want the old file only", copies)
	}
	if err := testMigration(t, file, broken).run(t.Context()); err == nil {
		t.Error("a broken migration passed")
	}
	checkMigrated(t, file, last)
	if left := keptCopies(t, dir); len(left) != 1 {
		t.Errorf("the broken migration left %v", left)
	}
	old := t.TempDir()
	if err := os.Rename(filepath.Join(dir, copies[0]), filepath.Join(old, fileName)); err != nil {
		t.Fatal(err)
	}
	checkKept(t, openStore(t, old), session, last)
}

// TestMigrationNeedsSpace checks that no migration begins on a disk without space for the copy.
func TestMigrationNeedsSpace(t *testing.T) {
	dir, session, last := usedFolder(t)
	m := testMigration(t, filepath.Join(dir, fileName), next)
	var need int64
	for _, name := range []string{m.file, m.file + "-wal"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		need += 2 * info.Size()
	}
	need += spareBytes
	before := contents(t, dir)
	m.free = func(string) (int64, error) { return need - 1, nil }
	sizes := fmt.Sprintf("%d MB are needed and %d MB are free", (need+1<<20-1)>>20, (need-1)>>20)
	if err := m.run(t.Context()); err == nil || !strings.Contains(err.Error(), sizes) {
		t.Errorf("with too little space: %v, want %q", err, sizes)
	}
	if !maps.Equal(contents(t, dir), before) {
		t.Error("files were changed")
	}
	s := openStore(t, dir)
	checkKept(t, s, session, last)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	m.free = func(string) (int64, error) { return need, nil }
	if err := m.run(t.Context()); err != nil {
		t.Errorf("with just enough room: %v", err)
	}
}

// contents are the files of a folder that hold data.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range append(keptCopies(t, dir), fileName, fileName+"-wal") {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		out[name] = string(text)
	}
	return out
}

// TestMigrationBesideAReader does not replace a file whose write-ahead log
// somebody still reads: the log would be applied to the new file.
func TestMigrationBesideAReader(t *testing.T) {
	dir, session, last := usedFolder(t)
	file := filepath.Join(dir, fileName)
	reader := openRaw(t, file, readOptions)
	tx, err := reader.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRowContext(t.Context(), `SELECT count(*) FROM events`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	m := testMigration(t, file, next)
	if err := m.run(t.Context()); err == nil || !strings.Contains(err.Error(), "another program reads") {
		t.Errorf("beside a reader: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	checkKept(t, openStore(t, dir), session, last)
}

// TestMigrationWithoutLinks keeps the old file also on a disk without hard links,
// and an older copy of the same name beside it.
func TestMigrationWithoutLinks(t *testing.T) {
	dir, _, last := usedFolder(t)
	m := testMigration(t, filepath.Join(dir, fileName), next)
	m.link = func(string, string) error { return errors.ErrUnsupported }
	if err := m.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkMigrated(t, m.file, last)
	copies := keptCopies(t, dir)
	if len(copies) != 1 {
		t.Fatalf("copies: %v", copies)
	}
	kept, err := os.ReadFile(filepath.Join(dir, copies[0]))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.file, kept, 0o600); err != nil { // somebody goes back, and upgrades again
		t.Fatal(err)
	}
	m.link = os.Link
	if err := m.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := keptCopies(t, dir); len(now) != 2 {
		t.Errorf("after the second upgrade: %v, want two copies", now)
	}
	if text, err := os.ReadFile(filepath.Join(dir, copies[0])); err != nil || !bytes.Equal(text, kept) {
		t.Errorf("the first copy was changed: %v", err)
	}
}

// TestNewerFileIsRefused leaves a file of a newer version as it is, also where
// that version was killed and left a write-ahead log.
func TestNewerFileIsRefused(t *testing.T) {
	dir, _, _ := usedFolder(t)
	file := filepath.Join(dir, fileName)
	if err := testMigration(t, file, next).run(t.Context()); err != nil {
		t.Fatal(err)
	}
	db := openRaw(t, file, writeOptions)
	_, err := db.ExecContext(t.Context(), `INSERT INTO settings (key, value) VALUES ('version', 'v9.1.0')`)
	if err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	if len(before[fileName+"-wal"]) == 0 {
		t.Fatal("there is no write-ahead log")
	}
	killed := t.TempDir() // nobody has these files open, so that whoever closes them last may change them
	for name, text := range before {
		if err := os.WriteFile(filepath.Join(killed, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err = Open(t.Context(), Options{Dir: killed})
	if err == nil {
		t.Fatal("it was opened")
	}
	for _, want := range []string{
		"newer version of Colloquy, v9.1.0", "schema 90000", "left as it is", "Start the newer version",
		keptCopies(t, dir)[0],
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if !maps.Equal(contents(t, killed), before) {
		t.Error("files were changed")
	}
}

// TestVersionIsNoted checks that the file names the program version that opened it last.
func TestVersionIsNoted(t *testing.T) {
	dir := t.TempDir()
	for _, version := range []string{"v1", "v2", ""} {
		s, err := Open(t.Context(), Options{Dir: dir, Version: version})
		if err != nil {
			t.Fatal(err)
		}
		noted, _, err := s.Setting(t.Context(), versionSetting)
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		if want := cmp.Or(version, "v2"); noted != want {
			t.Errorf("opened by %q the file names %q", version, noted)
		}
	}
}

// TestSchema holds that every table is STRICT, so that no number becomes a text
// unseen.
func TestSchema(t *testing.T) {
	s := openStore(t, t.TempDir())
	loose, err := queryAll(t.Context(), s.read, scanText, `SELECT name FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table'
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
	for range 2 { // the first attempt must have unlocked the folder
		_, err := Open(t.Context(), Options{Dir: dir})
		if err == nil {
			t.Fatal("it was opened")
		}
		if _, locked := errors.AsType[*LockedError](err); locked {
			t.Errorf("the failed attempt holds the folder: %v", err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, fileName)); err != nil || string(got) != string(junk) {
		t.Errorf("the file was changed: %v", err)
	}
}
