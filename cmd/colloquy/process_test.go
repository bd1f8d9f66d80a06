package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"colloquy/classroom"
	"colloquy/store"
)

// Promise 3: fifty readers cut at random while runs are live, through two
// kill -9 of the real binary and past 12,000 events, each have the log, once
// and in order. Promises 6 and 7: what was said is kept, the runs go on by
// themselves, and the queued question is answered once.
func TestFiftyReadersThroughTwoKills(t *testing.T) {
	t.Parallel()
	const readers, events = 50, 12000
	m := newFakeModel(t)
	for _, question := range []string{"case-live-0", "case-live-1"} {
		m.on(question, func(a *streamedAnswer) {
			a.words("w", 1, 20)
			if a.n > 1 || a.wait(nil) { // the first attempt speaks until the server is killed
				a.words("w", 21, 60)
				a.finish("stop")
			}
		})
	}
	m.on("case-queued", func(a *streamedAnswer) { a.say("Queued and answered."); a.finish("stop") })
	s := newStage(t, m)
	id := s.session("ada", "theo")
	s.kill()
	lengthen(t, s.dir, id, events)
	s.start()
	followers, finish := s.follow(id, readers, 900)
	for n := range 2 {
		before := len(s.log(id))
		s.ask(id, fmt.Sprintf("Number %d, case-live-%d", n, n))
		s.spoke(id, before, "w10 ")
		ends := 1
		if n == 0 {
			ends = 2
			body := map[string]any{"text": "And then, case-queued", "delivery": "follow_up", "client_id": "q-1"}
			if status, body := s.api("POST", "/api/sessions/"+id+"/messages", body); status != http.StatusAccepted {
				t.Fatalf("%d %s", status, body)
			}
		}
		head := before + len(s.logAfter(id, before))
		s.kill()
		s.start()
		if now := len(s.log(id)); now < head {
			t.Fatalf("the head went back from %d to %d", head, now)
		}
		s.endedAfter(id, before, ends)
	}
	log := s.log(id)
	if len(log) < events {
		t.Errorf("only %d events", len(log))
	}
	lawful(t, log)
	if n := contains(log, classroom.TypeMessageEnd, "Queued and answered."); n == 0 ||
		contains(log, classroom.TypeUserMessage, "case-queued") != 1 {
		t.Errorf("the queued question was answered %d times", n)
	}
	n, kept := contains(log, classroom.TypeRunInterrupt, "crash"), contains(log, classroom.TypeMessageEnd, "w10 ")
	if n < 2 || kept < 2 {
		t.Errorf("%d interruptions are in the log, %d messages hold the tenth word", n, kept)
	}
	finish(len(log))
	lines := linesOf(t, log)
	for _, f := range followers {
		f.exact(t, lines)
	}
}

// lengthen appends finished exchanges to a session until it has n events, a hundred in one commit.
func lengthen(t *testing.T, dir, session string, n int) {
	t.Helper()
	ctx := context.Background()
	st, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var drafts []classroom.Draft
	for x, head := 1, classroom.Cursor(0); head < classroom.Cursor(n); x++ {
		drafts = append(drafts,
			classroom.Draft{Exchange: x, Payload: classroom.UserMessage{Text: "Question", Delivery: classroom.Prompt}},
			classroom.Draft{Exchange: x, Attempt: 1, Payload: classroom.RunStart{}},
			classroom.Draft{Exchange: x, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Completed}})
		if x%100 != 0 {
			continue
		}
		events, err := st.Append(ctx, session, 0, drafts...)
		if err != nil {
			t.Fatal(err)
		}
		head, drafts = events[len(events)-1].ID, nil
	}
}

// eventful answers with everything that a run can have in it: a retry, thinking,
// two tools at once, and text.
func eventful(a *streamedAnswer) {
	switch a.n {
	case 1:
		http.Error(a.w, "busy", http.StatusServiceUnavailable)
	case 2:
		a.chunk(map[string]any{"reasoning_content": "First I look it up, "}, nil)
		a.chunk(map[string]any{"reasoning_content": "twice."}, nil)
		for i, query := range []string{"leaves", "light"} {
			search := map[string]any{"name": "search_materials", "arguments": `{"query":"` + query + `"}`}
			a.chunk(map[string]any{"tool_calls": []any{map[string]any{
				"index": i, "id": fmt.Sprint("call_", i), "type": "function", "function": search,
			}}}, nil)
		}
		a.finish("tool_calls")
	default:
		a.words("w", 1, 50)
		a.finish("stop")
	}
}

