package live

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live/livetest"
)

// A socket is the connection of a reader. Once it has a first frame, its writes or its
// flushes wait until the gate is closed.
type socket struct {
	gate, blocked, met chan struct{}
	moment             string // "write" or "flush"; empty for a reader that takes everything
	first              string // is in the frame before it stalls
	waitsFor           string // met is closed when this comes
	once, onceMet      sync.Once
	header             http.Header
	out                bytes.Buffer
}

func newSocket(moment, first, waitsFor string) *socket {
	return &socket{gate: make(chan struct{}), blocked: make(chan struct{}), met: make(chan struct{}),
		moment: moment, first: first, waitsFor: waitsFor, header: http.Header{}}
}

func (s *socket) Header() http.Header              { return s.header }
func (s *socket) WriteHeader(int)                  {}
func (s *socket) SetWriteDeadline(time.Time) error { return nil }
func (s *socket) Flush()                           { s.stop("flush") }

func (s *socket) Write(b []byte) (int, error) {
	s.stop("write")
	s.out.Write(b)
	if bytes.Contains(s.out.Bytes(), []byte(s.waitsFor)) {
		s.onceMet.Do(func() { close(s.met) })
	}
	return len(b), nil
}

func (s *socket) stop(moment string) {
	if s.moment == moment && bytes.Contains(s.out.Bytes(), []byte(s.first)) {
		s.once.Do(func() { close(s.blocked) })
		<-s.gate
	}
}

// TestStalledReaderHoldsNobody: while a reader takes nothing, another one receives
// what is appended, and pages are rendered. Promise 8, for both kinds of stream.
func TestStalledReaderHoldsNobody(t *testing.T) {
	for _, kind := range []string{"json", "page"} {
		for _, moment := range []string{"write", "flush"} {
			t.Run(kind+"/"+moment, func(t *testing.T) { holdsNobody(t, kind, moment) })
		}
	}
}

func holdsNobody(t *testing.T, kind, moment string) {
	events := livetest.Scripted(1, 2)
	last := len(events) - 1
	log := livetest.NewMemLog(events[:last]...)
	never := make(chan struct{})
	hub := NewHub(Options{
		Log: log, Logger: slog.New(slog.DiscardHandler), Meter: noMeter{}, Heartbeat: time.Hour, FrameLimit: time.Hour,
		Lists:        func(context.Context) ([]templates.ClassNav, error) { return nil, nil },
		ListsChanged: func() <-chan struct{} { return never },
		Decide:       func(*http.Request) Decision { return Decision{} },
	})
	session := classroom.Session{ID: "s1", ClassID: "c", Head: events[last-1].ID}
	carry := func(s *socket) {
		open := hub.Events
		if kind == "page" {
			open = hub.Page
		}
		c := Client{Writer: s, Request: httptest.NewRequest("GET", "/", nil)}
		if st, err := open(c, session, 1); err != nil {
			t.Error(err)
		} else if err := st.Carry(); err != nil {
			t.Error(err)
		}
	}
	first := map[string]string{"write": "event: connected", "flush": "event: caught_up"}[moment]
	stalled := newSocket(moment, first, "\n\n")
	healthy := newSocket("", "", fmt.Sprintf("id: %d\n", events[last].ID))
	var streams sync.WaitGroup
	streams.Go(func() { carry(stalled) })
	defer func() {
		close(stalled.gate)
		hub.Close("shutdown")
		streams.Wait()
	}()
	within(t, "the reader that stalls", stalled.blocked)
	streams.Go(func() { carry(healthy) })
	log.Add(events[last])
	within(t, "the event at the other reader", healthy.met)
	rendered := make(chan struct{})
	go func() {
		if err := hub.View(context.Background(), "s1", Reader{}, func(*SessionView) {}); err != nil {
			t.Error(err)
		}
		close(rendered)
	}()
	within(t, "a page", rendered)
}
