package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"colloquy/classroom"
	"colloquy/web/live"
)

// middleware adds what all routes share: panics, logs, headers, and the check for
// requests from other sites.
func (s *Server) middleware(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(s.toHandler(func(http.ResponseWriter, *http.Request) error {
		return classroom.ErrCrossSite
	}))
	return s.serveStreams(s.withLanguage(headers(cross.Handler(next))))
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

// serveStreams answers a request. A stream that its handler opened is run by a
// goroutine of its own where its connection can be detached from the request, and
// else here, at the bottom of the stack: an idle stream then holds less memory.
func (s *Server) serveStreams(routes http.Handler) http.Handler {
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
				go s.runStream(rec, st)
				return
			}
			s.runStream(rec, st)
		}
	})
}

// runStream runs a stream to its end. The hub waits for it at a shutdown.
func (s *Server) runStream(rec *recorder, st *live.Stream) {
	err := s.recoverPanic(st.Request(), st.Carry)
	rec.bytes += st.BytesSent()
	s.finish(rec, st.Request(), err)
}

// A detachedWriter stands for the response of a detached stream.
type detachedWriter struct{ http.ResponseWriter }

// toHandler returns h as a handler, for use below [Server.serveStreams].
func (s *Server) toHandler(h handlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := w.(*recorder)
		if err := s.recoverPanic(r, func() error { return h(rec, r) }); err != nil || rec.stream == nil {
			rec.stream = nil
			s.finish(rec, r, err)
		}
	})
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
