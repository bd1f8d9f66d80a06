package web

import (
	"net/http"

	"colloquy/templates/locale"
)

// withLanguage gives a request the language in which it is answered: the one chosen in
// this browser, or else the one that it asks for.
func (s *Server) withLanguage(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		chosen := ""
		if _, err := r.Cookie(prefsCookie); err == nil {
			chosen, _ = s.prefs(r).Values["language"].(string)
		}
		l := locale.Match(chosen, r.Header.Get("Accept-Language"))
		if l != locale.English() { // without a value in its context, an idle stream holds less
			r = r.WithContext(locale.With(r.Context(), l))
		}
		next.ServeHTTP(w, r)
	})
}
