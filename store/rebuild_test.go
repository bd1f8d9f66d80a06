package store

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"colloquy/classroom"
)

const rebuildFolder = "STORE_TEST_REBUILD"

// runRebuildVictim is the process that TestRebuildIsKilled kills: it rebuilds,
// and stops after two transactions until it is killed.
func runRebuildVictim() {
	dir := os.Getenv(rebuildFolder)
	if dir == "" {
		return
	}
	s, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s.rebuilds.onStep = func(_ string, p classroom.Progress) {
		if p.Done == 2*int64(passageRebuild.batch) {
			waitForKill()
		}
	}
	s.Rebuild(context.Background())
	os.Exit(1)
}

// manyPassages returns a folder whose class has more materials than several
// transactions of a rebuild take, none of them with its passages.
func manyPassages(t *testing.T) (dir, class string, materials int64) {
	t.Helper()
	dir = t.TempDir()
	s := openStore(t, dir)
	class = newClass(t, s)
	for n := range 5 {
		var text strings.Builder
		for i := range 60 {
			fmt.Fprintf(&text, "# Part %d-%d\n\nThe quokka%dx%d eats leaves of the island.\n\n", n, i, n, i)
		}
		m := classroom.Material{ClassID: class, Name: fmt.Sprint("Volume ", n)}
		if _, err := s.AddMaterial(t.Context(), m, text.String()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetSetting(t.Context(), passageRebuild.setting(), `{"version":0}`); err != nil {
		t.Fatal(err)
	}
	err := s.change(t.Context(), func(w *writer) error {
		_, err := w.exec(`DELETE FROM passages`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	materials, err = queryOne(t.Context(), s.read, scanInt, `SELECT count(*) FROM materials`)
	if err != nil || materials <= 4*int64(passageRebuild.batch) {
		t.Fatalf("%d materials, %v", materials, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, class, materials
}

// checkIndexed fails unless a search finds passages of every material, each once.
func checkIndexed(t *testing.T, s *Store, class string) {
	t.Helper()
	for n := range 5 {
		for _, i := range []int{0, 59} {
			if got := found(t, s, class, fmt.Sprintf("quokka%dx%d", n, i)); len(got) == 0 {
				t.Errorf("passage %d of material %d is not found", i, n)
			}
		}
	}
	passages, err := queryOne(t.Context(), s.read, scanInt, `SELECT count(*) FROM passages WHERE text LIKE '%quokka%'`)
	if err != nil || passages != 300 {
		t.Errorf("there are %d passages, %v", passages, err)
	}
}

// TestRebuild checks that a store answers and accepts changes while it rebuilds,
// shows how far it is, and has everything in the index in the end.
func TestRebuild(t *testing.T) {
	dir, class, passages := manyPassages(t)
	s := openStore(t, dir)
	if p, due := s.IndexProgress(); !due || p != (classroom.Progress{Total: passages}) {
		t.Errorf("before the rebuild: %+v, %v", p, due)
	}
	var seen []int64
	halfway, proceed, ended := make(chan bool), make(chan bool), make(chan bool)
	s.rebuilds.onStep = func(_ string, p classroom.Progress) {
		seen = append(seen, p.Done)
		if len(seen) == 2 {
			halfway <- true
			<-proceed
		}
	}
	go func() {
		defer close(ended)
		s.Rebuild(context.WithoutCancel(t.Context()))
	}()
	<-halfway
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("not ready during the rebuild: %v", err)
	}
	two := classroom.Progress{Done: 2 * int64(passageRebuild.batch), Total: passages}
	if p, due := s.IndexProgress(); !due || p != two {
		t.Errorf("during the rebuild: %+v, %v", p, due)
	}
	if len(found(t, s, class, "quokka0x0")) == 0 || len(found(t, s, class, "quokka4x59")) != 0 {
		t.Error("the rebuild does not begin with the first material")
	}
	m, err := s.AddMaterial(t.Context(), classroom.Material{ClassID: class, Name: "New"}, "The wombat digs tunnels.")
	if err != nil || len(found(t, s, class, "wombat tunnels")) == 0 {
		t.Errorf("a material added during the rebuild: %v", err)
	}
	close(proceed)
	<-ended
	if _, due := s.IndexProgress(); due {
		t.Error("a rebuild is due after the rebuild")
	}
	checkIndexed(t, s, class)
	if err := s.DeleteMaterial(t.Context(), m.ID); err != nil || len(found(t, s, class, "wombat tunnels")) != 0 {
		t.Errorf("a deleted material is found, %v", err)
	}
	again := 0
	s.rebuilds.onStep = func(string, classroom.Progress) { again++ }
	if s.Rebuild(t.Context()); again != 0 {
		t.Errorf("it was rebuilt again in %d transactions", again)
	}
}

// TestRebuildReplaces rebuilds an index that has other words for each passage: they are gone.
func TestRebuildReplaces(t *testing.T) {
	dir, class, _ := manyPassages(t)
	s := openStore(t, dir)
	err := s.change(t.Context(), func(w *writer) error {
		_, err := w.exec(`INSERT INTO passages (material, heading, first, staff, text, terms)
			SELECT no, '', 0, 0, 'obsolete', char(9) || char(9) || 'obsolet' FROM materials`)
		if err == nil {
			_, err = w.exec(`UPDATE materials SET changes = changes + 1`)
		}
		return err
	})
	if err != nil || len(found(t, s, class, "obsolete")) == 0 {
		t.Fatalf("the passages of before are not found: %v", err)
	}
	s.Rebuild(t.Context())
	checkIndexed(t, s, class)
	if got := found(t, s, class, "obsolete"); len(got) != 0 {
		t.Errorf("after the rebuild %q is found", got)
	}
}

// TestRebuildIsKilled kills a rebuild in the middle. The next one goes on there.
func TestRebuildIsKilled(t *testing.T) {
	dir, class, passages := manyPassages(t)
	killAtPoint(t, rebuildFolder+"="+dir)
	s := openStore(t, dir)
	two := classroom.Progress{Done: 2 * int64(passageRebuild.batch), Total: passages}
	if p, due := s.IndexProgress(); !due || p != two {
		t.Errorf("after the kill: %+v, %v", p, due)
	}
	first := int64(0)
	s.rebuilds.onStep = func(_ string, p classroom.Progress) {
		if first == 0 {
			first = p.Done
		}
	}
	s.Rebuild(t.Context())
	if first != 3*int64(passageRebuild.batch) {
		t.Errorf("after the kill the first transaction came to %d, want %d", first, 3*int64(passageRebuild.batch))
	}
	checkIndexed(t, s, class)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, due := openStore(t, dir).IndexProgress(); due {
		t.Error("a rebuild is due after the rebuild")
	}
}

// TestRebuildStops ends with its context and at the store's close.
func TestRebuildStops(t *testing.T) {
	dir, _, _ := manyPassages(t)
	s := openStore(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	steps := 0
	s.rebuilds.onStep = func(string, classroom.Progress) {
		steps++
		stop()
	}
	s.Rebuild(ctx)
	if p, due := s.IndexProgress(); steps != 1 || !due || p.Done != int64(passageRebuild.batch) {
		t.Errorf("after %d steps: %+v, %v", steps, p, due)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s.Rebuild(t.Context())
	if steps != 1 {
		t.Error("a closed store was changed")
	}
}

// TestRebuildOfAnyOtherVersion begins if the file names a different version,
// and not if it names none: such files have version 1.
func TestRebuildOfAnyOtherVersion(t *testing.T) {
	dir := t.TempDir()
	for value, want := range map[string]bool{
		"": false, `{"version":1}`: false, `{"version":2}`: true, `{"version":0}`: true, "unreadable": true,
		`{"version":1,"after":5,"done":5,"running":true}`: true,
		`{"version":2,"after":5,"done":5,"running":true}`: true,
	} {
		s := openStore(t, dir)
		if value != "" {
			if err := s.SetSetting(t.Context(), passageRebuild.setting(), value); err != nil {
				t.Fatal(err)
			}
		}
		st, err := s.rebuildState(t.Context(), rebuild{name: passageRebuild.name, version: 1})
		if err := s.change(t.Context(), func(w *writer) error {
			_, err := w.exec(`DELETE FROM settings`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if err != nil || st.Running != want {
			t.Errorf("%q: rebuilt %v, %v, want %v", value, st.Running, err, want)
		}
		if strings.Contains(value, `2,"after"`) && st.After != 0 {
			t.Errorf("%q goes on where another version was", value)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
