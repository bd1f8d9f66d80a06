package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

// tried is what a model says when it is tried.
func (s servers) tried(t *testing.T, m classroom.Model) (string, error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	test, err := s.Try(ctx, m)
	return test.Answer, err
}

func newUpstream(t *testing.T, h http.HandlerFunc) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// Anthropic's protocol, end to end: its list, its stream, its way of showing a key.
func TestAnthropicIsListedAndTried(t *testing.T) {
	var keys []string
	at := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("X-Api-Key"))
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w,
				`{"data":[{"type":"model","id":"deep-1","display_name":"Deep","created_at":"2026-01-01T00:00:00Z"}],`+
					`"has_more":false,"first_id":"deep-1","last_id":"deep-1"}`,
			)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range []string{
			`message_start {"type":"message_start","message":{"id":"m","type":"message","role":"assistant",` +
				`"model":"deep-1","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}`,
			`content_block_start {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`content_block_delta {"type":"content_block_delta","index":0,` +
				`"delta":{"type":"text_delta","text":"Ready."}}`,
			`content_block_stop {"type":"content_block_stop","index":0}`,
			`message_delta {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}`,
			`message_stop {"type":"message_stop"}`,
		} {
			kind, data, _ := strings.Cut(e, " ")
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, data)
		}
	})
	c := newConnections(t)
	m, err := c.store.CreateModel(t.Context(),
		classroom.Model{
			Provider: "anthropic",
			BaseURL:  at,
			Private:  true,
			Name:     "deep-1",
			Thinking: "off",
		},
		connectedKey,
	)
	if err != nil {
		t.Fatal(err)
	}
	if names, err := (servers{c}).List(t.Context(), m); err != nil || !slices.Equal(names, []string{"deep-1"}) {
		t.Errorf("%v, %v", names, err)
	}
	if said, err := (servers{c}).tried(t, m); err != nil || said != "Ready." {
		t.Errorf("%q, %v", said, err)
	}
	if !slices.Equal(keys, []string{connectedKey, connectedKey}) {
		t.Errorf("it was shown %q", keys)
	}
}

// What goes wrong is reported in a sentence, and a key goes to no second host.
func TestTroubleWithModelsIsTold(t *testing.T) {
	var shown []string
	elsewhere := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		shown = append(shown, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key"))
	})
	answers := func(status int, body string) string {
		return newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	moved := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere+r.URL.Path, http.StatusTemporaryRedirect)
	})
	var logged bytes.Buffer
	for _, provider := range []string{"openai", "anthropic"} {
		for name, at := range map[string]string{
			"refused": "http://127.0.0.1:1",
			"key":     answers(401, `{"error":{"message":"bad key `+connectedKey+`"}}`),
			"unknown": answers(404, `{}`),
			"busy":    answers(503, ``), "moved": moved, "another site": answers(200, "<html>Welcome</html>"),
		} {
			c := newConnections(t)
			c.logger = slog.New(slog.NewTextHandler(&logged, nil))
			m, err := c.store.CreateModel(t.Context(),
				classroom.Model{Provider: provider, BaseURL: at, Private: true, Name: "x"}, connectedKey)
			if err != nil {
				t.Fatal(err)
			}
			_, listed := servers{c}.List(t.Context(), m)
			_, tried := servers{c}.tried(t, m)
			for _, err := range []error{listed, tried} {
				e, ok := errors.AsType[*classroom.Error](err)
				said := publicSentence(err)
				if !ok || !strings.HasSuffix(said, ".") || strings.Contains(said, connectedKey) ||
					said == locale.English().Error(classroom.ErrInternal) || e.Params["model"] != "x" {
					t.Errorf("%s, %s: %v", provider, name, err)
				}
			}
		}
	}
	if !strings.Contains(logged.String(), "bad key") || strings.Contains(logged.String(), connectedKey) {
		t.Errorf("the log holds the key, or not what the server said:\n%s", logged.String())
	}
	for _, key := range shown {
		if key != "" {
			t.Errorf("the other host was shown %q", key)
		}
	}
}

// A model that is not allowed to be private is not called there, whatever its name is.
func TestPrivateAddressIsNotCalled(t *testing.T) {
	called := false
	at := newUpstream(t, func(http.ResponseWriter, *http.Request) { called = true })
	c := newConnections(t)
	m, err := c.store.CreateModel(t.Context(),
		classroom.Model{Provider: "openai", BaseURL: at, Name: "x"}, connectedKey)
	if err != nil {
		t.Fatal(err)
	}
	_, listed := servers{c}.List(t.Context(), m)
	_, tried := servers{c}.tried(t, m)
	if listed == nil || tried == nil || called {
		t.Errorf("%v, %v, called: %v", listed, tried, called)
	}
}
