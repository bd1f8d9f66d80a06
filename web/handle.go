package web

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"colloquy/classroom"
)

// A handlerFunc reads, acts and answers, or returns the error that [Server.fail] answers.
type handlerFunc func(w http.ResponseWriter, r *http.Request) error

// handle makes h a handler: it counts and logs the request, turns a panic into
// an error, and is the only caller of fail.
func (s *Server) handle(pattern string, h handlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		rec := &recorder{ResponseWriter: w}
		if err := s.protect(h, rec, r); err != nil {
			s.fail(rec, r, err)
		}
		s.metrics.requests.WithLabelValues(pattern, statusText(rec.status)).Inc()
		s.log.LogAttrs(r.Context(), slog.LevelInfo, "request",
			slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", rec.status),
			slog.Int64("bytes", rec.bytes), slog.Duration("took", time.Since(began)))
	})
}

// protect runs h and returns its panic as an error, apart from the one by which
// a handler asks net/http to drop the connection.
func (s *Server) protect(h handlerFunc, w *recorder, r *http.Request) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.log.ErrorContext(r.Context(), "handler failed", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		err = classroom.ErrInternal
	}()
	return h(w, r)
}

// wrap puts what every answer shares around the routes.
func (s *Server) wrap(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(s.handle("cross-site", func(http.ResponseWriter, *http.Request) error {
		return classroom.ErrCrossSite
	}))
	return headers(cross.Handler(next))
}

const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; " +
	"base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

// headers sets what keeps a page from running or framing what is not ours.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// A recorder remembers what was answered. It unwraps, so that a
// ResponseController reaches Flush and the deadlines.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

type callerKey struct{}

// signedIn lets only people with a login or the token through.
func (s *Server) signedIn(h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		c, err := s.identify(r)
		if err != nil {
			return err
		}
		return h(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, c)))
	}
}

// who returns the caller of a request that [Server.signedIn] let through.
func who(r *http.Request) caller { return r.Context().Value(callerKey{}).(caller) }
