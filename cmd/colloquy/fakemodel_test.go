package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A fakeModel is an upstream that speaks the OpenAI protocol. A question names
// the script that answers it by a marker in its text; the newest marker of a
// request counts. Other requests get a short answer.
type fakeModel struct {
	url     string
	mu      sync.Mutex
	scripts map[string]func(*streamedAnswer)
}

// A streamedAnswer is an answer that a script is writing.
type streamedAnswer struct {
	w http.ResponseWriter
	r *http.Request
	n int // of this marker's requests, from 1
}

func newFakeModel(t *testing.T) *fakeModel {
	m := &fakeModel{scripts: map[string]func(*streamedAnswer){}}
	counts := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Messages []struct{ Content any }
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		text := ""
		for _, x := range req.Messages {
			text += fmt.Sprint(x.Content) + "\n"
		}
		m.mu.Lock()
		script, marker, at := (func(*streamedAnswer))(nil), "", -1
		for name, f := range m.scripts {
			if i := strings.LastIndex(text, name); i > at {
				script, marker, at = f, name, i
			}
		}
		counts[marker]++
		s := &streamedAnswer{w: w, r: r, n: counts[marker]}
		m.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		if script == nil {
			s.say("Noted.")
			s.finish("stop")
			return
		}
		script(s)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	m.url = server.URL + "/v1"
	return m
}

// on lets script answer the questions that hold marker.
func (m *fakeModel) on(marker string, script func(*streamedAnswer)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.scripts[marker] = script
}

func (s *streamedAnswer) chunk(delta map[string]any, finish any) {
	b, _ := json.Marshal(map[string]any{"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "fake",
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
	fmt.Fprintf(s.w, "data: %s\n\n", b)
	http.NewResponseController(s.w).Flush()
}

// say sends one delta of text.
func (s *streamedAnswer) say(text string) { s.chunk(map[string]any{"content": text}, nil) }

// words sends the numbered words from one number to another.
func (s *streamedAnswer) words(stem string, from, to int) {
	for i := from; i <= to && s.r.Context().Err() == nil; i++ {
		s.say(fmt.Sprintf("%s%d ", stem, i))
	}
}

// wait holds the answer until a test lets it go on; it reports false where the
// client has left before. A nil channel lets nothing go on.
func (s *streamedAnswer) wait(on <-chan struct{}) bool {
	select {
	case <-on:
		return true
	case <-s.r.Context().Done():
		return false
	}
}

// use calls a tool.
func (s *streamedAnswer) use(name string, args any) {
	b, _ := json.Marshal(args)
	s.chunk(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call_1", "type": "function",
		"function": map[string]any{"name": name, "arguments": string(b)}}}}, nil)
	s.finish("tool_calls")
}

// finish ends the answer.
func (s *streamedAnswer) finish(reason string) {
	s.chunk(map[string]any{}, reason)
	fmt.Fprint(s.w, "data: [DONE]\n\n")
}
