package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// health reports that the process runs.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) error {
	return writeText(w, http.StatusOK, "ok")
}

// ready reports whether the database answers.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	ctx, stop := context.WithTimeout(r.Context(), 2*time.Second)
	defer stop()
	if err := s.opt.Ready(ctx); err != nil {
		s.logger.ErrorContext(ctx, "not ready", slog.Any("error", err))
		return writeText(w, http.StatusServiceUnavailable, "The database does not answer.")
	}
	return writeText(w, http.StatusOK, "ready")
}
