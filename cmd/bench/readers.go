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
// "ts=<nanoseconds>;" is counted, with the time of its delivery.
type readers struct {
	conns     []net.Conn
	work      sync.WaitGroup
	mu        sync.Mutex
	durations []time.Duration
}

// connect opens n streams and waits until each has received its first frame.
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
	var durations []time.Duration
	defer func() {
		rs.mu.Lock()
		defer rs.mu.Unlock()
		rs.durations = append(rs.durations, durations...)
	}()
	r := bufio.NewReaderSize(c, 2048)
	connected := false
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			if !connected {
				ready <- fmt.Errorf("read a stream: %w", err)
			}
			return
		}
		if !connected && strings.HasPrefix(line, "event: connected") {
			connected = true
			ready <- nil
		}
		_, rest, ok := strings.Cut(line, "ts=")
		if !ok {
			continue
		}
		digits, _, _ := strings.Cut(rest, ";")
		if at, err := strconv.ParseInt(digits, 10, 64); err == nil {
			durations = append(durations, time.Since(time.Unix(0, at)))
		}
	}
}

// close ends the streams and returns the time of each delivery, in ascending order.
func (rs *readers) close() []time.Duration {
	for _, c := range rs.conns {
		c.Close()
	}
	rs.work.Wait()
	slices.Sort(rs.durations)
	return rs.durations
}

// percentile returns the duration below which the part p of sorted durations lies.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(p*float64(len(sorted))), len(sorted)-1)]
}

func formatMS(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
