//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"colloquy/classroom"
	"colloquy/store"
)

// measureAppends lets 64 producers append one event after another, each
// waiting for its acknowledgement.
func measureAppends(ctx context.Context, scale int) ([]row, error) {
	const producers = 64
	dir, err := os.MkdirTemp("", "colloquy-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	st, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	defer st.Close()
	class, err := st.CreateClass(ctx, classroom.Class{Title: "Bench", Mode: classroom.ModeQA})
	if err != nil {
		return nil, err
	}
	var work sync.WaitGroup
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	began := time.Now()
	for range producers {
		s, err := st.CreateSession(ctx, classroom.Session{ClassID: class.ID, Title: "Bench", Mode: classroom.ModeQA}, nil)
		if err != nil {
			return nil, err
		}
		work.Go(func() {
			mine, err := appendMany(ctx, st, s.ID, 4000/scale)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, mine...)
			if err != nil {
				failed = err
			}
		})
	}
	work.Wait()
	if failed != nil {
		return nil, failed
	}
	slices.Sort(took)
	rate := float64(len(took)) / time.Since(began).Seconds()
	return []row{{"durable appends, 64 producers", "25,000/s; acknowledged in p99 ≤ 10 ms", fmt.Sprintf("%.0f/s, p50 %s, p99 %s", rate, ms(at(took, 0.5)), ms(at(took, 0.99))), "–", "–"}}, nil
}

func appendMany(ctx context.Context, st *store.Store, session string, n int) ([]time.Duration, error) {
	took := make([]time.Duration, 0, n)
	text := strings.Repeat("x", 120)
	for range n {
		began := time.Now()
		if _, err := st.Append(ctx, session, 0, delta(1, text)); err != nil {
			return took, err
		}
		took = append(took, time.Since(began))
	}
	return took, nil
}

// measureFirstByte is the way of a model's first delta to one reader: append,
// commit, bell, frame.
func measureFirstByte(ctx context.Context, scale int) ([]row, error) {
	l := load{readers: 1, perSecond: 100, lasts: 8 * time.Second / time.Duration(scale)}
	ours, err := fanOut(ctx, "ours", l)
	if err != nil {
		return nil, err
	}
	bare, err := fanOut(ctx, "bare", l)
	if err != nil {
		return nil, err
	}
	return []row{{"first delta to first byte at a reader", "p99 ≤ 20 ms", fmt.Sprintf("p50 %s, p99 %s", ms(ours.p50), ms(ours.p99)), fmt.Sprintf("p50 %s, p99 %s", ms(bare.p50), ms(bare.p99)), "–"}}, nil
}

// measureReconnect opens the stream of a long session at its head, again and again.
func measureReconnect(ctx context.Context, scale int) ([]row, error) {
	n := 100_000 / scale
	p, err := start(ctx, "ours")
	if err != nil {
		return nil, err
	}
	defer p.end()
	if _, err := p.call("POST", fmt.Sprintf("/fill?n=%d", n), ""); err != nil {
		return nil, err
	}
	var took []time.Duration
	head, err := headOf(p)
	if err != nil {
		return nil, err
	}
	for range 200 {
		d, err := reconnect(p, fmt.Sprintf("after=%d", head))
		if err != nil {
			return nil, err
		}
		took = append(took, d)
	}
	slices.Sort(took)
	return []row{{fmt.Sprintf("reconnect at the head of a %d-event session", n), "no backlog read; ≤ 2 ms", fmt.Sprintf("p50 %s, p99 %s", ms(at(took, 0.5)), ms(at(took, 0.99))), "–", "–"}}, nil
}

// headOf reads the session's head.
func headOf(p *process) (int64, error) {
	body, err := p.call("GET", strings.TrimSuffix(p.events, "/events"), "")
	if err != nil {
		return 0, err
	}
	var head int64
	_, rest, _ := strings.Cut(body, `"head":`)
	_, err = fmt.Sscan(strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' })[0], &head)
	return head, err
}

// reconnect is the time from the request to caught_up.
func reconnect(p *process, query string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	began := time.Now()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+p.addr+p.events+"?"+query, nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "event: caught_up" {
			return time.Since(began), nil
		}
	}
	return 0, fmt.Errorf("reconnect: the stream ended before caught_up: %v", lines.Err())
}
