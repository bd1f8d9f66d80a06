//go:build linux

package main

import (
	"bufio"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// readers are raw connections to one stream. Each frame whose text holds
// "ts=<nanoseconds>;" is counted, with the time it took.
type readers struct {
	conns []net.Conn
	work  sync.WaitGroup
	mu    sync.Mutex
	took  []time.Duration
}

// connect opens n streams and waits until each has had its first frame.
func connect(p *process, n int) (*readers, error) {
	rs := &readers{}
	ready := make(chan error, n)
	for range n {
		c, err := net.Dial("tcp", p.addr)
		if err != nil {
			rs.close()
			return nil, fmt.Errorf("connect a reader: %w", err)
		}
		rs.conns = append(rs.conns, c)
		fmt.Fprintf(c, "GET %s?after=5 HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n\r\n", p.events, token)
		rs.work.Go(func() { rs.read(c, ready) })
	}
	for range n {
		if err := <-ready; err != nil {
			rs.close()
			return nil, err
		}
	}
	return rs, nil
}

func (rs *readers) read(c net.Conn, ready chan<- error) {
	var took []time.Duration
	defer func() {
		rs.mu.Lock()
		defer rs.mu.Unlock()
		rs.took = append(rs.took, took...)
	}()
	r := bufio.NewReaderSize(c, 2048)
	told := false
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			if !told {
				ready <- fmt.Errorf("read a stream: %w", err)
			}
			return
		}
		if !told && strings.HasPrefix(line, "event: connected") {
			told = true
			ready <- nil
		}
		_, rest, ok := strings.Cut(line, "ts=")
		if !ok {
			continue
		}
		digits, _, _ := strings.Cut(rest, ";")
		if at, err := strconv.ParseInt(digits, 10, 64); err == nil {
			took = append(took, time.Since(time.Unix(0, at)))
		}
	}
}

// close ends the streams and returns how long each delivery took, in order.
func (rs *readers) close() []time.Duration {
	for _, c := range rs.conns {
		c.Close()
	}
	rs.work.Wait()
	slices.Sort(rs.took)
	return rs.took
}

// at returns the p-th part of sorted durations.
func at(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(p*float64(len(sorted))), len(sorted)-1)]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
