//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"colloquy/classroom"
	"colloquy/store"
)

// measureAppends has 64 producers append one event after another; each waits for the
// acknowledgement of its event.
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
	var durations []time.Duration
	var failed error
	began := time.Now()
	for range producers {
		s, err := st.CreateSession(ctx, classroom.Session{ClassID: class.ID, Title: "Bench", Mode: classroom.ModeQA},
			nil)
		if err != nil {
			return nil, err
		}
		work.Go(func() {
			mine, err := appendMany(ctx, st, s.ID, 4000/scale)
			mu.Lock()
			defer mu.Unlock()
			durations = append(durations, mine...)
			if err != nil {
				failed = err
			}
		})
	}
	work.Wait()
	if failed != nil {
		return nil, failed
	}
	slices.Sort(durations)
	rate := float64(len(durations)) / time.Since(began).Seconds()
	return []row{
		{
			"durable appends, 64 producers",
			"25,000/s; acknowledged in p99 ≤ 10 ms",
			fmt.Sprintf("%.0f/s, p50 %s, p99 %s",
				rate, formatMS(percentile(durations, 0.5)), formatMS(percentile(durations, 0.99))),
			"–",
			"–",
		},
	}, nil
}

func appendMany(ctx context.Context, st *store.Store, session string, n int) ([]time.Duration, error) {
	durations := make([]time.Duration, 0, n)
	text := strings.Repeat("x", 120)
	for range n {
		began := time.Now()
		if _, err := st.Append(ctx, session, 0, delta(1, text)); err != nil {
			return durations, err
		}
		durations = append(durations, time.Since(began))
	}
	return durations, nil
}
