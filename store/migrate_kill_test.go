package store

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	migrateFolder = "STORE_TEST_MIGRATE"
	migratePoint  = "STORE_TEST_POINT"
)

var afterNext = fstest.MapFS{
	"90000_next.sql": {Data: []byte(nextStep)},
	"90001_more.sql": {Data: []byte("-- +goose Up\nCREATE TABLE more (n INTEGER) STRICT;\n")},
}

// runMigrationVictim is the process that TestMigrationIsKilled kills: it migrates
// a folder and stops at a point until it is killed.
func runMigrationVictim() {
	dir, point := os.Getenv(migrateFolder), os.Getenv(migratePoint)
	if dir == "" {
		return
	}
	all := fstest.MapFS{}
	for name, file := range afterNext {
		all[name] = file
	}
	names, _ := fs.Glob(migrations, "migrations/*.sql")
	for _, name := range names {
		text, _ := migrations.ReadFile(name)
		all[filepath.Base(name)] = &fstest.MapFile{Data: text}
	}
	m := migration{file: filepath.Join(dir, fileName), steps: all, link: os.Link, logger: slog.New(slog.DiscardHandler)}
	m.onStep = func(at string) {
		if at == point {
			waitForKill()
		}
	}
	if err := m.run(context.Background()); err != nil {
		_, _ = os.Stdout.WriteString(err.Error() + "\n")
	}
	os.Exit(1)
}

// TestMigrationIsKilled kills a migration at each of its points. Until the new
// file stands in its place the old one can be opened by the old version; after
// that the new one is whole. A second migration comes to its end in either case.
func TestMigrationIsKilled(t *testing.T) {
	for _, point := range []string{"copied", "step 90000", "step 90001", "synced", "kept", "replaced"} {
		t.Run(strings.ReplaceAll(point, " ", "-"), func(t *testing.T) {
			dir, session, last := usedFolder(t)
			file := filepath.Join(dir, fileName)
			killAtPoint(t, migrateFolder+"="+dir, migratePoint+"="+point)
			if point != "replaced" {
				s := openStore(t, dir) // by the version before
				checkIntegrity(t, s)
				last = checkKept(t, s, session, last)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if err := testMigration(t, file, afterNext).run(t.Context()); err != nil {
				t.Fatal(err)
			}
			checkMigrated(t, file, last)
			copies := keptCopies(t, dir)
			if len(copies) != 1 || !strings.Contains(copies[0], ".schema-") {
				t.Fatalf("there are %v, want the old file only", copies)
			}
			old := t.TempDir()
			if err := os.Rename(filepath.Join(dir, copies[0]), filepath.Join(old, fileName)); err != nil {
				t.Fatal(err)
			}
			checkKept(t, openStore(t, old), session, last)
		})
	}
}
