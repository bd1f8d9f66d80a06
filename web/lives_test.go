package web

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/classroom"
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

// bothStreams opens the streams of a session in its three forms.
func (w *world) bothStreams(client *http.Client, id string) []*reader {
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
	w := newWorld(t)
	id := w.session(scripted(1, 1))
	client := w.browser()
	streams := append(w.bothStreams(client, id), w.openAs(client, "/stream"))
	w.web.CloseStreams("shutdown")
	for _, r := range streams {
		if got := ends(t, r); got != `bye {"reason":"shutdown"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
	if status, body := w.ask("GET", "/api/sessions/"+id+"/events", ""); status != 503 || !strings.Contains(body, "closing") {
		t.Errorf("afterwards: %d %s", status, body)
	}
}

// A reader that takes nothing does not hold up the shutdown.
func TestShutdownWaitsForNobody(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.FrameLimit = time.Hour })
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
	w := newWorld(t)
	id, other := w.session(scripted(1, 1)), w.session(nil)
	client := w.browser()
	streams, stays := w.bothStreams(client, id), w.open("/api/sessions/"+other+"/events")
	stays.until("caught_up")
	if status, _ := w.ask("DELETE", "/api/sessions/"+id, ""); status != 204 {
		t.Fatalf("delete: %d", status)
	}
	for _, r := range streams {
		if got := ends(t, r); got != `bye {"reason":"deleted"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
	w.append(other, []classroom.Event{{Type: classroom.TypeTitleChange, Data: json.RawMessage(`{"title":"t","by":"x"}`)}})
	if f, err := stays.next(); err != nil || f.id != "2" {
		t.Errorf("the other session's stream: %+v, %v", f, err)
	}
}

// A session that leaves the store by another door ends its streams too.
func TestDeletionBehindOurBack(t *testing.T) {
	w := newWorld(t)
	id := w.session(scripted(1, 1))
	streams := w.bothStreams(w.browser(), id)
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
	w := newWorld(t)
	id := w.session(scripted(1, 1))
	client := w.browser()
	streams := w.bothStreams(client, id)
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
	if w.web.open.count() != 1 {
		t.Errorf("%d streams are open, want that of the token", w.web.open.count())
	}
}

// A login that ended elsewhere ends its streams at the next heartbeat.
func TestEndedLoginIsSeenAtHeartbeat(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Heartbeat = 20 * time.Millisecond })
	id := w.session(nil)
	client := w.browser()
	streams := w.bothStreams(client, id)
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

// The heartbeat is a comment of its own every 15 s, for all streams by one ticker.
func TestPulse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPulse(15 * time.Second)
		began, beats := time.Now(), [3]time.Duration{}
		var waiters sync.WaitGroup
		for i := range beats {
			waiters.Go(func() {
				for range i + 1 {
					<-p.wait()
				}
				beats[i] = time.Since(began)
			})
		}
		waiters.Wait()
		p.stop()
		for i, got := range beats {
			if want := time.Duration(i+1) * 15 * time.Second; got != want {
				t.Errorf("beat %d came after %v, want %v", i+1, got, want)
			}
		}
	})
}

// A beat that comes while a stream is at work is not missed: the login is looked
// at, and a heartbeat sent, as soon as the stream rests.
func TestBeatWhileAtWork(t *testing.T) {
	beat := newPulse(time.Millisecond)
	defer beat.stop()
	base := &Server{opt: Options{FrameLimit: time.Hour, Log: newMemLog()}, metrics: newMetrics(nil), beat: beat, open: newStreams()}
	rh := &rehearsal{s: base, header: http.Header{}, never: make(chan struct{})}
	hour := newPulse(time.Hour)
	defer hour.stop()
	rh.at = func(moment string) {
		switch {
		case moment == "turn 1": // the one beat of this hour
			<-beat.wait()
			base.beat = hour
		case moment == "flush" && strings.Count(rh.out.String(), string(heartbeat)) == 4:
			base.open.closeSession("s1")
		}
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		rh.play(t)
	}()
	within(t, "the heartbeat", over)
}

// A feed outlives its last reader by a moment, and no more.
func TestIdleFeedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := newMemLog(scripted(1, 1)...)
		fs := newFeeds(log, nil)
		f := fs.join("s1", 1)
		fs.leave(f)
		time.Sleep(feedGrace / 2)
		if again := fs.join("s1", 1); again != f {
			t.Error("a reader who came back at once found another feed")
		}
		fs.leave(f)
		time.Sleep(2 * feedGrace)
		synctest.Wait()
		if len(fs.all) != 0 {
			t.Error("a feed without readers is kept")
		}
		reads := log.reads
		log.add(log.events[1])
		synctest.Wait()
		if log.reads != reads {
			t.Error("a feed without readers still reads")
		}
		fs.close()
		fs.done.Wait()
	})
}

// Projectors without users are kept up to a bound.
func TestProjectorsAreBounded(t *testing.T) {
	log := newMemLog(scripted(1, 1)...)
	ps := newProjectors(log, nil)
	for i := range 3 * cachedFolds {
		p := ps.borrow(string(rune('a' + i)))
		if err := p.view(t.Context(), log, nil); err != nil {
			t.Fatal(err)
		}
		ps.giveBack(p)
	}
	if len(ps.all) != cachedFolds {
		t.Errorf("%d are kept, want %d", len(ps.all), cachedFolds)
	}
	if _, ok := ps.all[string(rune('a'+3*cachedFolds-1))]; !ok {
		t.Error("the one used last was forgotten")
	}
	ps.close()
}

// Readers at the same place are given the same bytes.
func TestPatchesAreRenderedOnce(t *testing.T) {
	log := newMemLog(scripted(1, 1)[:20]...)
	p := &projector{session: "s1"}
	if err := p.view(t.Context(), log, nil); err != nil {
		t.Fatal(err)
	}
	log.add(scripted(1, 1)[20:40]...)
	if err := p.view(t.Context(), log, nil); err != nil {
		t.Fatal(err)
	}
	a, _, okA := p.tail.Load().after(20)
	b, to, okB := p.tail.Load().after(20)
	if !okA || !okB || len(a) == 0 || &a[0] != &b[0] || to != 40 {
		t.Errorf("the readers were given %d and %d bytes, to %d", len(a), len(b), to)
	}
	if _, _, ok := p.tail.Load().after(30); ok {
		t.Error("a place between two cuts was taken for a boundary")
	}
}
