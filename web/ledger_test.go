package web

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"colloquy/classroom"
)

// The ledger filters by what became of a question, and its table holds no formula.
func TestLedger(t *testing.T) {
	s := newSchool(t)
	head := s.log(s.session.ID)
	at := classroom.Cursor(len(head))
	x := 90
	_, err := s.store.Append(t.Context(), s.session.ID, 0,
		classroom.Draft{Exchange: x, Payload: classroom.UserMessage{
			Text: "=1+1 is what?", Author: classroom.Author{Name: "@Kim"},
		}},
		classroom.Draft{Exchange: x, Attempt: 1, Payload: classroom.RunStart{Prompt: at + 1}},
		classroom.Draft{Exchange: x, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Completed}},
	)
	s.must(err)
	teacher := s.signedIn(s.teacher)
	path := "/classes/" + s.class.ID + "/ledger"
	for fate, want := range map[string]bool{"": true, "unsourced": true, "failed": false, "nonsense": true} {
		code, body := s.get(teacher, path+"?fate="+fate)
		if code != http.StatusOK || strings.Contains(body, "=1+1 is what?") != want {
			t.Errorf("fate %q: %d, shown %v", fate, code, !want)
		}
	}
	code, body := s.get(teacher, path+"?format=csv")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff"))).ReadAll()
	if code != http.StatusOK || err != nil || len(rows) < 2 {
		t.Fatalf("%d, %v: %s", code, err, body)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
				t.Errorf("the cell %q is a formula", cell)
			}
		}
	}
	if code, body := s.get(teacher, "/api"+path+"?fate=failed"); code != http.StatusOK ||
		strings.TrimSpace(body) != "[]" {
		t.Errorf("none: %d %s", code, body)
	}
}
