package web

import (
	"bytes"
	"encoding/json"
	"net/http"

	"colloquy/templates/locale"

	"github.com/a-h/templ"
)

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the only error left is a reader that has gone
}

func accepted(w http.ResponseWriter) {
	writeJSON(w, http.StatusAccepted, struct{}{})
}

// text returns the text of key in the language of a request.
func text(r *http.Request, key string, values ...any) string {
	return locale.Text(r.Context(), key, values...)
}

func writeText(w http.ResponseWriter, status int, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
	return nil
}

// writePage writes a page in the language of the request. It renders the page first, so
// that an error leaves no half page.
func writePage(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(r.Context(), &b); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}
