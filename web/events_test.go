package web

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/templates/locale"
	"colloquy/web/live/livetest"
)

// want checks that frames are the events of a log after a cursor, each once and in order.
func want(t testing.TB, log []classroom.Event, after int, frames []sse) {
	t.Helper()
	if len(frames) != len(log)-after {
		t.Errorf("after %d: %d events, want %d", after, len(frames), len(log)-after)
		return
	}
	for i, f := range frames {
		e := log[after+i]
		envelope, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if f.id != strconv.Itoa(int(e.ID)) || f.event != string(e.Type) || f.data != string(envelope) {
			t.Fatalf("after %d: frame %d is %+v, want %s", after, i, f, envelope)
		}
	}
}

// Promise 3: cut after any event and resumed by header or address, a stream
// gives the rest of the log, each event once and in order.
func TestEveryCut(t *testing.T) {
	w := newWebServer(t)
	id := w.session(livetest.Scripted(1, 6))
	log := w.log(id)
	for i, e := range log {
		log[i] = locale.English().Event(classroom.ForClass.Filter(e))
	}
	if len(log) < 300 {
		t.Fatalf("a log of %d events", len(log))
	}
	path := "/api/sessions/" + id + "/events"
	for k := range len(log) + 1 {
		var r *reader
		if k%2 == 0 {
			r = w.open(path, "Last-Event-ID: "+strconv.Itoa(k))
		} else {
			r = w.open(path + "?after=" + strconv.Itoa(k))
		}
		met, caught := r.until("caught_up")
		if met[0].event != "connected" ||
			met[0].data != fmt.Sprintf(`{"session":%q,"head":%d,"running":false}`, id, len(log)) {
			t.Fatalf("first frame %+v", met[0])
		}
		want(t, log, k, withID(met))
		if caught.data != fmt.Sprintf(`{"cursor":%d}`, len(log)) {
			t.Errorf("caught_up %s", caught.data)
		}
		r.close()
	}
}

