package web

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"colloquy/classroom"
)

// hashedLogin is a login's key in the store, as scs hashes it.
func hashedLogin(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (w *webServer) stranger() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Jar: jar, Transport: w.http.Client().Transport}
}

// The sign-in link makes the first visitor the owner, and works once.
func TestSignInLinkWorksOnce(t *testing.T) {
	w := newWebServer(t)
	path, ok, err := w.web.SignInLink(t.Context(), false)
	if err != nil || !ok {
		t.Fatal(err)
	}
	old := path
	if path, _, err = w.web.SignInLink(t.Context(), false); err != nil || path == old {
		t.Fatalf("the next link is %s, %v", path, err)
	}
	if resp := w.request("GET", old, "", "Authorization: "); resp.StatusCode != 403 {
		t.Errorf("a replaced link: %d", resp.StatusCode)
	}
	if resp := w.request("HEAD", path, "", "Authorization: "); resp.StatusCode != 200 {
		t.Errorf("a look at the link: %d", resp.StatusCode)
	}
	var won atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if status, body := get(t, w.stranger(), w.http.URL+path); status == 200 &&
				strings.Contains(body, `action="/ask"`) {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of eight became the owner", won.Load())
	}
	if _, ok, err := w.web.SignInLink(t.Context(), false); ok || err != nil {
		t.Errorf("with an owner there is a link: %v %v", ok, err)
	}
	if p, ok, err := w.store.Owner(t.Context()); !ok || err != nil || p.Role != classroom.Owner {
		t.Errorf("the owner is %+v, %v", p, err)
	}
}

// The login cookie contains no data, is sent to this site only, and is stored hashed.
func TestLoginCookie(t *testing.T) {
	w := newWebServer(t)
	path, _, _ := w.web.SignInLink(t.Context(), false)
	resp := w.request("GET", path, "", "Authorization: ")
	resp.Body.Close()
	cookies := resp.Cookies()
	if len(cookies) != 1 {
		t.Fatalf("cookies %v", cookies)
	}
	c := cookies[0]
	if c.Name != loginCookie || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Secure || c.MaxAge <= 0 {
		t.Errorf("cookie %+v", c)
	}
	if _, found, err := w.store.Logins().Find(c.Value); found || err != nil {
		t.Errorf("the token itself is in the store: %v", err)
	}
	if _, found, err := w.store.Logins().Find(hashedLogin(c.Value)); !found || err != nil {
		t.Errorf("the login is not in the store: %v", err)
	}
}

// The API token acts as the owner, also before anybody has signed in.
func TestTokenActsAsOwner(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	if status, body := w.ask("POST", "/api/sessions/"+id+"/messages", `{"text":"hello"}`); status != 202 ||
		!strings.Contains(body, `"delivery":"prompt"`) {
		t.Fatalf("%d %s", status, body)
	}
	if notes := w.runner.notes(); len(notes) != 1 || notes[0] != "send Owner: hello" {
		t.Errorf("sent %v", notes)
	}
	for _, token := range []string{"", "x", testToken + "x", testToken[1:]} {
		if status, body := w.ask("GET", "/api/sessions", "", "Authorization: Bearer "+token); status != 401 ||
			!strings.Contains(body, `"sign_in"`) {
			t.Errorf("token %q: %d %s", token, status, body)
		}
	}
	noToken := newWebServer(t, func(o *Options) { o.Token = "" })
	if status, _ := noToken.ask("GET", "/api/sessions", "", "Authorization: Bearer "); status != 401 {
		t.Errorf("no token is set and the empty one is taken: %d", status)
	}
}

// The login page never redirects to another site.
func TestLocalPaths(t *testing.T) {
	for path, want := range map[string]string{
		"/sessions/a?x=1": "/sessions/a?x=1", "//evil.example/": "/",
		"https://evil.example": "/", "javascript:alert(1)": "/",
		"/\\evil.example": "/", "": "/", "/\nevil": "/", "sessions": "/",
	} {
		if got := localPath(path); got != want {
			t.Errorf("local(%q) = %q, want %q", path, got, want)
		}
	}
	w := newWebServer(t)
	client := w.browser()
	resp, err := client.Get(w.http.URL + "/login?return=" + url.QueryEscape("//evil.example/x"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got := resp.Request.URL.String(); got != w.http.URL+"/" {
		t.Errorf("led to %s", got)
	}
}

// Theme and text size are kept in a cookie that a browser returns over plain HTTP and
// that stays valid after a restart of the server.
func TestPrefs(t *testing.T) {
	w := newWebServer(t)
	client := w.browser()
	resp, err := client.PostForm(w.http.URL+"/prefs", url.Values{"theme": {"dark"}, "return": {"/settings"}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.Request.URL.Path != "/settings" {
		t.Errorf("led to %s", resp.Request.URL)
	}
	more, err := client.PostForm(w.http.URL+"/prefs", url.Values{"text": {"large"}, "theme": {"\"><script>"}})
	if err != nil {
		t.Fatal(err)
	}
	more.Body.Close()
	again, err := New(w.web.opt)
	if err != nil {
		t.Fatal(err)
	}
	defer again.CloseStreams("shutdown")
	w.http.Config.Handler = again.Handler()
	_, page := get(t, client, w.http.URL+"/settings")
	if !strings.Contains(page, `data-theme="dark"`) || !strings.Contains(page, `data-text="large"`) {
		t.Error("the page does not follow the choice")
	}
	for _, c := range resp.Cookies() {
		if c.Name == prefsCookie && (c.SameSite != http.SameSiteLaxMode || !c.HttpOnly || c.Secure) {
			t.Errorf("cookie %+v", c)
		}
	}
}

func TestOwnerGetsAnotherLink(t *testing.T) {
	w := newWebServer(t)
	w.browser()
	path, ok, err := w.web.SignInLink(t.Context(), true)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	resp := w.request("GET", path, "", "Authorization: ")
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther {
		t.Fatal(resp.StatusCode)
	}
	if code, body := w.ask("GET", path, "", "Authorization: "); code != 403 ||
		!strings.Contains(body, "This link has been used") ||
		!strings.Contains(body, `href="/login"`) {
		t.Fatal(code, body)
	}
}
