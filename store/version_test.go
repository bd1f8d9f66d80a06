package store

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"colloquy/classroom"
)

// versionFolders are the fixtures that earlier versions have left.
func versionFolders(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("testdata/versions/schema-*")
	if err != nil || len(found) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return found
}

// unpackVersion returns a data folder that holds what the fixture does.
func unpackVersion(t *testing.T, folder string) string {
	t.Helper()
	dir := t.TempDir()
	packed, err := os.ReadFile(filepath.Join(folder, "colloquy.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	database, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := os.ReadFile(filepath.Join(folder, "key"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{fileName: database, keyFileName: secret} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestVersions opens the database of each earlier version: everything it kept
// is there and can be changed.
func TestVersions(t *testing.T) {
	recorded := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) // before the recorded login ends
	for _, folder := range versionFolders(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			dir := unpackVersion(t, folder)
			s, err := Open(t.Context(), Options{Dir: dir, Now: func() time.Time { return recorded }})
			if err != nil {
				t.Fatal(err)
			}
			checkIntegrity(t, s)
			s.Rebuild(t.Context())
			checkVersionLists(t, s)
			checkVersionLogs(t, s, folder)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func checkVersionLists(t *testing.T, s *Store) {
	t.Helper()
	classes, err := s.Classes(t.Context())
	if err != nil || len(classes) < 3 {
		t.Fatalf("classes %v, %v", classes, err)
	}
	for _, c := range classes {
		materials, err := s.Materials(t.Context(), c.ID)
		if err != nil || len(materials) == 0 && c.Title != "Empty class" {
			t.Errorf("materials of %q: %v, %v", c.Title, materials, err)
		}
		query := map[string]string{"Demo class": "Why are leaves green?", "Year 8 physics": "unit of pressure"}[c.Title]
		if found := found(t, s, c.ID, query); query != "" && len(found) == 0 {
			t.Errorf("%q finds nothing in %q", query, c.Title)
		}
	}
	models, err := s.Models(t.Context())
	if err != nil || len(models) != 1 {
		t.Fatalf("models %v, %v", models, err)
	}
	if key, err := s.ModelKey(t.Context(), models[0]); err != nil || key != "sk-connected-5ecretKey" {
		t.Errorf("the model's key is %q, %v", key, err)
	}
	if owner, ok, err := s.Owner(t.Context()); err != nil || !ok || owner.Name != "Ms Recorder" {
		t.Errorf("owner %v, %v, %v", owner, ok, err)
	}
	if logins, err := s.Logins().AllCtx(t.Context()); err != nil || len(logins) == 0 {
		t.Errorf("%d logins, %v", len(logins), err)
	}
}

// checkVersionLogs compares each log with the recorded one, and appends to it.
func checkVersionLogs(t *testing.T, s *Store, folder string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "sessions.json"))
	if err != nil {
		t.Fatal(err)
	}
	var ids map[string]string
	if err := json.Unmarshal(text, &ids); err != nil {
		t.Fatal(err)
	}
	for name, id := range ids {
		events, err := s.Read(t.Context(), id, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range events {
			events[i] = classroom.WithoutOpaque(events[i]) // as it leaves the server
		}
		want := recordedEvents(t, filepath.Join(folder, name+".jsonl"))
		if !slices.EqualFunc(events, want, sameEvent) {
			t.Errorf("the log of %s is not what was recorded", name)
		}
		next := mustAppend(t, s, id, classroom.Draft{Payload: classroom.TitleChange{Title: "Later", By: "test"}})
		if next[0].ID != events[len(events)-1].ID+1 {
			t.Errorf("%s: after %d came %d", name, events[len(events)-1].ID, next[0].ID)
		}
	}
}

func recordedEvents(t *testing.T, file string) []classroom.Event {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []classroom.Event
	for line := range bytes.Lines(text) {
		var e classroom.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// sameEvent compares an event with the recorded one. Since events have codes, the server
// adds their sentences when they leave.
func sameEvent(stored, recorded classroom.Event) bool {
	var a, b map[string]any
	if json.Unmarshal(stored.Data, &a) != nil || json.Unmarshal(recorded.Data, &b) != nil {
		return false
	}
	if a["message"] == nil && (a["code"] != nil || a["reason"] != nil) {
		delete(b, "message")
	}
	if stored.Type == classroom.TypeCueUser && a["code"] != nil {
		b["question"], b["options"] = a["question"], a["options"]
	}
	for _, data := range []map[string]any{a, b} {
		maps.DeleteFunc(data, func(_ string, value any) bool { return value == nil })
	}
	return reflect.DeepEqual(a, b) && stored.ID == recorded.ID && stored.Type == recorded.Type &&
		stored.Exchange == recorded.Exchange && stored.Agent == recorded.Agent && stored.Time == recorded.Time
}
