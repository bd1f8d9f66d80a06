package main

import (
	"fmt"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/store"
)

// An index of another version is rebuilt once the workbench is ready. A kill
// does not matter: the next start goes on with it, and then everything is found.
func TestIndexIsRebuiltAfterTheStart(t *testing.T) {
	s := stoppedStage(t, nil)
	st, err := store.Open(t.Context(), store.Options{Dir: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	library := classroom.Class{Title: "Library", Mode: classroom.ModeQA, Roster: starterRoster()}
	class, err := st.CreateClass(t.Context(), library)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 10 {
		var text strings.Builder
		for i := range 300 {
			fmt.Fprintf(&text, "# Part %d\n\nThe quokka%dx%d eats leaves of the island.\n\n", i, n, i)
		}
		m := classroom.Material{ClassID: class.ID, Name: fmt.Sprint("Volume ", n)}
		if _, err := st.AddMaterial(t.Context(), m, text.String()); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.SetSetting(t.Context(), "rebuild_passage_index", `{"version":0}`); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.eventually("the rebuild begins", func() bool { return strings.Contains(s.out.String(), "rebuild started") })
	out := s.out.String()
	if ready := strings.Index(out, "is ready at"); ready < 0 || ready > strings.Index(out, "rebuild started") {
		t.Errorf("the rebuild begins before the workbench is ready:\n%s", out)
	}
	s.kill()
	s.start()
	s.eventually("the rebuild has ended", func() bool {
		left := strings.TrimSpace(s.metric("index_passages_total"))
		return strings.Contains(s.out.String(), "rebuild finished") && strings.HasSuffix(left, " 0")
	})
	id := s.session("ada")
	s.ask(id, "What does the quokka9x299 eat?")
	if text := spoken(s.ended(id, 1), 1); !strings.Contains(text, "leaves of the island") {
		t.Errorf("the last passage is not found: %q", text)
	}
}
