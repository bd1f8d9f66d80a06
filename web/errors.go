package web

import (
	"context"
	"errors"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/templates/locale"
	"colloquy/web/live"
)

// publicError returns the error that users see for err. An error that was not made
// for users is unexpected, and they see [classroom.ErrInternal].
func publicError(err error) (shown *classroom.Error, expected bool) {
	if e, ok := errors.AsType[*classroom.Error](err); ok {
		return e, e.Code != classroom.ErrInternal.Code
	}
	if tooLarge(err) {
		return classroom.ErrTooLarge, true
	}
	return classroom.ErrInternal, false
}

// fail answers a request with its error, and logs an unexpected one. No other
// function does either. Nothing is written if the client has disconnected or the
// answer has begun.
func (s *Server) fail(w *recorder, r *http.Request, err error) {
	if _, left := errors.AsType[live.DisconnectError](err); left {
		return
	}
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return
	}
	e, expected := publicError(err)
	if !expected {
		s.logger.ErrorContext(r.Context(), "request failed", slog.String("path", r.URL.Path), slog.Any("error", err))
	}
	if w.status != 0 {
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case wantsJSON(r):
		failJSON(w, r, e)
	case r.Header.Get("HX-Request") == "true":
		failPart(w, r, e)
	case e == classroom.ErrSignIn && r.Method == http.MethodGet:
		http.Redirect(w, r, loginPath(r.URL), http.StatusSeeOther)
	default:
		s.failPage(w, r, e)
	}
}

func failJSON(w http.ResponseWriter, r *http.Request, e *classroom.Error) {
	if e == classroom.ErrSignIn {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	writeJSON(w, e.HTTPStatus(), map[string]any{"error": errorBody(r, e)})
}

// failPart answers htmx with a sentence that it shows in the page. If the login has
// expired, htmx is sent to the login page, which leads back.
func failPart(w http.ResponseWriter, r *http.Request, e *classroom.Error) {
	if e == classroom.ErrSignIn {
		from, err := url.Parse(r.Header.Get("HX-Current-URL"))
		if err != nil || from.Path == "" {
			from = &url.URL{Path: "/"}
		}
		w.Header().Set("HX-Redirect", loginPath(from))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(e.HTTPStatus())
	_, _ = w.Write([]byte(`<p class="error-message">` + html.EscapeString(sentence(r, e)) + "</p>"))
}

func (s *Server) failPage(w http.ResponseWriter, r *http.Request, e *classroom.Error) {
	page := templates.Problem{
		Page: s.page(w, r, text(r, "page.problem")), Status: e.HTTPStatus(), Message: sentence(r, e),
	}
	if e == classroom.ErrUsedLink {
		page.Title, page.Login = text(r, "problem.used_link"), true
	}
	if e == classroom.ErrLinkEnded {
		page.Title, page.Final = text(r, "problem.link_ended"), true
	}
	if err := writePage(w, r, page.Status, templates.ProblemPage(page)); err != nil {
		s.logger.ErrorContext(r.Context(), "show problem", slog.Any("error", err))
	}
}

// loginPath returns the path of the login page, which leads back to from.
func loginPath(from *url.URL) string {
	back := url.URL{Path: from.Path, RawQuery: from.RawQuery}
	return "/login?return=" + url.QueryEscape(back.RequestURI())
}

type errorJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func errorBody(r *http.Request, e *classroom.Error) errorJSON {
	return errorJSON{e.Code, sentence(r, e)}
}

// sentence returns the sentence of e in the language of a request.
func sentence(r *http.Request, e *classroom.Error) string { return locale.From(r.Context()).Error(e) }

// notFound answers a request that no route matches: with 405 if the path has a route
// for another method, and with 404 otherwise.
func (s *Server) notFound(m *http.ServeMux) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		var allowed []string
		for _, method := range []string{"GET", "HEAD", "POST", "PATCH", "DELETE"} {
			other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
			if _, pattern := m.Handler(other); pattern != "/" {
				allowed = append(allowed, method)
			}
		}
		if len(allowed) == 0 {
			return classroom.ErrNotFound
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return classroom.ErrMethod
	}
}
