package store

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"colloquy/classroom"
)

const secretKey = "sk-test-Very5ecretKey"

func sampleModel() classroom.Model {
	return classroom.Model{
		Title: "Chat", Provider: "openai", BaseURL: "https://api.example.org/v1", Name: "chat-1",
		Thinking: "low", Context: 128_000, MaxOutput: 4096, Currency: "EUR",
		Price: classroom.ModelPrice{Input: 2_500_000, Output: 10_000_000, CacheRead: 1_250_000, CacheWrite: 3},
	}
}

func newModel(t *testing.T, s *Store, key string) classroom.Model {
	t.Helper()
	m, err := s.CreateModel(t.Context(), sampleModel(), key)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// No file of the folder holds a key's text, the key file is its owner's alone,
// and a backup opens no key.
func TestModelKeyIsSealed(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	m := newModel(t, s, secretKey)
	copied := t.TempDir()
	if err := s.Backup(t.Context(), filepath.Join(copied, fileName)); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil || bytes.Contains(text, []byte(secretKey)) {
			t.Errorf("%s holds the key, %v", f.Name(), err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, keyFileName))
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != 32 {
		t.Errorf("key file: %v, %v", info, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	restored := openStore(t, copied)
	if _, err := restored.ModelKey(t.Context(), m); !errors.Is(err, classroom.ErrModelKeyLost) {
		t.Errorf("a backup opens the key: %v", err)
	}
	again := openStore(t, dir)
	if key, err := again.ModelKey(t.Context(), m); err != nil || key != secretKey {
		t.Errorf("after a restart: %q, %v", key, err)
	}
}

// A log may say anything of what a run used: no row breaks the sums, and none
// takes anything off them.
func TestSpentHoldsWithAbsurdRows(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := newSession(t, s)
	huge, less := int64(math.MaxInt64), int64(-5)
	for range 3 {
		mustAppend(t, s, id,
			classroom.Draft{
				Exchange: 1,
				Attempt:  1,
				Payload: classroom.RunEnd{
					Usage: classroom.Usage{Input: math.MaxInt64, Output: math.MinInt64, Reasoning: 7},
					Cost:  &huge,
				},
			},
			classroom.Draft{
				Exchange: 1,
				Attempt:  2,
				Payload:  classroom.RunEnd{Usage: classroom.Usage{Input: -7, Output: 2}, Cost: &less},
			},
		)
	}
	for _, data := range []string{ // a damaged copy may contain them
		`{"usage":{"input":1e300,"output":"much","cache_read":[9]},"cost":null}`, `{"usage":"none"}`,
	} {
		err := s.change(t.Context(), func(w *writer) error {
			_, err := w.exec(`INSERT INTO events (session, cursor, ts, type, exchange, agent, attempt, data)
				SELECT session, max(cursor) + 1, 0, 'run_end', 1, '', 1, ? FROM events`, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	const most = 1_000_000_000_000
	got, err := s.SessionSpent(t.Context(), id)
	if want := (classroom.Usage{Input: 4 * most, Output: 6, Reasoning: 21}); err != nil || got.Usage != want ||
		got.Cost == nil || *got.Cost != 3*most {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if both, err := s.ClassSpent(t.Context(), mustSession(t, s, id).ClassID); err != nil || both.Usage != got.Usage {
		t.Errorf("%+v, %v", both, err)
	}
}
