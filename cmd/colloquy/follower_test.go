package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"colloquy/classroom"
)

var errReset = errors.New("the stream says reset")

// stream gives the events of a session after a cursor to take, each as its id
// and its data line, until take has enough, the connection ends, or ctx does.
func (s *stage) stream(ctx context.Context, id string, after int, take func(id string, data []byte) bool) error {
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.addr+"/api/sessions/"+id+"/events", nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+stageToken)
	if after > 0 {
		r.Header.Set("Last-Event-ID", fmt.Sprint(after))
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("read events of %s: %s", id, res.Status)
	}
	at := ""
	for lines := bufio.NewReader(res.Body); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		switch {
		case bytes.HasPrefix(line, []byte("id: ")):
			at = string(line[4:])
		case bytes.HasPrefix(line, []byte("event: reset")):
			return errReset
		case bytes.HasPrefix(line, []byte("data: ")) && at != "":
			if !take(at, line[6:]) {
				return nil
			}
			at = ""
		}
	}
}

// await returns the events of a session after a cursor, up to the first that is enough.
func (s *stage) await(id string, after int, what string, enough func(classroom.Event) bool) []classroom.Event {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var out []classroom.Event
	for done := false; !done; {
		err := s.stream(ctx, id, after+len(out), func(_ string, data []byte) bool {
			var e classroom.Event
			if err := json.Unmarshal(data, &e); err != nil {
				s.t.Fatalf("event %.200s: %v", data, err)
			}
			out, done = append(out, e), enough(e)
			return !done
		})
		if err != nil && !errors.Is(err, io.EOF) {
			s.t.Fatalf("not in %v: %s (%d events after %d, %v)\n%s",
				limit, what, len(out), after, err, tail(s.out.String(), 1500))
		}
	}
	return out
}

// ended waits for the n-th run_end of a session, and returns the log.
func (s *stage) ended(id string, n int) []classroom.Event {
	s.t.Helper()
	return s.endedAfter(id, 0, n)
}

// endedAfter waits for the n-th run_end after a cursor.
func (s *stage) endedAfter(id string, after, n int) []classroom.Event {
	s.t.Helper()
	return s.await(id, after, fmt.Sprintf("run_end %d", n), func(e classroom.Event) bool {
		if e.Type == classroom.TypeRunEnd {
			n--
		}
		return n == 0
	})
}

// spoke waits until a message that grows after a cursor has a text in it.
func (s *stage) spoke(id string, after int, text string) []classroom.Event {
	s.t.Helper()
	return s.await(id, after, "the words "+text, func(e classroom.Event) bool {
		return e.Type == classroom.TypeMessageUpdate && strings.Contains(string(e.Data), text)
	})
}

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

	mu   sync.Mutex
	hang func() // ends the present connection
}

// follow starts n followers of a session; the function it returns gives them
// the place to end at and waits for them.
func (s *stage) follow(session string, n, life int) (followers []*follower, finish func(head int)) {
	var work sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	s.t.Cleanup(func() {
		cancel()
		work.Wait()
	})
	for i := range n {
		f := &follower{s: s, session: session, rnd: rand.New(rand.NewPCG(7, uint64(i))), life: life}
		f.target.Store(1 << 40)
		followers = append(followers, f)
		work.Go(func() {
			for ctx.Err() == nil && !f.finished() {
				f.connect(ctx, 1+f.rnd.IntN(f.life))
				f.cuts++
			}
		})
	}
	return followers, func(head int) {
		s.t.Helper()
		for _, f := range followers {
			f.target.Store(int64(head))
			f.hangUp()
		}
		late, stop := context.WithTimeout(ctx, limit)
		defer stop()
		defer context.AfterFunc(late, cancel)()
		work.Wait()
	}
}

func (f *follower) finished() bool { return int64(len(f.events)) >= f.target.Load() || f.wrong != "" }

// hangUp ends the present connection, so that the next one knows where to end.
func (f *follower) hangUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.hang != nil {
		f.hang()
	}
}

// connect reads at most n events, then drops the connection.
func (f *follower) connect(ctx context.Context, n int) {
	select {
	case <-f.s.upAgain():
	case <-ctx.Done():
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	f.mu.Lock()
	f.hang = cancel
	f.mu.Unlock()
	if f.finished() {
		return
	}
	err := f.s.stream(ctx, f.session, len(f.events), func(id string, data []byte) bool {
		if id != fmt.Sprint(len(f.events)+1) {
			f.wrong = fmt.Sprintf("event %s after %d", id, len(f.events))
			return false
		}
		f.events = append(f.events, bytes.Clone(data))
		n--
		return n > 0 && !f.finished()
	})
	if errors.Is(err, errReset) {
		f.wrong = err.Error()
	}
}

// linesOf are the data lines that a log makes.
func linesOf(t *testing.T, log []classroom.Event) (lines [][]byte) {
	t.Helper()
	for _, e := range log {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// exact fails where what the follower was given is not the log.
func (f *follower) exact(t *testing.T, log [][]byte) {
	t.Helper()
	if f.wrong != "" || len(f.events) != len(log) {
		t.Errorf("a follower has %d of %d events over %d cuts: %s", len(f.events), len(log), f.cuts, f.wrong)
		return
	}
	for i, line := range f.events {
		if !bytes.Equal(line, log[i]) && !sameJSON(line, log[i]) {
			t.Errorf("event %d differs from the log: %.200s", i+1, line)
			return
		}
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
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
