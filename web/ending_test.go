package web

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// ends reads a stream to its end and returns the last frame's name and data.
func ends(t *testing.T, r *reader) string {
	t.Helper()
	var last sse
	for {
		f, err := r.next()
		if err == io.EOF {
			return last.event + " " + last.data
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.comment == "" {
			last = f
		}
	}
}

// allStreams opens the three streams of a session.
func (w *webServer) allStreams(client *http.Client, id string) []*reader {
	out := []*reader{
		w.openAs(client, "/api/sessions/"+id+"/events"),
		w.openAs(client, "/sessions/"+id+"/stream?after=1"),
	}
	for _, r := range out {
		r.until("caught_up")
	}
	return out
}

func TestShutdownSaysBye(t *testing.T) {
	w := newWebServer(t)
	id := w.session(livetest.Scripted(1, 1))
	client := w.browser()
	streams := append(w.allStreams(client, id), w.openAs(client, "/stream"))
	w.web.CloseStreams("shutdown")
	for _, r := range streams {
		if got := ends(t, r); got != `bye {"reason":"shutdown"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
	if status, body := w.ask("GET", "/api/sessions/"+id+"/events", ""); status != 503 ||
		!strings.Contains(body, "closing") {
		t.Errorf("afterwards: %d %s", status, body)
	}
}

// A reader that receives nothing does not delay the shutdown.
func TestShutdownWaitsForNobody(t *testing.T) {
	w := newWebServer(t, func(o *Options) { o.FrameLimit = time.Hour })
	id := w.session(nil)
	stalled := w.open("/api/sessions/" + id + "/events")
	stalled.until("caught_up")
	big := classroom.Draft{Payload: classroom.TitleChange{Title: strings.Repeat("x", 1<<20)}}
	for range 12 { // more than the socket's buffers hold
		if _, err := w.store.Append(t.Context(), id, 0, big); err != nil {
			t.Fatal(err)
		}
	}
	w.web.CloseStreams("shutdown") // for ever, where it waited
}

func TestDeletionSaysBye(t *testing.T) {
	w := newWebServer(t)
	id, other := w.session(livetest.Scripted(1, 1)), w.session(nil)
	client := w.browser()
	streams, stays := w.allStreams(client, id), w.open("/api/sessions/"+other+"/events")
	stays.until("caught_up")
	if status, _ := w.ask("DELETE", "/api/sessions/"+id, ""); status != 204 {
		t.Fatalf("delete: %d", status)
	}
	for _, r := range streams {
		if got := ends(t, r); got != `bye {"reason":"deleted"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
	w.append(other, titleChange("t"))
	if f, err := stays.next(); err != nil || f.id != "2" {
		t.Errorf("the other session's stream: %+v, %v", f, err)
	}
}

// The streams of a session end too if it is deleted in the store, and not by the server.
func TestDeletionBehindOurBack(t *testing.T) {
	w := newWebServer(t)
	id := w.session(livetest.Scripted(1, 1))
	streams := w.allStreams(w.browser(), id)
	if err := w.store.DeleteSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for _, r := range streams {
		if got := ends(t, r); got != `bye {"reason":"deleted"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
}

func TestLogoutSaysBye(t *testing.T) {
	w := newWebServer(t)
	id := w.session(livetest.Scripted(1, 1))
	client := w.browser()
	streams := w.allStreams(client, id)
	stays := w.open("/api/sessions/" + id + "/events") // by the token
	stays.until("caught_up")
	resp, err := client.PostForm(w.http.URL+"/logout", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.Request.URL.Path != "/login" {
		t.Errorf("logout led to %s", resp.Request.URL)
	}
	for _, r := range streams {
		if got := ends(t, r); got != `bye {"reason":"logout"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
	if resp, err = client.Get(w.http.URL + "/sessions/" + id); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.Request.URL.Path != "/login" {
		t.Errorf("after the logout the page is at %s", resp.Request.URL)
	}
	limit := time.Now().Add(time.Minute)
	for w.web.live.Open() != 1 { // the reader is told before the stream is off the list
		if runtime.Gosched(); time.Now().After(limit) {
			t.Fatalf("%d streams are open, want that of the token", w.web.live.Open())
		}
	}
}

// A stream whose login was deleted in the store ends at the next heartbeat.
func TestEndedLoginIsSeenAtHeartbeat(t *testing.T) {
	w := newWebServer(t, func(o *Options) { o.Heartbeat = 20 * time.Millisecond })
	id := w.session(nil)
	client := w.browser()
	streams := w.allStreams(client, id)
	for _, r := range streams {
		f, err := r.next()
		for f.comment == "" && err == nil { // the page's list of sessions may come first
			f, err = r.next()
		}
		if err != nil || f.comment != ":" || f.data != "" || f.id != "" {
			t.Fatalf("a heartbeat was due, got %+v, %v", f, err)
		}
	}
	for _, c := range client.Jar.Cookies(streams[0].resp.Request.URL) {
		if c.Name == loginCookie {
			if err := w.store.Logins().Delete(hashedLogin(c.Value)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, r := range streams {
		if got := ends(t, r); got != `bye {"reason":"logout"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
}
