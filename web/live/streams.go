package live

import (
	"sync"
	"sync/atomic"
	"time"

	"colloquy/classroom"
)

// A streamControl is how the hub ends a stream at a logout, a deletion, the end of a
// guest's link or the shutdown.
type streamControl struct {
	session   string
	login     string
	transport atomic.Pointer[transport]
	ended     chan struct{}             // closed once the stream has to end, and never replaced
	reason    string                    // of the bye; set before ended is closed and never changed
	expiry    *time.Timer               // ends the stream; nil for a client whose rights do not expire
	lastWrite atomic.Pointer[time.Time] // the deadline of the last write; nil while the stream may go on
}

// end has the stream end, where it was not told so before. It must be called with
// streams.mu held.
func (h *streamControl) end(reason string) {
	if h.err() != nil {
		return
	}
	h.reason = reason
	close(h.ended)
	h.limitLastWrite()
}

// err returns why the stream has to end, or nil.
func (h *streamControl) err() error {
	select {
	case <-h.ended:
		return endError{h.reason}
	default:
		return nil
	}
}

const (
	// lastWriteLimit is how long a reader that takes nothing can delay the end of
	// its stream. What the log holds at a shutdown is sent within it.
	lastWriteLimit = restLimit + time.Second

	// closeLimit is how long a shutdown waits for the streams, and again for what
	// follows the logs. A reader cannot delay either for so long; a database can.
	closeLimit = lastWriteLimit + 2*time.Second
)

// setTransport replaces the stream's transport. Where the stream was told to end
// meanwhile, the deadline of its last write holds for the new one too.
func (h *streamControl) setTransport(t transport) {
	h.transport.Store(&t)
	if h.lastWrite.Load() != nil {
		h.limitLastWrite()
	}
}

// limitLastWrite sets a deadline for a write that is under way, and for all later
// ones. Only the first call chooses the time.
func (h *streamControl) limitLastWrite() {
	limit := time.Now().Add(lastWriteLimit)
	h.lastWrite.CompareAndSwap(nil, &limit)
	_ = (*h.transport.Load()).SetWriteDeadline(*h.lastWrite.Load()) // without deadlines nothing can be limited
}

// streams is the set of all open streams.
type streams struct {
	mu     sync.Mutex
	all    map[*streamControl]struct{}
	closed string // the reason once closeAll was called
	done   sync.WaitGroup

	watchers sync.WaitGroup // the goroutines that see readers go
}

func newStreams() *streams { return &streams{all: map[*streamControl]struct{}{}} }

// add adds a stream, unless the hub is closing.
func (s *streams) add(session, login string, t transport) (*streamControl, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed != "" {
		return nil, classroom.ErrClosing
	}
	h := &streamControl{session: session, login: login, ended: make(chan struct{})}
	h.transport.Store(&t)
	s.all[h] = struct{}{}
	s.done.Add(1)
	return h, nil
}

// expire has a stream end at a time, unless that is zero.
func (s *streams) expire(h *streamControl, at time.Time) {
	if at.IsZero() {
		return
	}
	h.expiry = time.AfterFunc(time.Until(at), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		h.end("expired")
	})
}

func (s *streams) remove(h *streamControl) {
	s.mu.Lock()
	delete(s.all, h)
	s.mu.Unlock()
	if h.expiry != nil {
		h.expiry.Stop()
	}
	s.done.Done()
}

func (s *streams) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}

// end ends the streams that match. It must be called with s.mu held.
func (s *streams) end(reason string, match func(*streamControl) bool) {
	for h := range s.all {
		if match(h) {
			h.end(reason)
		}
	}
}

// endLogin ends the streams of a login. A stream that the API token opened has
// none, so an empty login ends nothing.
func (s *streams) endLogin(login string) {
	if login == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end("logout", func(h *streamControl) bool { return h.login == login })
}

func (s *streams) endSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end("deleted", func(h *streamControl) bool { return h.session == id })
}

// closeAll ends every stream, refuses new ones, and waits for at most closeLimit.
// It returns the sessions of the streams that have not ended by then.
func (s *streams) closeAll(reason string) (left []string) {
	s.mu.Lock()
	s.closed = reason
	s.end(reason, func(*streamControl) bool { return true })
	s.mu.Unlock()
	if waitAtMost(&s.done, closeLimit) && waitAtMost(&s.watchers, closeLimit) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for h := range s.all {
		left = append(left, h.session)
	}
	return left
}

// waitAtMost waits for work to end. It reports false where the limit passed first.
func waitAtMost(work *sync.WaitGroup, limit time.Duration) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		work.Wait()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
