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
		return badForm(err)
	}
	return nil
}

// badForm is the error for a form that could not be read.
func badForm(err error) error {
	if tooLarge(err) {
		return fmt.Errorf("read form: %w", err)
	}
	return fmt.Errorf("read form: %w: %w", classroom.ErrBadRequest, err)
}

// A formProblem is what a page shows after its form was refused: the status, what
// was typed, and the error.
type formProblem struct {
	status       int
	draft, error string
	newLink      string // that a form of the page made
	linkError    string // why it made none
}

// userMessage returns the sentence and status for err, or err if it is not for
// users. A missing page and a missing login have pages of their own, so their errors
// are returned too.
func userMessage(r *http.Request, err error) (message string, status int, rest error) {
	e, expected := publicError(err)
	if !expected || e == classroom.ErrNotFound || e == classroom.ErrSignIn {
		return "", 0, err
	}
	return sentence(r, e), e.HTTPStatus(), nil
}

// formError returns the sentence and status with which a form's page is shown again.
// It returns err for a request that expects no page.
func formError(r *http.Request, err error) (message string, status int, rest error) {
	if fromHTMX(r) || wantsJSON(r) {
		return "", 0, err
	}
	return userMessage(r, err)
}

// redirectBrowser answers a form that succeeded by sending a browser to a page. htmx
// stays where it is: the page is updated by its stream.
func redirectBrowser(w http.ResponseWriter, r *http.Request, page string) error {
	if fromHTMX(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
	return nil
}

// redirect sends a browser and htmx to a page.
func redirect(w http.ResponseWriter, r *http.Request, page string) error {
	if fromHTMX(r) {
		w.Header().Set("HX-Redirect", page)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
	return nil
}

// localPath returns path if it is on this site, and otherwise "/".
func localPath(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/") {
		return "/"
	}
	if strings.HasPrefix(path, "//") || strings.Contains(path, "\\") { // browsers take both for another host
		return "/"
	}
	return u.RequestURI()
}

// cameFrom returns the path of the page that sent a form, from its Referer.
func cameFrom(r *http.Request, otherwise string) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host || u.Path == "" {
		return otherwise
	}
	return localPath(u.RequestURI())
}
