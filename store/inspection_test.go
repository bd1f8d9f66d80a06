package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"colloquy/classroom"
)

// An inspection reads a folder that another process has open and writes to.
func TestVisit(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	id := newSession(t, s)
	m := newModel(t, s, secretKey)
	v, err := InspectFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	last := mustAppend(t, s, id, delta("x"))
	newest, err := v.Newest(t.Context())
	if err != nil || newest != last[0].Time {
		t.Errorf("the newest event is of %v, %v", newest, err)
	}
	if damage, err := v.Damage(t.Context()); err != nil || len(damage) > 0 {
		t.Errorf("damage: %v, %v", damage, err)
	}
	if have, known, err := v.Schema(t.Context()); err != nil || have != known || have < 2 {
		t.Errorf("schema %d of %d, %v", have, known, err)
	}
	if file, wal, err := v.Sizes(); err != nil || file == 0 || wal == 0 {
		t.Errorf("sizes %d and %d, %v", file, wal, err)
	}
	list, err := v.Models(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != m.ID {
		t.Fatalf("%v, %v", list, err)
	}
	if key, err := v.ModelKey(t.Context(), list[0]); err != nil || key != secretKey {
		t.Errorf("the key is %q, %v", key, err)
	}
	if err := s.SetAddress("http://there"); err != nil {
		t.Fatal(err)
	}
	if held, where, err := LockedBy(dir); err != nil || !held || where != "http://there" {
		t.Errorf("held %v at %q, %v", held, where, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if held, _, err := LockedBy(dir); err != nil || held {
		t.Errorf("held %v after its end, %v", held, err)
	}
	openStore(t, dir) // the inspection has released the lock
}

func TestVisitOfNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := InspectFolder(t.Context(), dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	if held, _, err := LockedBy(dir); held || err != nil {
		t.Error(held, err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("the inspection left %v", left)
	}
}

// A page that was overwritten is found.
func TestVisitFindsDamage(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	id := newSession(t, s)
	for range 40 {
		mustAppend(t, s, id, delta(strings.Repeat("word ", 300)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, fileName)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(text) / 2; i < len(text)/2+8192; i++ {
		text[i] = 0xa5
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := InspectFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if damage, err := v.Damage(t.Context()); err == nil && len(damage) == 0 {
		t.Error("no damage was found")
	}
}

// What was written before there were models is brought up to date with its classes.
func TestModelsComeToAnOldFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, fileName)
	if err := makePrivate(file); err != nil {
		t.Fatal(err)
	}
	m := testMigration(t, file, nil)
	m.steps = fstest.MapFS{"00001_first.sql": steps(t, nil)["00001_first.sql"]}
	if err := m.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	db := openRaw(t, file, writeOptions)
	_, err := db.ExecContext(t.Context(), `INSERT INTO classes (id, title, mode, rules, roster, created)
		VALUES ('c', 'Old', 'qa', '{}', '[]', 1)`)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	v, err := InspectFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if have, newest, err := v.Schema(t.Context()); err != nil || have != 1 || newest < 2 {
		t.Errorf("schema %d of %d, %v", have, newest, err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, dir)
	class, err := s.Class(t.Context(), "c")
	if err != nil || class.Model != "" || class.Title != "Old" {
		t.Errorf("%+v, %v", class, err)
	}
	class.Model = classroom.TutorModel
	if err := s.UpdateClass(t.Context(), class); err != nil {
		t.Error(err)
	}
}
