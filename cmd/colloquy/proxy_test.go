package main

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A proxy stands between a browser and the server, and has the bad manners of
// a school's network: it cuts, it answers 503, and it lets nothing through.
type proxy struct {
	addr   string
	target string
	mu     sync.Mutex
	conns  map[net.Conn]bool
	away   bool // refuse new connections
	sick   int  // answer that many requests with 503
	still  bool // let no byte of the server through
	moved  *sync.Cond
	counts struct{ carried, refused, held int }
}

func newProxy(t *testing.T, target string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{addr: l.Addr().String(), target: target, conns: map[net.Conn]bool{}}
	p.moved = sync.NewCond(&p.mu)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() { p.carry(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.cut()
		work.Wait()
	})
	return p
}

func (p *proxy) carry(c net.Conn) {
	defer c.Close()
	p.mu.Lock()
	away, sick := p.away, p.sick > 0
	if sick {
		p.sick--
	}
	if away {
		p.counts.refused++
	} else {
		p.conns[c] = true
		p.counts.carried++
	}
	p.mu.Unlock()
	defer p.forget(c)
	switch {
	case away:
		return
	case sick:
		buf := make([]byte, 4096)
		c.Read(buf)
		io.WriteString(c,
			"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html\r\nContent-Length: 23\r\n"+
				"Connection: close\r\n\r\n<h1>Gateway is ill</h1>",
		)
		return
	}
	up, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer up.Close()
	done := make(chan struct{}, 2)
	go func() { io.Copy(up, c); up.Close(); done <- struct{}{} }()
	go func() { io.Copy(gated{c, p}, up); c.Close(); done <- struct{}{} }()
	<-done
	<-done
}

func (p *proxy) forget(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
}

// cut ends every connection.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

// set changes the manners: whether the network is away, and how many requests get a 503.
func (p *proxy) set(away bool, sick int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away, p.sick = away, sick
}

// carried, refused and held are how many connections came through, how many
// found nobody, and how many writes of the server were made to wait.
func (p *proxy) carried() int { return p.count(&p.counts.carried) }
func (p *proxy) refused() int { return p.count(&p.counts.refused) }
func (p *proxy) held() int    { return p.count(&p.counts.held) }

func (p *proxy) count(n *int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return *n
}

// stall holds every byte of the server back, or lets all go.
func (p *proxy) stall(still bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.still = still
	p.moved.Broadcast()
}

// gated writes when the proxy lets bytes through.
type gated struct {
	net.Conn
	p *proxy
}

func (g gated) Write(b []byte) (int, error) {
	g.p.mu.Lock()
	if g.p.still {
		g.p.counts.held++
	}
	for g.p.still {
		g.p.moved.Wait()
	}
	g.p.mu.Unlock()
	return g.Conn.Write(b)
}
