package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"

	"colloquy/templates"
	"colloquy/templates/locale"

	"github.com/gorilla/sessions"
)

const (
	prefsCookie = "colloquy_prefs"
	keysKey     = "cookie_keys"
	keyBytes    = 32
)

// prefsOf returns the preferences of a browser, and the notice to show. It removes the
// notice, so that it is shown once.
func (s *Server) prefsOf(w http.ResponseWriter, r *http.Request) (templates.Prefs, string) {
	kept := s.prefs(r)
	theme, _ := kept.Values["theme"].(string)
	text, _ := kept.Values["text"].(string)
	language, _ := kept.Values["language"].(string)
	notice, _ := kept.Values["notice"].(string)
	if notice != "" {
		delete(kept.Values, "notice")
		_ = kept.Save(r, w) // at worst the notice is shown twice
	}
	return templates.Prefs{Theme: theme, Text: text, Language: language}, notice
}

// flash sets the notice that the browser's next page shows: the text of a key.
func (s *Server) flash(w http.ResponseWriter, r *http.Request, key string, values ...any) {
	s.flashText(w, r, text(r, key, values...))
}

func (s *Server) flashText(w http.ResponseWriter, r *http.Request, notice string) {
	kept := s.prefs(r)
	kept.Values["notice"] = notice
	_ = kept.Save(r, w) // at worst the notice is not shown
}

// prefs returns the data of the browser's cookie; empty data if it cannot be read.
func (s *Server) prefs(r *http.Request) *sessions.Session {
	kept, _ := s.cookies.Get(r, prefsCookie)
	return kept
}

// postPrefs changes the preferences that are in the form.
func (s *Server) postPrefs(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(w, r, 4<<10); err != nil {
		return err
	}
	kept := s.prefs(r)
	for name, known := range map[string][]string{
		"theme":    {"", "light", "dark"},
		"text":     {"", "large", "projector"},
		"language": languageTags(),
	} {
		if value := r.PostForm.Get(name); r.PostForm.Has(name) && slices.Contains(known, value) {
			kept.Values[name] = value
		}
	}
	if err := kept.Save(r, w); err != nil {
		return err
	}
	return redirectBrowser(w, r, localPath(r.PostForm.Get("return")))
}

// newCookies returns the store of preferences: theme, text size, language and a notice,
// in a cookie of one browser. It does not identify anyone. Its keys are created once.
func newCookies(ctx context.Context, opt Options) (*sessions.CookieStore, error) {
	keys, err := cookieKeys(ctx, opt.Settings)
	if err != nil {
		return nil, err
	}
	store := sessions.NewCookieStore(keys[:keyBytes], keys[keyBytes:])
	// With the library's defaults, SameSite=None and Secure, a browser would not return
	// the cookie over plain HTTP.
	store.Options = &sessions.Options{
		Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: opt.Secure,
	}
	store.MaxAge(store.Options.MaxAge)
	return store, nil
}

func cookieKeys(ctx context.Context, settings Settings) ([]byte, error) {
	kept, ok, err := settings.Setting(ctx, keysKey)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", keysKey, err)
	}
	if keys, err := hex.DecodeString(kept); ok && err == nil && len(keys) == 2*keyBytes {
		return keys, nil
	}
	keys := make([]byte, 2*keyBytes)
	rand.Read(keys) // never fails
	if err := settings.SetSetting(ctx, keysKey, hex.EncodeToString(keys)); err != nil {
		return nil, fmt.Errorf("store %s: %w", keysKey, err)
	}
	return keys, nil
}

// languageTags returns the tags of the languages that a browser may choose; the empty
// one leaves it to what the browser asks for.
func languageTags() []string {
	tags := []string{""}
	for _, l := range locale.Languages() {
		tags = append(tags, l.Tag)
	}
	return tags
}
