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
	rc      *http.ResponseController
	ended   chan struct{}             // closed once the stream has to end, and stays so: it can be asked at any time
	reason  string                    // of the bye; set before ended is closed and never changed
	until   atomic.Pointer[time.Time] // the last write has to be done by then; nil while the stream may go on
}

// end tells the stream to end, unless it was told before. It must be called
// with streams.mu held.
func (o *opened) end(reason string) {
	if o.over() != nil {
		return
	}
	o.reason = reason
	close(o.ended)
	o.hurry()
}

// over returns why the stream has to end, or nil.
func (o *opened) over() error {
	select {
	case <-o.ended:
		return errOver{o.reason}
	default:
		return nil
	}
}

// lastChance is how long a reader that takes nothing can hold up the end of its
// stream. It leaves time for what the log held at a shutdown.
const lastChance = lastPatience + time.Second

// closeLimit is how long a shutdown waits for the streams, and again for what
// follows the logs. A reader holds up neither that long; a database may.
const closeLimit = lastChance + 2*time.Second

// hurry cuts short a write that is under way. Only the first call sets the time.
func (o *opened) hurry() {
	limit := time.Now().Add(lastChance)
	o.until.CompareAndSwap(nil, &limit)
	_ = o.rc.SetWriteDeadline(*o.until.Load()) // a connection without deadlines has nothing to hurry
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
	o := &opened{session: session, login: login, rc: rc, ended: make(chan struct{})}
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

// tell ends the streams that match. It must be called with s.mu held.
func (s *streams) tell(reason string, match func(*opened) bool) {
	for o := range s.all {
		if match(o) {
			o.end(reason)
		}
	}
}

// closeLogin ends the streams of a login. Streams that the API's token opened
// have none, and an empty cookie is not theirs.
func (s *streams) closeLogin(token string) {
	if token == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell("logout", func(o *opened) bool { return o.login == token })
}

func (s *streams) closeSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell("deleted", func(o *opened) bool { return o.session == id })
}

// closeAll ends every stream, refuses new ones, and waits, at most closeLimit.
// It returns the sessions of the streams that have not ended by then.
func (s *streams) closeAll(reason string) (left []string) {
	s.mu.Lock()
	s.closed = reason
	s.tell(reason, func(*opened) bool { return true })
	s.mu.Unlock()
	if ended(&s.done, closeLimit) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for o := range s.all {
		left = append(left, o.session)
	}
	return left
}

func (s *streams) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}
