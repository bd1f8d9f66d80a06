package web

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/store"
	"colloquy/web/live/livetest"
)

// get returns the status and the body of a page.
func (s *school) get(client *http.Client, path string) (int, string) {
	s.t.Helper()
	resp, err := client.Get(s.http.URL + path)
	s.must(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	s.must(err)
	return resp.StatusCode, string(body)
}

// post sends a form of names and values and returns the status and the body.
func (s *school) post(client *http.Client, path string, pairs ...string) (int, string) {
	s.t.Helper()
	values, err := url.ParseQuery(form(pairs...))
	s.must(err)
	resp, err := client.PostForm(s.http.URL+path, values)
	s.must(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	s.must(err)
	return resp.StatusCode, string(body)
}

var linkShown = regexp.MustCompile(`value="http://[^"]*(/link\?token=[a-z0-9]+)"`)

// The owner makes a link by the form of a session's page; a guest comes by it, says a
// name, and asks.
func TestGuestComesByLink(t *testing.T) {
	s := newSchool(t)
	page := "/sessions/" + s.session.ID
	code, body := s.post(s.signedIn(s.owner), page+"/links", "right", "take", "valid", "lesson")
	shown := linkShown.FindStringSubmatch(body)
	if code != http.StatusOK || shown == nil {
		t.Fatalf("%d, and no link is shown", code)
	}
	guest := s.visitor()
	if code, body = s.get(guest, shown[1]); code != http.StatusOK || !strings.Contains(body, "Optics session") {
		t.Errorf("the link shows %d", code)
	}
	if code, _ = s.get(guest, page); code != http.StatusSeeOther {
		t.Errorf("opening the link let its reader in: %d", code)
	}
	_, token, _ := strings.Cut(shown[1], "token=")
	for _, name := range []string{"", " \u202e ", strings.Repeat("x", 61)} {
		if code, body = s.post(guest, "/link", "token", token, "name", name); code != 422 ||
			!strings.Contains(body, english(classroom.ErrPersonName)) {
			t.Errorf("the name %q: %d", name, code)
		}
	}
	if code, _ = s.post(guest, "/link", "token", token, "name", "Tom"); code != http.StatusSeeOther {
		t.Errorf("with a name: %d", code)
	}
	if code, body = s.get(guest, page); code != http.StatusOK || !strings.Contains(body, `id="composer"`) {
		t.Errorf("the guest's page: %d", code)
	}
	for _, staff := range []string{"/settings", s.class.ID, "/delete", `id="spent"`, s.material} {
		if strings.Contains(body, staff) {
			t.Errorf("the guest's page holds %s", staff)
		}
	}
	if code, _ = s.post(guest, page+"/messages", "text", "Why is light fast?"); code != http.StatusSeeOther {
		t.Errorf("the guest's question: %d", code)
	}
	if asked := s.runner.notes(); len(asked) != 1 || asked[0] != "send Tom: Why is light fast?" {
		t.Errorf("the runner was asked to %q", asked)
	}
	if code, location := s.status(guest, "GET", "/", "", ""); code != http.StatusSeeOther || location != page {
		t.Errorf("the first page leads a guest to %s with %d", location, code)
	}
}

func TestReaderHasNoForms(t *testing.T) {
	s := newSchool(t)
	s.append(s.session.ID, livetest.Scripted(2, 3))
	_, token := s.newLink(s.session.ID, classroom.Read, time.Hour)
	reader := s.guest(token)
	page := "/sessions/" + s.session.ID
	_, body := s.get(reader, page)
	forms := strings.Count(body, `method="post"`)
	if strings.Contains(body, `id="composer"`) || forms != 2 { // those of the display settings and of leaving
		t.Errorf("the page of a reader has %d forms", forms)
	}
	r := s.openAs(reader, page+"/stream?after=0")
	for f := (sse{}); f.event != "caught_up"; {
		var err error
		f, err = r.next()
		s.must(err)
		if strings.Contains(f.data, "composer") || strings.Contains(f.data, "<form") {
			t.Errorf("the stream of a reader sends %s", f.data)
		}
	}
}

// A link that ends while its guest reads ends both streams.
func TestStreamsEndWithTheLink(t *testing.T) {
	t.Parallel()
	s := newSchool(t)
	_, token := s.newLink(s.session.ID, classroom.Read, 5*time.Second) // time to open both
	guest := s.guest(token)
	for _, r := range s.allStreams(guest, s.session.ID) {
		if got := ends(t, r); got != `bye {"reason":"expired"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
	code, body := s.get(guest, "/sessions/"+s.session.ID)
	if code != http.StatusNotFound || !strings.Contains(body, english(classroom.ErrLinkEnded)) {
		t.Errorf("after the link the page is %d", code)
	}
	if code, _ = s.get(s.visitor(), "/link?token="+token); code != http.StatusNotFound {
		t.Errorf("the link that has ended is %d", code)
	}
}

func TestStreamsEndWithRights(t *testing.T) {
	s := newSchool(t)
	for name, change := range map[string]struct {
		client *http.Client
		revoke func() error
	}{
		"link": {s.guest(s.token), func() error { return s.store.RevokeLink(t.Context(), s.link) }},
		"membership": {s.signedIn(s.pupil), func() error {
			return s.store.RemoveMembership(t.Context(), s.class.ID, s.pupil.ID)
		}},
	} {
		streams := s.allStreams(change.client, s.session.ID)
		stays := s.allStreams(s.signedIn(s.owner), s.session.ID)
		s.must(change.revoke())
		for _, r := range streams {
			if got := ends(t, r); got != `bye {"reason":"revoked"}` {
				t.Errorf("%s: the stream ended with %s", name, got)
			}
		}
		s.append(s.session.ID, titleChange("Still here, after the "+name))
		for _, r := range stays {
			for f := (sse{}); !strings.Contains(f.data, "after the "+name); {
				var err error
				f, err = r.next()
				s.must(err)
			}
		}
	}
}

// A teacher who loses a class no longer sees it beside other pages that are open.
func TestSidebarFollowsRights(t *testing.T) {
	s := newSchool(t)
	r := s.openAs(s.signedIn(s.teacher), "/stream")
	for f := (sse{}); !strings.Contains(f.data, "Optics session"); {
		var err error
		f, err = r.next()
		s.must(err)
		if strings.Contains(f.data, "Chess") {
			t.Error("the list of a teacher has the class of another")
		}
	}
	s.must(s.store.RemoveMembership(t.Context(), s.class.ID, s.teacher.ID))
	f, err := r.next()
	s.must(err)
	if strings.Contains(f.data, "Optics") || !strings.Contains(f.data, `id="nav"`) {
		t.Errorf("after the membership the list is %s", f.data)
	}
}

// The owner who opens or sends a link stays the owner, and a guest's login ends with the
// link.
func TestLinkLowersNobody(t *testing.T) {
	s := newSchool(t)
	owner := s.signedIn(s.owner)
	for _, client := range []*http.Client{owner, s.signedIn(s.pupil)} {
		if code, location := s.status(client, "GET", "/link?token="+s.token, "", ""); code != http.StatusSeeOther ||
			location != "/sessions/"+s.session.ID {
			t.Errorf("the link leads to %s with %d", location, code)
		}
		s.post(client, "/link", "token", s.token, "name", "Tom")
	}
	if code, _ := s.get(owner, "/settings"); code != http.StatusOK {
		t.Errorf("after the link the owner's settings are %d", code)
	}
	resp, err := s.visitor().PostForm(s.http.URL+"/link", url.Values{"token": {s.token}, "name": {"Tom"}})
	s.must(err)
	resp.Body.Close()
	for _, c := range resp.Cookies() {
		if c.Name == loginCookie && time.Until(c.Expires) > time.Hour+afterLink+time.Minute {
			t.Errorf("the login of a guest lasts until %v", c.Expires)
		}
	}
}

func TestOpenLinksAreBounded(t *testing.T) {
	s := newSchool(t)
	for range maxOpenLinks - 1 {
		s.newLink(s.session.ID, classroom.Read, time.Hour)
	}
	code, body := s.post(s.signedIn(s.owner), "/sessions/"+s.session.ID+"/links", "right", "read", "valid", "day")
	if code != http.StatusConflict || !strings.Contains(body, english(classroom.ErrManyLinks)) {
		t.Errorf("one link more is %d", code)
	}
}

// A stream that was opened with more than its reader may have now ends.
func TestDemotedTeacherLosesTheStream(t *testing.T) {
	s := newSchool(t)
	streams := s.allStreams(s.signedIn(s.teacher), s.session.ID)
	s.must(s.store.SetMembership(t.Context(), classroom.Membership{
		ClassID: s.class.ID, PersonID: s.teacher.ID, Role: classroom.PupilRole,
	}))
	for _, r := range streams {
		if got := ends(t, r); got != `bye {"reason":"revoked"}` {
			t.Errorf("the stream ended with %s", got)
		}
	}
}

// Another process deletes a session: when rights are decided again, its streams end.
func TestSessionDeletedElsewhereEndsStreams(t *testing.T) {
	s := newSchool(t)
	r := s.openAs(s.signedIn(s.teacher), "/api/sessions/"+s.session.ID+"/events")
	r.until("caught_up")
	other, err := store.Open(t.Context(), store.Options{Dir: s.dir, Shared: true})
	s.must(err)
	defer other.Close()
	s.must(other.DeleteSession(t.Context(), s.session.ID))
	s.must(s.store.RemoveMembership(t.Context(), s.class.ID, s.pupil.ID))
	if got := ends(t, r); got != `bye {"reason":"deleted"}` {
		t.Errorf("the stream ended with %s", got)
	}
}

// A guest takes nobody's name, and somebody with an account keeps it.
func TestGuestIsNobodyElse(t *testing.T) {
	s := newSchool(t)
	for _, name := range []string{"Owner", "osei", "ADA", "\u3164", "\u2800\u115f"} {
		if code, _ := s.post(s.visitor(), "/link", "token", s.token, "name", name); code != 422 && code != 409 {
			t.Errorf("the name %q: %d", name, code)
		}
	}
	colleague := s.signedIn(s.colleague)
	if code, _ := s.post(colleague, "/link", "token", s.token, "name", "Tom"); code != http.StatusConflict {
		t.Errorf("somebody with an account becomes a guest: %d", code)
	}
	if code, _ := s.get(colleague, "/settings"); code != http.StatusOK {
		t.Errorf("the account is lost: %d", code)
	}
	guest := s.guest(s.token)
	if code, _ := s.post(guest, "/logout"); code != http.StatusSeeOther {
		t.Errorf("leaving is %d", code)
	}
	if code, _ := s.get(guest, "/sessions/"+s.session.ID); code == http.StatusOK {
		t.Error("a guest who left is still there")
	}
}

// decideAgain leaves a stream alone where the database does not answer.
func TestSilentDatabaseEndsNoStream(t *testing.T) {
	silent := new(silentLinks)
	s := newSchool(t, func(o *Options) { silent.storedLinks, o.Links = o.Links, silent })
	r := s.openAs(s.guest(s.token), "/api/sessions/"+s.session.ID+"/events")
	r.until("caught_up")
	silent.on.Store(true)
	s.must(s.store.RemoveMembership(t.Context(), s.class.ID, s.pupil.ID)) // every stream decides again
	s.append(s.session.ID, titleChange("Still here"))
	for f := (sse{}); !strings.Contains(f.data, "Still here"); {
		var err error
		f, err = r.next()
		s.must(err)
	}
}

// silentLinks are links that are not found until the request ends.
type silentLinks struct {
	storedLinks
	on atomic.Bool
}

type storedLinks = interface{ Links }

func (l *silentLinks) Link(ctx context.Context, id string) (classroom.GuestLink, error) {
	if l.on.Load() {
		<-ctx.Done()
		return classroom.GuestLink{}, ctx.Err()
	}
	return l.storedLinks.Link(ctx, id)
}
