//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// A broadcaster is the minimal server of streams: it makes each frame once and sends it
// to every reader over a channel. It stores nothing and resumes no stream.
type broadcaster struct {
	mu      sync.Mutex
	readers map[chan []byte]bool
	next    int
}

// serveBare prints its address and serves the broadcaster until ctx ends.
func serveBare(ctx context.Context, out io.Writer) error {
	b := &broadcaster{readers: map[chan []byte]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /events", b.stream)
	mux.HandleFunc("POST /append", b.publish)
	return listen(ctx, out, mux)
}

func (b *broadcaster) publish(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	frame := fmt.Appendf(nil, "event: message_update\nid: %d\ndata: %s\n\n", b.next, text)
	for c := range b.readers {
		select {
		case c <- frame:
		default: // a slow reader loses the frame: the bare broadcaster promises nothing
		}
	}
}

func (b *broadcaster) stream(w http.ResponseWriter, r *http.Request) {
	c := make(chan []byte, 64)
	b.mu.Lock()
	b.readers[c] = true
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		delete(b.readers, c)
		b.mu.Unlock()
	}()
	flush := http.NewResponseController(w).Flush
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "event: connected\ndata: {}\n\n")
	flush()
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for {
		select {
		case frame := <-c:
			w.Write(frame)
			for more := true; more; {
				select {
				case frame = <-c:
					w.Write(frame)
				default:
					more = false
				}
			}
		case <-beat.C:
			fmt.Fprint(w, ":\n\n")
		case <-r.Context().Done():
			return
		}
		if flush() != nil {
			return
		}
	}
}

// listen serves h on a free loopback port, and prints the address.
func listen(ctx context.Context, out io.Writer, h http.Handler) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: h}
	fmt.Fprintln(out, l.Addr())
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); err != http.ErrServerClosed {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
