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

// serve answers a request. A stream that its handler opened is carried here, at
// the bottom of the stack: an idle stream then holds half the stack that it would
// hold below routes and handlers.
func (s *Server) serve(routes http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w, began: time.Now()}
		if r.ContentLength != 0 { // a body that is only half sent holds nothing up
			_ = http.NewResponseController(w).SetReadDeadline(rec.began.Add(s.opt.BodyLimit))
		}
		routes.ServeHTTP(rec, r)
		if st := rec.stream; st != nil {
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // it ended with the request that opened the stream
			err := s.protect(st.Request(), st.Carry)
			s.answered(rec, st.Request(), err)
		}
	})
}

// handle makes h a handler below [Server.serve].
func (s *Server) handle(h handlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := w.(*recorder)
		if err := s.protect(r, func() error { return h(rec, r) }); err != nil || rec.stream == nil {
			rec.stream = nil
			s.answered(rec, r, err)
		}
	})
}

// answered tells the error of a request, if there is one, and counts and logs it.
func (s *Server) answered(rec *recorder, r *http.Request, err error) {
	if err != nil {
		s.fail(rec, r, err)
	}
	s.metrics.requests.WithLabelValues(r.Pattern, statusText(rec.status)).Inc()
	s.logger.LogAttrs(r.Context(), slog.LevelInfo, "request",
		slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", rec.status),
		slog.Int64("bytes", rec.bytes), slog.Duration("took", time.Since(rec.began)))
}

// protect does what is asked and returns its panic as an error, apart from the
// one by which a handler asks net/http to drop the connection.
func (s *Server) protect(r *http.Request, do func() error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.logger.ErrorContext(r.Context(), "handler failed", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		err = classroom.ErrInternal
	}()
	return do()
}

// wrap puts what every answer shares around the routes.
func (s *Server) wrap(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(s.handle(func(http.ResponseWriter, *http.Request) error {
		return classroom.ErrCrossSite
	}))
	return s.serve(headers(cross.Handler(next)))
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
	began  time.Time
	stream *live.Stream // opened by the handler, to be carried once it has returned
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
