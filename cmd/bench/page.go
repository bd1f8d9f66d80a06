//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// measurePage opens the page of a session of 10,000 events, in a process that
// has served a page before.
func measurePage(ctx context.Context, scale int) ([]row, error) {
	n := 10_000 / scale
	p, err := start(ctx, "ours")
	if err != nil {
		return nil, err
	}
	defer p.end()
	if _, err := p.call("POST", fmt.Sprintf("/fill?n=%d", n), ""); err != nil {
		return nil, err
	}
	if _, err := p.call("GET", "/", ""); err != nil {
		return nil, err
	}
	path := strings.TrimSuffix(strings.TrimPrefix(p.events, "/api"), "/events")
	var durations []time.Duration
	bytes := 0
	for range 20 {
		began := time.Now()
		html, err := p.call("GET", path, "")
		if err != nil {
			return nil, err
		}
		durations = append(durations, time.Since(began))
		bytes = len(html)
	}
	first := durations[0]
	slices.Sort(durations)
	return []row{
		{
			fmt.Sprintf("page of a %d-event session", n),
			"≤ 50 ms; first HTML ≤ 300 KB",
			fmt.Sprintf("first %s, then p50 %s; %d KB", formatMS(first), formatMS(percentile(durations, 0.5)),
				bytes>>10),
			"–",
			"–",
		},
	}, nil
}

// measureBytes counts what the HTML stream sends for an answer.
func measureBytes(ctx context.Context, scale int) ([]row, error) {
	var rows []row
	for _, t := range []scriptedAnswer{
		{"bytes to a page, 400 tokens (2 KB) at 40/s", "≤ 16 KB", 400, 40, "word "},
		{"bytes to a page, 100 KB in 5,000 deltas at 500/s", "≤ 2 × its final HTML", 5000, 500,
			"twenty letters here. "},
	} {
		t.tokens /= scale
		sent, final, err := streamAnswer(ctx, t)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{
			t.what,
			t.budget,
			fmt.Sprintf("%.1f KB", float64(sent)/1024),
			fmt.Sprintf("%.1f KB of final HTML", float64(final)/1024),
			fmt.Sprintf("%.2f ×", float64(sent)/float64(final)),
		})
	}
	return rows, nil
}

// streamAnswer runs the product with a scripted upstream. It returns the number of bytes
// that a page's stream received for one answer, and the size of the finished card's HTML.
func streamAnswer(ctx context.Context, t scriptedAnswer) (sent, final int64, err error) {
	up := newUpstream(t)
	defer up.Close()
	dir, err := os.MkdirTemp("", "colloquy-bench-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	p, err := startProduct(ctx, dir, "COLLOQUY_MODEL=openai:bench", "OPENAI_API_KEY=bench",
		"OPENAI_BASE_URL="+up.URL+"/v1")
	if err != nil {
		return 0, 0, err
	}
	defer p.end()
	made, err := p.call("POST", "/api/sessions", `{"agents":["ada"]}`)
	if err != nil {
		return 0, 0, err
	}
	var session struct{ ID string }
	if err := json.Unmarshal([]byte(made), &session); err != nil {
		return 0, 0, fmt.Errorf("read session: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+p.addr+"/sessions/"+session.ID+"/stream?after=1", nil)
	if err != nil {
		return 0, 0, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, 0, err
	}
	var count atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewReader(res.Body)
		for {
			line, err := lines.ReadString('\n')
			count.Add(int64(len(line)))
			if err != nil {
				return
			}
		}
	}()
	if _, err := p.call("POST", "/api/sessions/"+session.ID+"/messages", `{"text":"Go on."}`); err != nil {
		return 0, 0, err
	}
	if err := p.idle(ctx, session.ID); err != nil {
		return 0, 0, err
	}
	time.Sleep(500 * time.Millisecond)
	res.Body.Close()
	<-done
	page, err := p.call("GET", "/sessions/"+session.ID, "")
	return count.Load(), int64(len(cardOf(page))), err
}

// cardOf returns the HTML of a page's list of cards.
func cardOf(page string) string {
	_, rest, _ := strings.Cut(page, `id="exchanges"`)
	card, _, _ := strings.Cut(rest, `id="queue"`)
	return card
}

// idle waits until the session's run has ended.
func (p *process) idle(ctx context.Context, session string) error {
	for ctx.Err() == nil {
		log, err := p.call("GET", "/api/sessions/"+session+"/log?limit=10000", "")
		if err != nil || strings.Contains(log, `"type":"run_end"`) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return ctx.Err()
}
