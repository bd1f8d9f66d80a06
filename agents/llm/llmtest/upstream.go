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

// An Upstream is an HTTP server on loopback that writes exactly the bytes of its
// script, with chosen flush points and pauses. Each request consumes one answer; a
// request without an answer gets status 599. Connections are not reused.
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

// A Request is a request to an upstream.
type Request struct {
	Method string
	Path   string
	Header http.Header
	Body   []byte

	closed chan struct{}
	once   sync.Once
}

// Closed is closed when the client closes the connection before the end of the answer.
func (r *Request) Closed() <-chan struct{} { return r.closed }

func (r *Request) markClosed() { r.once.Do(func() { close(r.closed) }) }

// An Answer is one response. The steps of Body are executed in order and each is
// flushed; see Bytes, Sleep, Until, FIN and RST. A body without FIN or RST ends as its
// framing requires.
type Answer struct {
	Status  int         // 0 is 200
	Header  http.Header // nil is an event stream
	Framing Framing
	Body    []Write
}

// Framing says how the end of the body is marked.
type Framing int

// The framings of HTTP/1.1.
const (
	Chunked  Framing = iota
	UntilEOF         // the end of the connection
	NoHead           // no status and no header are written; only Sleep, Until, FIN and RST make sense
)

// Serve starts an upstream with the answers and stops it at the end of the test.
func Serve(t testing.TB, answers ...Answer) *Upstream {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen on loopback: %v", err)
	}
	ctx, quit := context.WithCancel(context.Background())
	u := &Upstream{
		URL: "http://" + l.Addr().String(), listener: l, quit: quit,
		answers: answers, arrived: make(chan struct{}),
	}
	u.serving.Go(func() { u.accept(ctx) })
	t.Cleanup(u.Close)
	return u
}

// Close stops the upstream, closes its connections and waits for its goroutines.
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

// Requests returns the requests so far, oldest first.
func (u *Upstream) Requests() []*Request {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([]*Request(nil), u.requests...)
}

// Wait waits for request n, counted from 1, and returns it.
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
		plain := http.Header{"Content-Type": {"text/plain"}}
		return Answer{Status: 599, Header: plain, Body: Bytes("llmtest: no answer left")}
	}
	a := u.answers[0]
	u.answers = u.answers[1:]
	return a
}