// Promise 3, letter by letter: a run of more than 300 events, with thinking,
// two tools at once, a retry and a compaction in it, cut after every cursor and
// resumed there.
func TestEveryCut(t *testing.T) {
	t.Parallel()
	m := newFakeModel(t)
	m.on("case-cuts", eventful)
	s := newStage(t, m)
	id := s.session()
	s.ask(id, "case-long "+strings.Repeat("A long question. ", 3000)) // longer than a local model's assumed context
	s.ended(id, 1)
	log := s.log(id)
	for n := 2; len(log) < 300; n++ {
		s.ask(id, "case-cuts")
		s.ended(id, n)
		log = s.log(id)
	}
	lawful(t, log)
	for _, want := range []classroom.Type{
		classroom.TypeRetry, classroom.TypeCompaction, classroom.TypeToolExecutionEnd,
	} {
		if !slices.ContainsFunc(log, func(e classroom.Event) bool { return e.Type == want }) {
			t.Errorf("the run has no %s in it", want)
		}
	}
	gate, lines := make(chan bool, 8), linesOf(t, log)
	var work sync.WaitGroup
	for k := range len(log) {
		gate <- true
		work.Go(func() {
			defer func() { <-gate }()
			f := &follower{s: s, session: id}
			f.target.Store(int64(len(log)))
			if k > 0 {
				f.connect(t.Context(), k)
			}
			if len(f.events) != k {
				t.Errorf("cut %d: got %d events before it", k, len(f.events))
			}
			f.connect(t.Context(), len(log))
			f.exact(t, lines)
		})
	}
	work.Wait()
}

// The last event: who is cut just before run_end and comes back after it is
// given it, once.
func TestTheLastEventComesOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, newFakeModel(t))
	id := s.session("ada")
	s.ask(id, "Hello.")
	log := s.ended(id, 1)
	f := &follower{s: s, session: id}
	f.target.Store(int64(len(log)))
	f.connect(t.Context(), len(log)-1)
	f.connect(t.Context(), 10)
	f.exact(t, linesOf(t, log))
	if last := log[len(log)-1]; last.Type != classroom.TypeRunEnd {
		t.Errorf("the log ends with %s", last.Type)
	}
}

// Twenty sessions stream while fifty people post: no 5xx, no lock
// error, no gap. Each post lets an answer say one more word.
func TestTwentySessionsAndFiftyPosters(t *testing.T) {
	t.Parallel()
	posts := 10
	if full {
		posts = 100
	}
	m := newFakeModel(t)
	word := make(chan struct{}, 50)
	m.on("case-load", func(a *streamedAnswer) {
		for i := 1; a.wait(word); i++ {
			a.words("w", i, i)
		}
	})
	s := newStage(t, m)
	class := field(s.info(s.session("ada")), `"class_id":"`)
	var ids []string
	for range 20 {
		id := s.session("ada")
		ids = append(ids, id)
		s.ask(id, "case-load")
	}
	var work sync.WaitGroup
	for n := range 50 {
		work.Go(func() {
			for i := range posts {
				word <- struct{}{}
				path, body := "/api/sessions/"+ids[n%20]+"/messages", map[string]any{
					"text":     fmt.Sprintf("poster %d says %d", n, i),
					"delivery": "follow_up",
				}
				if i%10 == 9 {
					path, body = "/api/classes", map[string]any{
						"title": fmt.Sprintf("Class %d of %d", i, n),
						"mode":  "qa",
					}
				}
				status, answer, err := s.try("POST", path, body)
				if err != nil || status >= 500 {
					t.Errorf("POST %s: %d %s %v", path, status, answer, err)
					return
				}
			}
		})
	}
	work.Wait()
	for _, id := range ids {
		s.api("POST", "/api/sessions/"+id+"/cancel", nil)
	}
	for _, id := range ids {
		s.ended(id, 1)
		lawful(t, s.log(id))
	}
	if class == "" {
		t.Error("a session names no class")
	}
}

