// Package web is the door: pages, forms, the JSON API and the streams.
//
// # Order and delivery
//
// A stream carries a session's log to one reader. The JSON stream delivers each
// event after the reader's cursor exactly once and in order, and only events
// that the log already holds; the HTML stream brings a page from the fold at
// the reader's cursor to the fold at the head. A stream that ends says nothing
// about a run: a reader comes back with its cursor and goes on.
//
// # Slow readers
//
// A stream holds no queue of its own. Readers at the tail share the bytes of a
// bounded ring; a reader that the ring has left behind is read from the log
// (JSON) or brought up to date from the fold (HTML). A reader that takes no
// byte for 30 s is cut.
//
// # Concurrency
//
// A [Server] is used by any number of goroutines. One goroutine, the one that
// net/http gave the request, owns each response. The goroutines that follow
// logs are the server's; [Server.CloseStreams] ends them and waits.
//
// # Not here
//
// No database, no model and no run: package cmd joins this package with
// packages store and agents through the interfaces of [Options].
package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gorilla/sessions"
)

// A Server answers requests. Make one with [New].
type Server struct {
	opt        Options
	log        *slog.Logger
	logins     *scs.SessionManager
	cookies    *sessions.CookieStore
	signIn     sync.Mutex // one use of the sign-in link at a time
	beat       *pulse
	feeds      *feeds
	projectors *projectors
	board      *board
	open       *streams
	metrics    *metrics
	handler    http.Handler
}

// New returns a server. It reads or makes the cookie keys in the settings.
func New(opt Options) (*Server, error) {
	opt = opt.withDefaults()
	if err := opt.check(); err != nil {
		return nil, err
	}
	s := &Server{opt: opt, log: opt.Slog, metrics: newMetrics(append(opt.Collectors, indexGauges(opt.Indexing)...))}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	var err error
	if s.cookies, err = newCookies(ctx, opt); err != nil {
		return nil, fmt.Errorf("make cookie keys: %w", err)
	}
	s.logins = newLogins(opt)
	s.beat = newPulse(opt.Heartbeat)
	s.feeds = newFeeds(opt.Log, opt.Slog)
	s.projectors = newProjectors(opt.Log, opt.Slog)
	s.board = newBoard(opt, s.classNavs)
	s.open = newStreams()
	s.handler = s.routes()
	return s, nil
}

// Handler returns the handler of every route.
func (s *Server) Handler() http.Handler { return s.handler }

// CloseStreams ends every stream with a bye frame that gives the reason, and
// waits until they and the goroutines that feed them have ended. Streams that
// are opened afterwards are refused with 503.
func (s *Server) CloseStreams(reason string) {
	s.open.closeAll(reason)
	s.feeds.close()
	s.projectors.close()
	s.board.close()
	s.beat.stop()
}
