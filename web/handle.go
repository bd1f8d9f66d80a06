package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"colloquy/classroom"
	"colloquy/web/live"
)

// A handlerFunc reads, acts and answers, or returns the error that [Server.fail] answers.
type handlerFunc func(w http.ResponseWriter, r *http.Request) error

// serve answers a request. A stream that its handler opened is carried by a
// goroutine of its own where its connection can be detached from the request, and
// else here, at the bottom of the stack: an idle stream then holds less memory.
func (s *Server) serve(routes http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w, began: time.Now()}
		if r.ContentLength != 0 { // so that a client that stops sending does not block the handler
			_ = http.NewResponseController(w).SetReadDeadline(rec.began.Add(s.opt.BodyLimit))
		}
		routes.ServeHTTP(rec, r)
		if st := rec.stream; st != nil {
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // it was for the request's body
			if st.Detach() {
				rec.ResponseWriter = detachedWriter{} // so that the request's buffers are freed
				go s.carry(rec, st)
				return
			}
			s.carry(rec, st)
		}
	})
}

// carry carries a stream to its end. The hub waits for it at a shutdown.
func (s *Server) carry(rec *recorder, st *live.Stream) {
	err := s.recoverPanic(st.Request(), st.Carry)
	rec.bytes += st.BytesSent()
	s.finish(rec, st.Request(), err)
}

// A detachedWriter stands for the response of a detached stream.
type detachedWriter struct{ http.ResponseWriter }

// handle returns h as a handler, for use below [Server.serve].
func (s *Server) handle(h handlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := w.(*recorder)
		if err := s.recoverPanic(r, func() error { return h(rec, r) }); err != nil || rec.stream == nil {
			rec.stream = nil
			s.finish(rec, r, err)
		}
	})
}

// finish answers a request that failed, and counts and logs every request.
func (s *Server) finish(rec *recorder, r *http.Request, err error) {
	if err != nil {
		s.fail(rec, r, err)
	}
	s.metrics.requests.WithLabelValues(r.Pattern, statusText(rec.status)).Inc()
	s.logger.LogAttrs(r.Context(), slog.LevelInfo, "request",
		slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", rec.status),
		slog.Int64("bytes", rec.bytes), slog.Duration("took", time.Since(rec.began)))
}

// recoverPanic calls do and returns a panic as an error. http.ErrAbortHandler, which
// has net/http close the connection, is passed on.
func (s *Server) recoverPanic(r *http.Request, do func() error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.logger.ErrorContext(r.Context(), "handler failed",
			slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		err = classroom.ErrInternal
	}()
	return do()
}

// wrap adds what all routes share: panics, logs, headers, and the check for requests
// from other sites.
func (s *Server) wrap(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(s.handle(func(http.ResponseWriter, *http.Request) error {
		return classroom.ErrCrossSite
	}))
	return s.serve(headers(cross.Handler(next)))
}

const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; " +
	"base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

// headers sets the headers that protect pages against foreign scripts and frames.
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

// A recorder notes the status and size of an answer. Unwrap makes Flush and the
// deadlines available to a ResponseController.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	began  time.Time
	stream *live.Stream // opened by the handler; serve carries it
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

func statusText(status int) string {
	if status == 0 {
		return "200"
	}
	return strconv.Itoa(status)
}
