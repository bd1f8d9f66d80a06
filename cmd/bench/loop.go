//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/openai"
	"colloquy/classroom"
	"colloquy/store"
)

// A timing is when an answer's first delta came and when its end did, from the call on.
type timing struct{ first, whole time.Duration }

// measureLoop asks the same upstream by the official SDK alone, and through the
// provider, the turn loop and the store: there the first delta counts when it
// is on disk, and the end when run_end is.
func measureLoop(ctx context.Context, scale int) ([]row, error) {
	up := upstream(telling{tokens: 40, perSecond: 200, token: "word "})
	defer up.Close()
	n := 60 / scale
	bare, err := times(n, func() (timing, error) { return askBare(ctx, up.URL+"/v1") })
	if err != nil {
		return nil, err
	}
	o, err := newLoop(ctx, up.URL+"/v1")
	if err != nil {
		return nil, err
	}
	defer o.close()
	ours, err := times(n, func() (timing, error) { return o.ask(ctx) })
	if err != nil {
		return nil, err
	}
	say := func(t timing) string { return fmt.Sprintf("first delta %s, whole answer %s", ms(t.first), ms(t.whole)) }
	return []row{{"our loop over the bare SDK call, 40 tokens at 200/s, medians", "–", say(ours), say(bare),
		fmt.Sprintf("+%s, +%s", ms(ours.first-bare.first), ms(ours.whole-bare.whole))}}, nil
}

// times returns the medians of n calls, after one that does not count.
func times(n int, call func() (timing, error)) (timing, error) {
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
	return timing{at(first, 0.5), at(whole, 0.5)}, nil
}

func askBare(ctx context.Context, base string) (timing, error) {
	began, t := time.Now(), timing{}
	chat := sdk.NewClient(option.WithBaseURL(base), option.WithAPIKey("bench"))
	stream := chat.Chat.Completions.NewStreaming(ctx, sdk.ChatCompletionNewParams{
		Model: "bench", Messages: []sdk.ChatCompletionMessageParamUnion{sdk.UserMessage("Go on.")}})
	defer stream.Close()
	for stream.Next() {
		if c := stream.Current().Choices; t.first == 0 && len(c) > 0 && c[0].Delta.Content != "" {
			t.first = time.Since(began)
		}
	}
	t.whole = time.Since(began)
	return t, stream.Err()
}

// A loop is the runtime over a store and the upstream, in this process.
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
	o.runtime, err = agents.New(agents.Options{Log: o.store, Leases: o.store, Classes: o.store,
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

// measureRuns lets many runs answer at once in the product, and looks at what
// each takes of its memory.
func measureRuns(ctx context.Context, scale int) ([]row, error) {
	n := 200 / scale
	spoken := make(chan struct{}, n)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"word "}}]}`+"\n\n")
		http.NewResponseController(w).Flush()
		spoken <- struct{}{}
		<-r.Context().Done()
	}))
	defer up.Close()
	dir, err := os.MkdirTemp("", "colloquy-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p, err := startProduct(ctx, dir, "COLLOQUY_MODEL=openai:bench", "OPENAI_API_KEY=bench", "OPENAI_BASE_URL="+up.URL+"/v1")
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
		<-spoken
	}
	time.Sleep(time.Second)
	after := p.memory()
	return []row{{fmt.Sprintf("%d runs at once, memory", n), "–", fmt.Sprintf("%.0f MB before, %.0f MB with all", before/1024, after/1024), "–",
		fmt.Sprintf("%.0f KiB a run", (after-before)/float64(n))}}, nil
}
