package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colloquy/classroom"
)

// A follower reads a session's JSON stream, is cut off after a random number
// of events, and comes back with its cursor, until it is told where to end.
type follower struct {
	s       *stage
	session string
	rnd     *rand.Rand
	life    int // events a connection lives, at most
	target  atomic.Int64
	cuts    int
	events  [][]byte // of each event, its data line; event i+1 at place i
	wrong   string
}

// follow starts n followers of a session; the function it returns gives them
// the place to end at and waits for them.
func (s *stage) follow(session string, n, life int) (followers []*follower, finish func(head int)) {
	var work sync.WaitGroup
	for i := range n {
		f := &follower{s: s, session: session, rnd: rand.New(rand.NewPCG(7, uint64(i))), life: life}
		f.target.Store(1 << 40)
		followers = append(followers, f)
		work.Go(func() {
			for int64(len(f.events)) < f.target.Load() && f.wrong == "" {
				f.connect(1 + f.rnd.IntN(f.life))
				f.cuts++
			}
		})
	}
	return followers, func(head int) {
		for _, f := range followers {
			f.target.Store(int64(head))
		}
		work.Wait()
	}
}

// connect reads at most n events, then drops the connection.
func (f *follower) connect(n int) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+f.s.addr+"/api/sessions/"+f.session+"/events", nil)
	if err != nil {
		f.wrong = err.Error()
		return
	}
	r.Header.Set("Authorization", "Bearer "+stageToken)
	if len(f.events) > 0 {
		r.Header.Set("Last-Event-ID", fmt.Sprint(len(f.events)))
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		time.Sleep(20 * time.Millisecond) // the server is away
		return
	}
	defer res.Body.Close()
	id := ""
	lines := bufio.NewReader(res.Body)
	for n > 0 && int64(len(f.events)) < f.target.Load() {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		switch {
		case bytes.HasPrefix(line, []byte("id: ")):
			id = string(line[4:])
		case bytes.HasPrefix(line, []byte("event: reset")):
			f.wrong = "reset"
			return
		case bytes.HasPrefix(line, []byte("data: ")) && id != "":
			if id != fmt.Sprint(len(f.events)+1) {
				f.wrong = fmt.Sprintf("event %s after %d", id, len(f.events))
				return
			}
			f.events = append(f.events, bytes.Clone(line[6:]))
			id = ""
			n--
		}
	}
}

// exact fails where what the follower was given is not the log.
func (f *follower) exact(t *testing.T, log []classroom.Event) {
	t.Helper()
	if f.wrong != "" || len(f.events) != len(log) {
		t.Errorf("a follower has %d of %d events over %d cuts: %s", len(f.events), len(log), f.cuts, f.wrong)
		return
	}
	for i, line := range f.events {
		want, err := json.Marshal(log[i])
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal(line, &a) != nil || json.Unmarshal(want, &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("event %d differs from the log: %.200s", i+1, line)
			return
		}
	}
}

// lawful fails where the log breaks what every log keeps.
func lawful(t *testing.T, log []classroom.Event) {
	t.Helper()
	ends := map[int]int{}
	for i, e := range log {
		if e.ID != classroom.Cursor(i+1) {
			t.Fatalf("event %d stands at place %d", e.ID, i+1)
		}
		switch e.Type {
		case classroom.TypeRunResume:
			ends[e.Exchange] = 0
		case classroom.TypeRunEnd:
			if ends[e.Exchange]++; ends[e.Exchange] > 1 {
				t.Errorf("a second run_end of exchange %d at %d", e.Exchange, i+1)
			}
		}
	}
	for _, c := range classroom.Of(log).Cards {
		if c.End == nil {
			t.Errorf("exchange %d never ended: %s", c.Exchange, c.State)
		}
	}
}

// contains counts the events of the log whose data holds text.
func contains(log []classroom.Event, kind classroom.Type, text string) int {
	n := 0
	for _, e := range log {
		if e.Type == kind && strings.Contains(string(e.Data), text) {
			n++
		}
	}
	return n
}
