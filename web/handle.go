package web

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"colloquy/web/live"
)

// A handlerFunc reads, acts and answers, or returns the error that [Server.fail] answers.
type handlerFunc func(w http.ResponseWriter, r *http.Request) error

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

// A recorder notes the status and size of an answer. Unwrap makes Flush and the
// deadlines available to a ResponseController.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	began  time.Time
	stream *live.Stream // opened by the handler; serveStreams runs it
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
