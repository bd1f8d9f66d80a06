package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"

	"github.com/gorilla/sessions"
)

const (
	prefsCookie = "colloquy_prefs"
	keysKey     = "cookie_keys"
	keyBytes    = 32
)

// newCookies returns the store of what is only this browser's: theme, text size
// and a notice. It says who nobody is. Its keys are made once and kept.
func newCookies(ctx context.Context, opt Options) (*sessions.CookieStore, error) {
	keys, err := cookieKeys(ctx, opt.Settings)
	if err != nil {
		return nil, err
	}
	store := sessions.NewCookieStore(keys[:keyBytes], keys[keyBytes:])
	// The library's own defaults are SameSite=None and Secure, which a class on
	// plain HTTP would never get back.
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
		return nil, fmt.Errorf("keep %s: %w", keysKey, err)
	}
	return keys, nil
}
