package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"colloquy/classroom"
)

const formBytes = 64 << 10

// parseForm reads a form of at most limit bytes.
func parseForm(w http.ResponseWriter, r *http.Request, limit int64) error {
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if err := r.ParseForm(); err != nil {
		return formError(err)
	}
	return nil
}

// formError says that a form could not be read.
func formError(err error) error {
	if tooLarge(err) {
		return fmt.Errorf("read form: %w", err)
	}
	return fmt.Errorf("read form: %w: %w", classroom.ErrBadRequest, err)
}

// A benchNote is what a page says of a form that was not taken.
type benchNote struct {
	status       int
	draft, error string
}

// wordsOf is what a person is told of err, or err itself where that is no matter for them.
func wordsOf(err error) (message string, status int, rest error) {
	e, expected := visible(err)
	if !expected || e == classroom.ErrNotFound || e == classroom.ErrSignIn {
		return "", 0, err
	}
	return e.Message, e.HTTPStatus(), nil
}

// pageWords is wordsOf for a form whose page is shown again with them; what asks
// for no page gets err itself.
func pageWords(r *http.Request, err error) (message string, status int, rest error) {
	if fromHTMX(r) || wantsJSON(r) {
		return "", 0, err
	}
	return wordsOf(err)
}

// done answers a form that was carried out: a browser goes to the page, a script
// knows enough.
func done(w http.ResponseWriter, r *http.Request, page string) error {
	if fromHTMX(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
	return nil
}

// goTo leads both a browser and a script to a page.
func goTo(w http.ResponseWriter, r *http.Request, page string) error {
	if fromHTMX(r) {
		w.Header().Set("HX-Redirect", page)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
	return nil
}

// local returns a path of ours to lead to: never another site's.
func local(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, "\\") {
		return "/"
	}
	return u.RequestURI()
}

// cameFrom is the page of ours that a form stood on.
func cameFrom(r *http.Request, otherwise string) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host || u.Path == "" {
		return otherwise
	}
	return local(u.RequestURI())
}
