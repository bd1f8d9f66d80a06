package llmtest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// An Upstream is an HTTP server on loopback that writes exactly the bytes its
// script lists, with chosen flush points and pauses. Each request takes the
// next answer; one for which none is left gets status 599. Connections are not
// used again.
type Upstream struct {
	URL string // "http://127.0.0.1:port"

	listener net.Listener
	quit     context.CancelFunc
	serving  sync.WaitGroup

	mu       sync.Mutex
	answers  []Answer
	requests []*Request
	arrived  chan struct{} // closed at the next request
}

// A Request is what an upstream was asked.
type Request struct {
	Method string
	Path   string
	Header http.Header
	Body   []byte

	closed chan struct{}
	once   sync.Once
}

// Closed is closed once the client has closed the connection before the answer was over.
func (r *Request) Closed() <-chan struct{} { return r.closed }

func (r *Request) markClosed() { r.once.Do(func() { close(r.closed) }) }

// An Answer is one response. Its Body's steps are written one by one, each
// flushed on its own; see Bytes, Sleep, Until, FIN and RST. A body that comes
// to its end without FIN or RST ends as its framing wants it.
type Answer struct {
	Status  int         // 0 is 200
	Header  http.Header // nil is an event stream
	Framing Framing
	Body    []Write
}

// Framing says how the client learns where the body ends.
type Framing int

// The framings of HTTP/1.1.
const (
	Chunked  Framing = iota
	UntilEOF         // the end of the connection
	NoHead           // no head is written at all: only Sleep, Until, FIN and RST make sense
)

// Serve starts an upstream that gives the answers in order, and stops it at the end of the test.
func Serve(t testing.TB, answers ...Answer) *Upstream {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen on loopback: %v", err)
	}
	ctx, quit := context.WithCancel(context.Background())
	u := &Upstream{URL: "http://" + l.Addr().String(), listener: l, quit: quit, answers: answers, arrived: make(chan struct{})}
	u.serving.Go(func() { u.accept(ctx) })
	t.Cleanup(u.Close)
	return u
}

// Close stops the upstream, cuts what is open and waits for it.
func (u *Upstream) Close() {
	u.quit()
	u.listener.Close()
	u.serving.Wait()
}

// Add appends answers.
func (u *Upstream) Add(answers ...Answer) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.answers = append(u.answers, answers...)
}

// Requests returns what was asked so far, oldest first.
func (u *Upstream) Requests() []*Request {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([]*Request(nil), u.requests...)
}

// Wait returns request n, counted from 1, once it has come.
func (u *Upstream) Wait(ctx context.Context, n int) (*Request, error) {
	for {
		u.mu.Lock()
		requests, arrived := u.requests, u.arrived
		u.mu.Unlock()
		if len(requests) >= n {
			return requests[n-1], nil
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for request %d of %d: %w", n, len(requests), ctx.Err())
		}
	}
}

func (u *Upstream) accept(ctx context.Context) {
	for {
		conn, err := u.listener.Accept()
		if err != nil {
			return
		}
		u.serving.Go(func() {
			defer conn.Close()
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			defer stop()
			u.serve(ctx, conn.(*net.TCPConn))
		})
	}
}

func (u *Upstream) serve(ctx context.Context, conn *net.TCPConn) {
	conn.SetReadDeadline(time.Now().Add(time.Minute))
	in := bufio.NewReader(conn)
	req, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	conn.SetReadDeadline(time.Time{})
	r := &Request{Method: req.Method, Path: req.URL.Path, Header: req.Header, Body: body, closed: make(chan struct{})}
	p := &writer{ctx: ctx, conn: conn, ended: make(chan struct{}), request: r, answer: u.next(r)}
	watch := make(chan struct{})
	go func() {
		defer close(watch)
		p.watch(in)
	}()
	p.write()
	conn.Close()
	<-watch
}

func (u *Upstream) next(r *Request) Answer {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.requests = append(u.requests, r)
	close(u.arrived)
	u.arrived = make(chan struct{})
	if len(u.answers) == 0 {
		return Answer{Status: 599, Header: http.Header{"Content-Type": {"text/plain"}}, Body: Bytes("llmtest: no answer left")}
	}
	a := u.answers[0]
	u.answers = u.answers[1:]
	return a
}