// Promise 8 and the soak: readers that never read, and a thousand that come
// and go, do not slow other readers and leak nothing.
func TestReadersLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	m := newFakeModel(t)
	big := strings.Repeat("a line of an answer that is long enough to fill sockets\n", 600)
	m.on("case-big", func(a *streamedAnswer) {
		for range 160 {
			a.say(big)
		}
		a.finish("stop")
	})
	s := newStage(t, m)
	id := s.session("ada")
	s.ask(id, "Warm up.")
	s.ended(id, 1)
	warm, cool := s.follow(id, 16, 5)
	cool(len(s.log(id)))
	lines := linesOf(t, s.log(id))
	for _, f := range warm {
		f.exact(t, lines)
	}
	http.DefaultClient.CloseIdleConnections()
	files := s.files()
	var stalled []net.Conn
	for range 3 {
		c, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		c.(*net.TCPConn).SetReadBuffer(2048)
		fmt.Fprintf(c, "GET /api/sessions/%s/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", id,
			s.addr, stageToken)
		stalled = append(stalled, c)
	}
	followers, finish := s.follow(id, 4, 50)
	s.ask(id, "case-big")
	log := s.ended(id, 2)
	finish(len(log))
	lines = linesOf(t, log)
	for _, f := range followers {
		f.exact(t, lines)
	}
	for _, c := range stalled {
		c.Close()
	}
	for range 1000 {
		c, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "GET /api/sessions/%s/events?after=%d HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n",
			id, len(log), s.addr, stageToken)
		c.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	s.eventually("no stream is left",
		func() bool { return strings.HasSuffix(strings.TrimSpace(s.metric("streams_open")), " 0") })
	left := 0
	s.eventually("no descriptor is left", func() bool {
		http.DefaultClient.CloseIdleConnections()
		left = s.files() - files
		t.Logf("%d descriptors more than before", left)
		return left <= 6
	})
}

// files counts the process's open descriptors.
func (s *stage) files() int {
	entries, err := os.ReadDir(filepath.Join("/proc", fmt.Sprint(s.proc.Process.Pid), "fd"))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(entries)
}

// A folder belongs to one process: the second one says where the first listens.
func TestSecondProcessIsTurnedAway(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	var said strings.Builder
	for _, addr := range []string{"127.0.0.1:0", s.addr} {
		err := run(t.Context(), []string{"serve", "--open=false", "--addr", addr, "--data", s.dir}, io.Discard, &said)
		if err == nil || !strings.Contains(err.Error(), "http://"+s.addr) {
			t.Errorf("the second process says %v", err)
		}
	}
}

// A stop tells open streams, writes run_interrupt, and the next start goes on.
func TestStopAndStart(t *testing.T) {
	t.Parallel()
	m := newFakeModel(t)
	m.on("case-stop", func(a *streamedAnswer) {
		a.words("w", 1, 10)
		if a.n > 1 || a.wait(nil) { // the first attempt speaks until the stop
			a.finish("stop")
		}
	})
	s := newStage(t, m)
	id := s.session("ada")
	s.ask(id, "case-stop")
	s.spoke(id, 0, "w5 ")
	res, err := http.DefaultClient.Do(s.request("GET", "/api/sessions/"+id+"/events"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	s.stop()
	rest, err := io.ReadAll(res.Body)
	if err != nil {
		t.Errorf("the stream was not ended but broken: %v", err)
	}
	if !strings.Contains(string(rest), "run_interrupt") ||
		!strings.Contains(string(rest), "event: bye\ndata: {\"reason\":\"shutdown\"}") {
		t.Errorf("the stream ends with %s", tail(string(rest), 400))
	}
	s.start()
	lawful(t, s.ended(id, 1))
}

func (s *stage) info(id string) string {
	_, body := s.api("GET", "/api/sessions/"+id, nil)
	return string(body)
}

func (s *stage) request(method, path string) *http.Request {
	r, err := http.NewRequest(method, "http://"+s.addr+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+stageToken)
	return r
}
