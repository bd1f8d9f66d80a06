//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
	"colloquy/store"
	"colloquy/web"
)

const token = "bench-token"

// A server is the product's store, runtime and web server, with some routes for the
// measurements.
type server struct {
	store   *store.Store
	web     *web.Server
	session string
}

// serveOurs prints its address and serves the product's streams until ctx ends. POST
// /append appends one message_update with the body as its text, POST /fill?n=N makes the
// session N events long, and GET /session returns its id.
func serveOurs(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "colloquy-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := openOurs(ctx, dir)
	if err != nil {
		return err
	}
	defer s.store.Close()
	mux := http.NewServeMux()
	mux.Handle("/", s.web.Handler())
	mux.HandleFunc("POST /append", s.append)
	mux.HandleFunc("POST /fill", s.fill)
	mux.HandleFunc("GET /session", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s.session) })
	return listen(ctx, out, mux)
}

func openOurs(ctx context.Context, dir string) (*server, error) {
	st, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	class, err := st.CreateClass(ctx, classroom.Class{
		Title: "Bench", Mode: classroom.ModeQA,
		Roster: []classroom.Agent{{ID: "ada", Name: "Ms Ada", Role: classroom.Teacher}},
	})
	if err != nil {
		return nil, err
	}
	session, err := st.CreateSession(ctx, classroom.Session{ClassID: class.ID, Title: "Bench", Mode: classroom.ModeQA},
		class.Roster)
	if err != nil {
		return nil, err
	}
	rt, err := agents.New(agents.Options{
		Log: st, Leases: st, Classes: st, Holder: "bench",
		Model: func(context.Context, classroom.Class, classroom.Agent) llm.Model { return llmtest.New() },
	})
	if err != nil {
		return nil, err
	}
	w, err := web.New(web.Options{
		Logger: slog.New(slog.DiscardHandler), Log: st, Runner: rt, Classes: st, Reviews: st, Sessions: st,
		Materials: st,
		People:    st, Memberships: st, Links: st, Models: st, Settings: st,
		Generate: generateNothing, Logins: st.Logins(), Token: token,
	})
	if err != nil {
		return nil, err
	}
	start := []classroom.Draft{
		{Exchange: 1, Payload: classroom.UserMessage{Text: "Go.", Delivery: classroom.Prompt}},
		{Exchange: 1, Attempt: 1, Payload: classroom.RunStart{Prompt: 2}},
		{Exchange: 1, Attempt: 1, Agent: "ada", Payload: classroom.AgentStart{Name: "Ms Ada", Role: classroom.Teacher}},
		{Exchange: 1, Attempt: 1, Agent: "ada", Payload: classroom.MessageStart{MessageID: "m"}},
	}
	_, err = st.Append(ctx, session.ID, 0, start...)
	return &server{st, w, session.ID}, err
}

func (s *server) append(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err == nil {
		_, err = s.store.Append(r.Context(), s.session, 0, delta(1, string(text)))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func delta(exchange int, text string) classroom.Draft {
	return classroom.Draft{
		Exchange: exchange,
		Attempt:  1,
		Agent:    "ada",
		Payload:  classroom.MessageUpdate{MessageID: "m", Kind: classroom.BlockText, Delta: text},
	}
}

// fill appends finished exchanges of 100 events each.
func (s *server) fill(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("n"))
	for x := 2; err == nil && n > 0; x++ {
		drafts := exchange(x)
		n -= len(drafts)
		_, err = s.store.Append(r.Context(), s.session, 0, drafts...)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func exchange(x int) []classroom.Draft {
	in := func(p classroom.Payload) classroom.Draft {
		return classroom.Draft{Exchange: x, Attempt: 1, Agent: "ada", Payload: p}
	}
	text := "Leaves are green because *chlorophyll* reflects green light. "
	drafts := []classroom.Draft{
		{Exchange: x, Payload: classroom.UserMessage{Text: "Why are leaves green?", Delivery: classroom.Prompt}},
		{Exchange: x, Attempt: 1, Payload: classroom.RunStart{}},
		in(classroom.AgentStart{Name: "Ms Ada", Role: classroom.Teacher}),
		in(classroom.TurnStart{Turn: 1}), in(classroom.MessageStart{MessageID: "m"}),
	}
	whole := ""
	for range 91 {
		drafts = append(drafts, in(classroom.MessageUpdate{MessageID: "m", Kind: classroom.BlockText, Delta: text}))
		whole += text
	}
	return append(drafts,
		in(classroom.MessageEnd{
			MessageID: "m", Blocks: []classroom.Block{{Kind: classroom.BlockText, Text: whole}},
			StopReason: classroom.StopEnd,
		}),
		in(classroom.TurnEnd{Turn: 1, StopReason: classroom.StopEnd}),
		in(classroom.AgentEnd{StopReason: classroom.StopEnd, Turns: 1}),
		classroom.Draft{Exchange: x, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Completed}},
	)
}
