package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

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

func writeText(w http.ResponseWriter, status int, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
	return nil
}

// writePage writes a page. It renders the page first, so that an error leaves no half page.
func writePage(w http.ResponseWriter, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(context.Background(), &b); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}
