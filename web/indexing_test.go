package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"colloquy/classroom"
)

// Pages work during a rebuild of the search index. The page of the class and the
// metrics show its progress until it has ended.
func TestIndexingIsShown(t *testing.T) {
	due := true
	w := newWebServer(t, func(o *Options) {
		o.Indexing = func() (classroom.Progress, bool) {
			if !due {
				return classroom.Progress{}, false
			}
			return classroom.Progress{Done: 200, Total: 900}, true
		}
	})
	class, err := w.store.CreateClass(t.Context(), classroom.Class{Title: "A"})
	if err != nil {
		t.Fatal(err)
	}
	for _, due = range []bool{true, false} {
		if status, _ := w.ask("GET", "/readyz", ""); status != http.StatusOK {
			t.Errorf("due %v: readyz says %d", due, status)
		}
		if _, page := w.ask("GET", "/classes/"+class.ID, ""); strings.Contains(page, "200 of 900 passages") != due {
			t.Errorf("due %v: the class page says otherwise", due)
		}
		total := fmt.Sprintf("colloquy_index_passages_total %d\n", map[bool]int{true: 900, false: 0}[due])
		if _, text := w.ask("GET", "/metrics", ""); !strings.Contains(text, total) {
			t.Errorf("due %v: the metrics do not have %s", due, total)
		}
	}
}
