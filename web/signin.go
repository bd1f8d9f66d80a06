package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"colloquy/classroom"
	"colloquy/templates"

	"github.com/alexedwards/scs/v2"
)

const signInKey = "sign_in_token_hash"

// SignInLink creates the one-time link by which the first person becomes the owner,
// and returns its path. It invalidates the link that was created before. If there is
// an owner already, it creates a link only if again is true, which signs the owner
// in; otherwise ok is false.
func (s *Server) SignInLink(ctx context.Context, again bool) (path string, ok bool, err error) {
	s.signIn.Lock()
	defer s.signIn.Unlock()
	_, owned, err := s.opt.People.Owner(ctx)
	if err != nil || owned && !again {
		return "", false, err
	}
	token := strings.ToLower(rand.Text())
	if err := s.opt.Settings.SetSetting(ctx, signInKey, hashOf(token)); err != nil {
		return "", false, fmt.Errorf("store sign-in link: %w", err)
	}
	return "/signin?token=" + token, true, nil
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// useSignInLink makes the person who opens the link the owner. A HEAD request, with
// which mail and chat programs check links, does not use it up.
func (s *Server) useSignInLink(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return nil
	}
	if s.hasAccount(r) {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return nil
	}
	owner, err := s.becomeOwner(r.Context(), r.URL.Query().Get("token"))
	if err != nil {
		return err
	}
	if err := s.logIn(w, r, owner); err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// hasAccount reports whether a request comes from somebody who is signed in and is no
// guest.
func (s *Server) hasAccount(r *http.Request) bool {
	c, err := s.identify(r)
	return err == nil && c.person.Role != classroom.GuestRole
}

func (s *Server) becomeOwner(ctx context.Context, token string) (classroom.Person, error) {
	s.signIn.Lock()
	defer s.signIn.Unlock()
	want, ok, err := s.opt.Settings.Setting(ctx, signInKey)
	if err != nil {
		return classroom.Person{}, fmt.Errorf("read sign-in link: %w", err)
	}
	if !ok || want == "" || subtle.ConstantTimeCompare([]byte(want), []byte(hashOf(token))) != 1 {
		return classroom.Person{}, classroom.ErrUsedLink
	}
	if err := s.opt.Settings.SetSetting(ctx, signInKey, ""); err != nil {
		return classroom.Person{}, fmt.Errorf("use up sign-in link: %w", err)
	}
	owner, owned, err := s.opt.People.Owner(ctx)
	if err != nil || owned {
		return owner, err
	}
	owner = classroom.Person{ID: strings.ToLower(rand.Text())[:16], Name: ownerName, Role: classroom.Owner}
	if owner, err = s.opt.People.CreatePerson(ctx, owner, ""); err != nil {
		return classroom.Person{}, fmt.Errorf("make owner: %w", err)
	}
	return owner, nil
}

// loginPage tells visitors how to sign in.
func (s *Server) loginPage(w http.ResponseWriter, r *http.Request) error {
	back := localPath(r.URL.Query().Get("return"))
	if s.hasAccount(r) {
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
	return writePage(w, r, http.StatusOK, templates.LoginPage(templates.Login{
		Page: s.page(w, r, text(r, "page.sign_in")), Return: back, LinkHint: true,
	}))
}

// newLogins returns the manager of logins. scs.New is not used, since its default
// store starts a goroutine that never ends.
func newLogins(opt Options) *scs.SessionManager {
	return &scs.SessionManager{
		Store:            opt.Logins,
		Codec:            scs.GobCodec{},
		HashTokenInStore: true,
		Lifetime:         30 * 24 * time.Hour,
		Cookie: scs.SessionCookie{
			Name: loginCookie, Path: "/", Persist: true,
			HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: opt.Secure,
		},
	}
}

// logIn creates a login of p with a new token and sets its cookie.
func (s *Server) logIn(w http.ResponseWriter, r *http.Request, p classroom.Person) error {
	return s.startLogin(w, r, map[string]string{personKey: p.ID}, time.Time{})
}

// logout ends the login and its streams, and deletes the cookie.
func (s *Server) logout(w http.ResponseWriter, r *http.Request) error {
	if cookie, err := r.Cookie(loginCookie); err == nil {
		ctx, err := s.logins.Load(r.Context(), cookie.Value)
		if err != nil {
			return fmt.Errorf("load login: %w", err)
		}
		if err := s.logins.Destroy(ctx); err != nil {
			return fmt.Errorf("end login: %w", err)
		}
		s.live.EndLogin(cookie.Value)
	}
	http.SetCookie(w, &http.Cookie{
		Name: loginCookie, Path: "/", MaxAge: -1,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.opt.Secure,
	})
	if wantsJSON(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, "/login", http.StatusSeeOther)
	return nil
}
