package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// A school is a server with a class of the owner, a class of another teacher, and people
// in every role.
type school struct {
	*webServer
	class, other              classroom.Class
	session, foreign          classroom.Session
	material, model           string // ids
	link                      string // id of the link of the guest who asks
	token                     string // of that link
	owner                     classroom.Person
	teacher, colleague, pupil classroom.Person
}

func newSchool(t *testing.T, change ...func(*Options)) *school {
	t.Helper()
	w, _ := newModelServer(t, append(change, func(o *Options) {
		o.Rename = func(context.Context, string, string, string) error { return nil }
	})...)
	s := &school{webServer: w}
	s.owner = s.person("Osei", classroom.Owner)
	s.teacher = s.person("Abe", classroom.TeacherRole)
	s.colleague = s.person("Ito", classroom.TeacherRole)
	s.pupil = s.person("Kim", classroom.PupilRole)
	s.class, s.session = s.newClass("Optics", s.owner.ID)
	s.other, s.foreign = s.newClass("Chess", s.colleague.ID)
	for person, role := range map[string]classroom.PersonRole{
		s.teacher.ID: classroom.TeacherRole, s.pupil.ID: classroom.PupilRole,
	} {
		m := classroom.Membership{ClassID: s.class.ID, PersonID: person, Role: role}
		s.must(w.store.SetMembership(t.Context(), m))
	}
	m := classroom.Material{ClassID: s.class.ID, Name: "light.md", MediaType: "text/markdown"}
	m, err := w.store.AddMaterial(t.Context(), m, "# Light\n\nIt is fast.")
	s.must(err)
	s.material, s.model = m.ID, w.addModel("x", webKey).ID
	s.link, s.token = s.newLink(s.session.ID, classroom.Take, time.Hour)
	return s
}

func (s *school) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *school) person(name string, role classroom.PersonRole) classroom.Person {
	s.t.Helper()
	p, err := s.store.CreatePerson(s.t.Context(), classroom.Person{Name: name, Role: role}, "")
	s.must(err)
	return p
}

func (s *school) newClass(title, owner string) (classroom.Class, classroom.Session) {
	s.t.Helper()
	class := classroom.Class{Title: title, Mode: classroom.ModeQA, Roster: livetest.Roster(), Owner: owner}
	class, err := s.store.CreateClass(s.t.Context(), class)
	s.must(err)
	session := classroom.Session{ClassID: class.ID, Title: title + " session"}
	session, err = s.store.CreateSession(s.t.Context(), session, livetest.Roster())
	s.must(err)
	return class, session
}

// newLink returns the id and the token of a new link to a session.
func (s *school) newLink(session string, right classroom.Action, valid time.Duration) (id, token string) {
	s.t.Helper()
	token = rand.Text()
	link, err := s.store.CreateLink(s.t.Context(), classroom.GuestLink{
		Kind: classroom.SessionObject, Object: session, Right: right,
		Expires: classroom.StampOf(time.Now().Add(valid)),
	}, hashOf(token))
	s.must(err)
	return link.ID, token
}

// signedIn returns a browser in which a person is signed in. It follows no redirects.
func (s *school) signedIn(p classroom.Person) *http.Client {
	s.t.Helper()
	client, answer := s.visitor(), httptest.NewRecorder()
	s.must(s.web.logIn(answer, httptest.NewRequestWithContext(s.t.Context(), "GET", "/", nil), p))
	at, _ := url.Parse(s.http.URL)
	client.Jar.SetCookies(at, answer.Result().Cookies())
	return client
}

// visitor returns a browser in which nobody is signed in.
func (s *school) visitor() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{
		Jar: jar, Transport: s.http.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// guest returns a browser that came by the link with a token.
func (s *school) guest(token string) *http.Client {
	s.t.Helper()
	client := s.visitor()
	resp, err := client.PostForm(s.http.URL+"/link", url.Values{"token": {token}, "name": {"Tom"}})
	s.must(err)
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("the link answered %d", resp.StatusCode)
	}
	return client
}

// status sends a request and returns the status of its answer, and where it leads.
func (s *school) status(client *http.Client, method, path, body, contentType string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.http.URL+path, strings.NewReader(body))
	s.must(err)
	r.Header.Set("Content-Type", contentType)
	resp, err := client.Do(r)
	s.must(err)
	resp.Body.Close() // of a stream its head is enough
	return resp.StatusCode, resp.Header.Get("Location")
}
