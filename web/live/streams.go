package live

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"colloquy/classroom"
)

// An opened is the server's hold on one stream: by it a logout, a deletion or
// the shutdown ends the stream.
type opened struct {
	session string
	login   string
	end     chan string // takes the reason of the bye, once
	rc      *http.ResponseController
	ending  atomic.Bool
}

// lastChance is how long a reader that takes nothing can hold up the end of its
// stream. It leaves time for what the log held at a shutdown.
const lastChance = lastPatience + time.Second

// hurry cuts short a write that is under way.
func (o *opened) hurry() {
	o.ending.Store(true)
	_ = o.rc.SetWriteDeadline(time.Now().Add(lastChance)) // a connection without deadlines has nothing to hurry
}

// streams is the set of all that are open.
type streams struct {
	mu     sync.Mutex
	all    map[*opened]struct{}
	closed string // the reason once closeAll was called
	done   sync.WaitGroup
}

func newStreams() *streams { return &streams{all: map[*opened]struct{}{}} }

// add takes a stream in, unless the server is closing.
func (s *streams) add(session, login string, rc *http.ResponseController) (*opened, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed != "" {
		return nil, classroom.ErrClosing
	}
	o := &opened{session: session, login: login, end: make(chan string, 1), rc: rc}
	s.all[o] = struct{}{}
	s.done.Add(1)
	return o, nil
}

func (s *streams) remove(o *opened) {
	s.mu.Lock()
	delete(s.all, o)
	s.mu.Unlock()
	s.done.Done()
}

// tell ends the streams that match.
func (s *streams) tell(reason string, match func(*opened) bool) {
	for o := range s.all {
		if !match(o) {
			continue
		}
		select {
		case o.end <- reason:
			o.hurry()
		default: // it is ending already
		}
	}
}

func (s *streams) closeLogin(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell("logout", func(o *opened) bool { return o.login == token })
}

func (s *streams) closeSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell("deleted", func(o *opened) bool { return o.session == id })
}

// closeAll ends every stream, refuses new ones, and waits.
func (s *streams) closeAll(reason string) {
	s.mu.Lock()
	s.closed = reason
	s.tell(reason, func(*opened) bool { return true })
	s.mu.Unlock()
	s.done.Wait()
}

func (s *streams) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}