// An event between the read of the log and the wait is neither lost nor sent
// twice: 200 connects at 500 events a second.
func TestSnapshotAndLiveMeet(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				w.append(id, titleChange("t"))
			}
		}
	})
	const connects = 200
	got := make([][]sse, connects)
	from := make([]int, connects)
	var readers sync.WaitGroup
	gate := make(chan struct{}, 20)
	for i := range connects {
		gate <- struct{}{}
		readers.Go(func() {
			defer func() { <-gate }()
			head, err := w.store.Head(t.Context(), id)
			if err != nil {
				t.Error(err)
				return
			}
			from[i] = rand.IntN(int(head) + 1)
			r := w.open("/api/sessions/"+id+"/events", "Last-Event-ID: "+strconv.Itoa(from[i]))
			defer r.close()
			for len(got[i]) < 20 {
				f, err := r.next()
				if err != nil {
					t.Error(err)
					return
				}
				if f.id != "" {
					got[i] = append(got[i], f)
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	writer.Wait()
	log := w.log(id)
	for i, frames := range got {
		if len(frames) > 0 {
			want(t, log[:min(len(log), from[i]+len(frames))], from[i], frames)
		}
	}
}

// A reader that was away when the run ended receives its end once.
func TestLastEventComesOnce(t *testing.T) {
	w := newWebServer(t)
	events := livetest.Scripted(2, 1)
	id := w.session(events[:len(events)-3])
	r := w.open("/api/sessions/" + id + "/events")
	met, _ := r.until("caught_up")
	frames := withID(met)
	r.close()
	w.append(id, events[len(events)-3:])
	r = w.open("/api/sessions/"+id+"/events", "Last-Event-ID: "+frames[len(frames)-1].id)
	met, _ = r.until("caught_up")
	want(t, w.log(id), len(frames), withID(met))
}

// An odd cursor is answered clearly, and never with a stream that hangs or
// that leaves out events.
func TestOddCursors(t *testing.T) {
	w := newWebServer(t)
	id := w.session(livetest.Scripted(3, 1))
	log := w.log(id)
	path := "/api/sessions/" + id + "/events"
	for _, bad := range []string{"abc", "1.5", "1e3", "0x10", "-1", "--1", "NaN", "%00", "%EF%BC%95"} {
		if status, body := w.ask("GET", path+"?after="+bad, ""); status != 400 ||
			!strings.Contains(body, `"bad_cursor"`) {
			t.Errorf("after=%s: %d %s", bad, status, body)
		}
	}
	for _, c := range []struct {
		query, header string
		reset         bool
		from          int
	}{
		{"", "", false, 0}, {"?after=", "", false, 0}, {"?lastEventId=3", "", false, 3},
		{"?after=2", "5", false, 5}, {"?after=5", "2", false, 5},
		{"?after=2", "abc", false, 2}, {"", "abc", false, 0}, {"", "-1", false, 0},
		{"?after=" + strconv.Itoa(len(log)+1), "", true, 0}, {"", "9223372036854775807", true, 0},
		{"?after=10000000000000000000000000000000", "", true, 0}, // a whole number, and beyond the head
	} {
		var headers []string
		if c.header != "" {
			headers = append(headers, "Last-Event-ID: "+c.header)
		}
		r := w.open(path+c.query, headers...)
		met, _ := r.until("caught_up")
		if got := met[min(1, len(met)-1)].event == "reset"; got != c.reset {
			t.Errorf("%+v: reset %v", c, got)
		}
		if c.reset && met[1].data != fmt.Sprintf(`{"reason":"beyond_head","head":%d,"cursor":0}`, len(log)) {
			t.Errorf("%+v: %s", c, met[1].data)
		}
		want(t, log, c.from, withID(met))
		r.close()
	}
}

// No text becomes a field of a frame.
func TestHostileTextForgesNothing(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	text := "one\ntwo\rthree\r\nfour\nevent: close\nid: 999999\nretry: 1\n\n\ndata: x\n: c\n\u2028\u0000"
	body, _ := json.Marshal(map[string]string{"text": text})
	if status, answer := w.ask("POST", "/api/sessions/"+id+"/messages", string(body)); status != 202 {
		t.Fatalf("%d %s", status, answer)
	}
	r := w.open("/api/sessions/" + id + "/events")
	met, _ := r.until("caught_up")
	frames := withID(met)
	want(t, w.log(id), 0, frames)
	var e struct{ Data classroom.UserMessage }
	if err := json.Unmarshal([]byte(frames[1].data), &e); err != nil ||
		e.Data.Text != strings.TrimSuffix(text, "\u0000") { // a NUL is no text
		t.Errorf("the text came as %q (%v)", e.Data.Text, err)
	}
}

// A log of many pages is sent whole, also where it is longer than the tail.
func TestLongBacklog(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	drafts := make([]classroom.Draft, 1000)
	for i := range drafts {
		drafts[i] = classroom.Draft{Payload: classroom.TitleChange{Title: strings.Repeat("t", 100)}}
	}
	live := w.open("/api/sessions/" + id + "/events")
	live.until("caught_up")
	for range 12 {
		if _, err := w.store.Append(t.Context(), id, 0, drafts...); err != nil {
			t.Fatal(err)
		}
	}
	log := w.log(id)
	var frames []sse
	for len(frames) < len(log)-1 {
		f, err := live.next()
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
	}
	want(t, log, 1, frames)
	for _, k := range []int{0, 9999, 10000, 10001, len(log) - 1} {
		r := w.open("/api/sessions/"+id+"/events", "Last-Event-ID: "+strconv.Itoa(k))
		met, _ := r.until("caught_up")
		want(t, log, k, withID(met))
		r.close()
	}
}

// Promise 8: a reader that receives nothing is cut off within its deadline,
// nobody else waits for it, and it resumes without a gap.
func TestStalledReader(t *testing.T) {
	w := newWebServer(t, func(o *Options) { o.FrameLimit = 2 * time.Second })
	id := w.session(nil)
	path := "/api/sessions/" + id + "/events"
	stalled, healthy := w.open(path), w.open(path)
	stalled.until("caught_up")
	healthy.until("caught_up")
	big := classroom.Draft{Payload: classroom.TitleChange{Title: strings.Repeat("x", 64<<10)}}
	var frames []sse
	for range 160 { // more than the socket's buffers and ours hold
		if _, err := w.store.Append(t.Context(), id, 0, big); err != nil {
			t.Fatal(err)
		}
		f, err := healthy.next()
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
	}
	want(t, w.log(id), 1, frames)
	for w.web.live.Open() > 1 { // ends when the deadline cut it
		time.Sleep(10 * time.Millisecond)
	}
	var got []sse
	for {
		f, err := stalled.next()
		if err != nil {
			break
		}
		got = append(got, f)
	}
	if len(got) == len(frames) {
		t.Fatal("the reader was not stalled")
	}
	again := w.open(path, "Last-Event-ID: "+strconv.Itoa(1+len(got)))
	met, _ := again.until("caught_up")
	want(t, w.log(id), 1, append(got, withID(met)...))
}

// A missing session and one that the caller may not see are answered alike, before a
// stream begins.
func TestNoSuchSession(t *testing.T) {
	w := newWebServer(t)
	for _, id := range []string{"no-such-session", "..%2f..%2fetc", "a%00b", strings.Repeat("x", 70)} {
		api := "/api/sessions/" + id
		for _, path := range []string{api, api + "/events", api + "/log", "/sessions/" + id + "/stream"} {
			status, body := w.ask("GET", path, "", "Accept: application/json")
			if status != 404 || !strings.Contains(body, `"not_found"`) {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
	}
	if status, _ := w.ask("GET", "/api/sessions/x/events", "", "Authorization: Bearer wrong"); status != 401 {
		t.Errorf("a wrong token: %d", status)
	}
}

// The log is downloadable as JSON lines, with a limit.
func TestDownloadLog(t *testing.T) {
	w := newWebServer(t)
	id := w.session(livetest.Scripted(4, 2))
	log := w.log(id)
	_, body := w.ask("GET", "/api/sessions/"+id+"/log?after=5&limit=10", "")
	lines := strings.Split(strings.TrimSpace(body), "\n")
	if len(lines) != 10 || !strings.HasPrefix(lines[0], `{"id":6,`) {
		t.Errorf("%d lines, the first %s", len(lines), lines[0])
	}
	if _, body = w.ask("GET", fmt.Sprintf("/api/sessions/%s/log?after=%d", id, len(log)+9), ""); body != "" {
		t.Errorf("beyond the head: %q", body)
	}
	for _, bad := range []string{"0", "10001", "x", "-1"} {
		if status, body := w.ask("GET", "/api/sessions/"+id+"/log?limit="+bad, ""); status != 400 ||
			!strings.Contains(body, "bad_limit") {
			t.Errorf("limit %s: %d %s", bad, status, body)
		}
	}
}
