package web

import (
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// The opaque state that a provider wants back is kept in the log, and is in
// no stream, download or page.
func TestOpaqueStateIsNeverExposed(t *testing.T) {
	w := newWebServer(t)
	s := livetest.NewScript(1)
	s.Run("Why?")
	s.Exchange, s.Attempt, s.Agent = 1, 1, "ada"
	s.Say(classroom.MessageEnd{MessageID: "sealed", StopReason: classroom.StopEnd, Blocks: []classroom.Block{
		{Kind: classroom.BlockThinking, Text: "Hm.", Opaque: "seal-1"},
		{Kind: classroom.BlockToolCall, CallID: "c9", Name: "x", Args: []byte("{}"), Opaque: "seal-2"},
	}})
	id := w.session(s.Events)
	kept := ""
	for _, e := range w.log(id) {
		kept += string(e.Data)
	}
	if !strings.Contains(kept, "seal-1") || !strings.Contains(kept, "seal-2") {
		t.Fatal("the log does not keep it")
	}
	for _, path := range []string{"/api/sessions/" + id + "/events", "/sessions/" + id + "/stream"} {
		r := w.open(path)
		met, _ := r.until("caught_up")
		for _, f := range met {
			if strings.Contains(f.data, "seal-") {
				t.Errorf("%s gives away %s", path, f.data)
			}
		}
		r.close()
	}
	for _, path := range []string{"/api/sessions/" + id + "/log", "/sessions/" + id, "/sessions/" + id + "/replay"} {
		if _, body := w.ask("GET", path, ""); strings.Contains(body, "seal-") {
			t.Errorf("%s gives it away", path)
		}
	}
}
