//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// measureFirstByte measures the time from an append to the frame at one reader.
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
	return []row{
		{
			"first delta to first byte at a reader",
			"p99 ≤ 20 ms",
			fmt.Sprintf("p50 %s, p99 %s", formatMS(ours.p50), formatMS(ours.p99)),
			fmt.Sprintf("p50 %s, p99 %s", formatMS(bare.p50), formatMS(bare.p99)),
			"–",
		},
	}, nil
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
	var durations []time.Duration
	head, err := headOf(p)
	if err != nil {
		return nil, err
	}
	for range 200 {
		d, err := reconnect(p, fmt.Sprintf("after=%d", head))
		if err != nil {
			return nil, err
		}
		durations = append(durations, d)
	}
	slices.Sort(durations)
	return []row{
		{
			fmt.Sprintf("reconnect at the head of a %d-event session", n),
			"no backlog read; ≤ 2 ms",
			fmt.Sprintf("p50 %s, p99 %s", formatMS(percentile(durations, 0.5)), formatMS(percentile(durations, 0.99))),
			"–",
			"–",
		},
	}, nil
}

// headOf returns the cursor of the session's last event.
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

// reconnect returns the time from the request to caught_up.
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
