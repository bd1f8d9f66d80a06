package live

import (
	"log/slog"
	"testing"

	"colloquy/classroom"
	"colloquy/templates"
)

// A page that was rendered with a list of sessions has it: its stream begins from there.
func TestRenderedPageHasItsSidebar(t *testing.T) {
	list := []templates.ClassNav{{Class: classroom.Class{ID: "c", Title: "Optics"}}}
	h := &Hub{sidebar: &sidebar{
		logger: slog.New(slog.DiscardHandler), rendered: map[renderedPage]uint64{}, readers: 1, stop: func() {},
	}}
	h.NoteSidebar("key", "s", 7, list)
	for at, want := range map[classroom.Cursor]uint64{7: fingerprintOf(list), 8: 0} {
		r := h.sidebar.addReader(Client{Lists: &Lists{Key: "key"}}, "c", "s", at)
		if r.has.fingerprint != want {
			t.Errorf("at cursor %d it has %d, want %d", at, r.has.fingerprint, want)
		}
	}
}
