package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
)

var (
	_ scs.Store            = (*Logins)(nil)
	_ scs.CtxStore         = (*Logins)(nil)
	_ scs.IterableCtxStore = (*Logins)(nil)
)

func TestLogins(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := s.Logins()
	err = errors.Join(l.Commit("short", []byte("a"), now.Add(time.Minute)), l.Commit("long", nil, now.Add(time.Hour)),
		l.Commit("long", []byte("b"), now.Add(time.Hour)))
	if err != nil {
		t.Fatal(err)
	}
	find := func(token, data string, want bool) {
		t.Helper()
		b, ok, err := l.Find(token)
		if err != nil || ok != want || string(b) != data {
			t.Errorf("login %s is %q, %v, %v, want %q, %v", token, b, ok, err, data, want)
		}
	}
	find("short", "a", true)
	find("long", "b", true)
	find("never", "", false)
	now = now.Add(time.Minute)
	find("short", "", false)
	if all, err := l.AllCtx(t.Context()); err != nil || len(all) != 1 || !bytes.Equal(all["long"], []byte("b")) {
		t.Errorf("all logins are %v, %v", all, err)
	}
	if err := l.deleteExpired(t.Context()); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM logins`).Scan(&n); err != nil || n != 1 {
		t.Errorf("%d logins are kept, %v, want 1", n, err)
	}
	if err := errors.Join(l.Delete("long"), l.Delete("never")); err != nil {
		t.Error(err)
	}
	find("long", "", false)
	if all, err := l.AllCtx(t.Context()); err != nil || all == nil || len(all) != 0 {
		t.Errorf("all logins are %v, %v, want an empty map", all, err)
	}
}

// A login that is used again lasts until its new expiry, longer or shorter.
func TestLoginLastsUntilItsLastExpiry(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l, hour, day := s.Logins(), now.Add(time.Hour), now.Add(24*time.Hour)
	err = errors.Join(l.Commit("longer", nil, hour), l.Commit("longer", nil, day),
		l.Commit("shorter", nil, day), l.Commit("shorter", nil, hour))
	if err != nil {
		t.Fatal(err)
	}
	now = hour.Add(time.Minute)
	for token, want := range map[string]bool{"longer": true, "shorter": false} {
		if _, found, err := l.Find(token); err != nil || found != want {
			t.Errorf("after an hour the login %s is there: %v, %v, want %v", token, found, err, want)
		}
	}
}

// TestSessionManager signs somebody in, over two starts of the program.
func TestSessionManager(t *testing.T) {
	dir := t.TempDir()
	var cookie *http.Cookie
	for start := range 2 {
		s := openStore(t, dir)
		m := scs.New()
		m.Store, m.HashTokenInStore = s.Logins(), true
		h := m.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if start == 0 {
				m.Put(r.Context(), "person", "zoe")
			}
			fmt.Fprint(w, m.GetString(r.Context(), "person"))
		}))
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		if cookie != nil {
			r.AddCookie(cookie)
		}
		h.ServeHTTP(w, r)
		if w.Body.String() != "zoe" {
			t.Errorf("start %d: signed in as %q", start, w.Body)
		}
		if start == 0 {
			cookie = w.Result().Cookies()[0]
			if _, ok, err := s.Logins().FindCtx(context.Background(), cookie.Value); ok || err != nil {
				t.Error("the file holds the token itself, not its hash")
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
