// Package web answers requests: pages, forms, the JSON API and sign-in.
//
// # Streams
//
// A handler that opens a stream decides who may read it and from which cursor.
// Package web/live sends it, once the handler has returned. Its package comment
// says in which order events and patches are delivered, and what happens to slow
// readers.
//
// # Concurrency
//
// A [Server] is used by any number of goroutines. One goroutine, the one that
// net/http gave the request, owns each response. [Server.CloseStreams] ends all
// streams and waits for the goroutines that feed them.
//
// # Not here
//
// No database, no model and no run: package cmd connects this package with
// packages store and agents through the interfaces of [Options].
package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"colloquy/web/live"

	"github.com/alexedwards/scs/v2"
	"github.com/gorilla/sessions"
)

// A Server answers requests. Make one with [New].
type Server struct {
	opt     Options
	logger  *slog.Logger
	logins  *scs.SessionManager
	cookies *sessions.CookieStore
	signIn  sync.Mutex // one use of the sign-in link at a time
	live    *live.Hub
	metrics *metrics
	handler http.Handler
}

// New returns a server. It reads or makes the cookie keys in the settings.
func New(opt Options) (*Server, error) {
	opt = opt.withDefaults()
	if err := opt.check(); err != nil {
		return nil, err
	}
	s := &Server{
		opt: opt, logger: opt.Logger,
		metrics: newMetrics(append(opt.Collectors, indexGauges(opt.Indexing)...)),
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	var err error
	if s.cookies, err = newCookies(ctx, opt); err != nil {
		return nil, fmt.Errorf("make cookie keys: %w", err)
	}
	s.logins = newLogins(opt)
	s.live = live.NewHub(live.Options{
		Log: opt.Log, Logger: opt.Logger, Lists: s.classNavs, ListsChanged: opt.Log.ListsChanged,
		Decide: s.decideAgain, RightsChanged: opt.Memberships.RightsChanged,
		Meter: s.metrics, Heartbeat: opt.Heartbeat, FrameLimit: opt.FrameLimit,
	})
	s.handler = s.handlerOf(s.table())
	return s, nil
}

// Handler returns the handler of every route.
func (s *Server) Handler() http.Handler { return s.handler }

// CloseStreams ends every stream with a bye frame that gives the reason, and
// waits until they and the goroutines that feed them have ended. What does not
// end is logged and left behind. Streams that are opened afterwards are refused
// with 503.
func (s *Server) CloseStreams(reason string) { s.live.Close(reason) }
