//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"time"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/openai"
	"colloquy/classroom"
	"colloquy/store"
)

// A timing is the time from a call to the first delta of its answer and to its end.
type timing struct{ first, whole time.Duration }

// measureLoop sends the same request with net/http alone, and through provider, turn
// loop and store. There the first delta and the end count when message_update and
// run_end are on disk.
func measureLoop(ctx context.Context, scale int) ([]row, error) {
	up := newUpstream(scriptedAnswer{tokens: 40, perSecond: 200, token: "word "})
	defer up.Close()
	n := 60 / scale
	bare, err := medians(n, func() (timing, error) { return askBare(ctx, up.URL+"/v1") })
	if err != nil {
		return nil, err
	}
	o, err := newLoop(ctx, up.URL+"/v1")
	if err != nil {
		return nil, err
	}
	defer o.close()
	ours, err := medians(n, func() (timing, error) { return o.ask(ctx) })
	if err != nil {
		return nil, err
	}
	describe := func(t timing) string {
		return fmt.Sprintf("first delta %s, whole answer %s", formatMS(t.first), formatMS(t.whole))
	}
	return []row{
		{
			"our loop over the bare call, 40 tokens at 200/s, medians",
			"first delta ≤ +2 ms",
			describe(ours),
			describe(bare),
			fmt.Sprintf("+%s, +%s", formatMS(ours.first-bare.first), formatMS(ours.whole-bare.whole)),
		},
	}, nil
}

// medians returns the medians of n calls, after one that does not count.
func medians(n int, call func() (timing, error)) (timing, error) {
	var first, whole []time.Duration
	for i := range n + 1 {
		t, err := call()
		if err != nil {
			return timing{}, err
		}
		if i > 0 {
			first, whole = append(first, t.first), append(whole, t.whole)
		}
	}
	slices.Sort(first)
	slices.Sort(whole)
	return timing{percentile(first, 0.5), percentile(whole, 0.5)}, nil
}

// askBare sends a request and decodes its events. It keeps nothing.
func askBare(ctx context.Context, base string) (timing, error) {
	began, t := time.Now(), timing{}
	const body = `{"model":"bench","stream":true,"messages":[{"role":"user","content":"Go on."}]}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/chat/completions", strings.NewReader(body))
	if err != nil {
		return t, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return t, err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: {")
		if !ok {
			continue
		}
		var c struct {
			Choices []struct{ Delta struct{ Content string } }
		}
		if err := json.Unmarshal([]byte("{"+data), &c); err != nil {
			return t, err
		}
		if t.first == 0 && len(c.Choices) > 0 && c.Choices[0].Delta.Content != "" {
			t.first = time.Since(began)
		}
	}
	t.whole = time.Since(began)
	return t, lines.Err()
}

// A loop is a runtime with a store and the upstream as its model, in this process.
type loop struct {
	dir     string
	store   *store.Store
	runtime *agents.Runtime
	class   string
	roster  []classroom.Agent
}

func newLoop(ctx context.Context, base string) (*loop, error) {
	dir, err := os.MkdirTemp("", "colloquy-bench-")
	if err != nil {
		return nil, err
	}
	o := &loop{dir: dir, roster: []classroom.Agent{{ID: "ada", Name: "Ms Ada", Role: classroom.Teacher}}}
	if o.store, err = store.Open(ctx, store.Options{Dir: dir}); err != nil {
		return nil, err
	}
	class, err := o.store.CreateClass(ctx, classroom.Class{Title: "Bench", Mode: classroom.ModeQA, Roster: o.roster})
	if err != nil {
		return nil, err
	}
	o.class = class.ID
	model, err := openai.New(openai.Options{BaseURL: base, Key: "bench", Model: "bench"})
	if err != nil {
		return nil, err
	}
	o.runtime, err = agents.New(agents.Options{Log: o.store, Leases: o.store, Classes: o.store, Holder: "bench",
		Model: func(context.Context, classroom.Class, classroom.Agent) llm.Model { return model }})
	return o, err
}

func (o *loop) close() {
	o.runtime.Close()
	o.store.Close()
	os.RemoveAll(o.dir)
}

func (o *loop) session(ctx context.Context) (string, error) {
	s, err := o.store.CreateSession(ctx, classroom.Session{ClassID: o.class, Mode: classroom.ModeQA}, o.roster)
	return s.ID, err
}

func (o *loop) ask(ctx context.Context) (timing, error) {
	id, err := o.session(ctx)
	if err != nil {
		return timing{}, err
	}
	began, t, at := time.Now(), timing{}, classroom.Cursor(0)
	if _, err := o.runtime.Send(ctx, id, classroom.Post{Text: "Go on."}); err != nil {
		return timing{}, err
	}
	for {
		changed := o.store.Changed(id)
		events, err := o.store.Read(ctx, id, at, 1000)
		if err != nil {
			return timing{}, err
		}
		for _, e := range events {
			at = e.ID
			switch {
			case e.Type == classroom.TypeMessageUpdate && t.first == 0:
				t.first = time.Since(began)
			case e.Type == classroom.TypeRunEnd:
				t.whole = time.Since(began)
				return t, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return timing{}, ctx.Err()
		}
	}
}

// measureRuns has many runs of the product answer at the same time, and measures the
// memory of each.
func measureRuns(ctx context.Context, scale int) ([]row, error) {
	n := 200 / scale
	answering := make(chan struct{}, n)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"word "}}]}`+"\n\n")
		http.NewResponseController(w).Flush()
		answering <- struct{}{}
		<-r.Context().Done()
	}))
	defer up.Close()
	dir, err := os.MkdirTemp("", "colloquy-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p, err := startProduct(ctx, dir, "COLLOQUY_MODEL=openai:bench", "OPENAI_API_KEY=bench",
		"OPENAI_BASE_URL="+up.URL+"/v1")
	if err != nil {
		return nil, err
	}
	defer p.end()
	before := p.memory()
	for range n {
		made, err := p.call("POST", "/api/sessions", `{"agents":["ada"]}`)
		if err != nil {
			return nil, err
		}
		var session struct{ ID string }
		if err := json.Unmarshal([]byte(made), &session); err != nil {
			return nil, fmt.Errorf("read session: %w", err)
		}
		if _, err := p.call("POST", "/api/sessions/"+session.ID+"/messages", `{"text":"Go on."}`); err != nil {
			return nil, err
		}
		<-answering
	}
	time.Sleep(time.Second)
	after := p.memory()
	return []row{
		{
			fmt.Sprintf("%d runs at once, memory", n),
			"–",
			fmt.Sprintf("%.0f MB before, %.0f MB with all", before/1024, after/1024),
			"–",
			fmt.Sprintf("%.0f KiB a run", (after-before)/float64(n)),
		},
	}, nil
}
