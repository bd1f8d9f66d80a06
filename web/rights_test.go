package web

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
)

// The columns of the table in docs/rights.md, in their order.
var rightsColumns = []string{
	"owner", "teacher", "pupil", "guest who asks", "guest who reads", "other teacher", "guest of another", "nobody",
}

// readRights returns the cells of docs/rights.md by route.
func readRights(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../docs/rights.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		route := strings.TrimSpace(cells[0])
		if len(cells) != len(rightsColumns)+1 || !strings.HasPrefix(route, "`") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out[strings.Trim(route, "`")] = cells[1:]
	}
	return out
}

// Every route is asked by everybody, and answers as docs/rights.md says. The table has
// every route and no other.
func TestEveryRouteByEveryRole(t *testing.T) {
	rights := readRights(t)
	var routes []string
	for _, r := range newSchool(t).web.table().routes {
		routes = append(routes, r.pattern)
	}
	listed := slices.Sorted(maps.Keys(rights))
	slices.Sort(routes)
	if !slices.Equal(listed, routes) {
		t.Fatalf("docs/rights.md lists\n%s\nand the server has\n%s",
			strings.Join(missingFrom(routes, listed), "\n"), strings.Join(missingFrom(listed, routes), "\n"))
	}
	for _, route := range routes {
		t.Run(route, func(t *testing.T) {
			t.Parallel()
			s := newSchool(t)
			for i, role := range rightsColumns {
				if got, want := s.answerTo(role, route), rights[route][i]; got != want {
					t.Errorf("%s: %s, want %s", role, got, want)
				} else if want == "yes" && destroys(route) {
					s = newSchool(t)
				}
			}
		})
	}
}

func destroys(route string) bool {
	_, last, _ := strings.Cut(route[strings.LastIndex(route, "/"):], "/")
	return strings.HasPrefix(route, "DELETE") || last == "delete" || last == "revoke"
}

// missingFrom returns what is in b and not in a.
func missingFrom(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(b), func(x string) bool { return slices.Contains(a, x) })
}

// answerTo returns how a route answers somebody: yes, no for what looks as if it did not
// exist, or sign in.
func (s *school) answerTo(role, route string) string {
	s.t.Helper()
	method, path, _ := strings.Cut(route, " ")
	if path == "" {
		method, path = "GET", "/no-such-page"
	}
	const asForm = "application/x-www-form-urlencoded"
	code, location := s.status(s.browserOf(role), method, s.fill(path), s.body(path), asForm)
	switch {
	case code == http.StatusUnauthorized, strings.HasPrefix(location, "/login") && path != "/logout":
		return "sign in"
	case code == http.StatusNotFound:
		return "no"
	case code >= http.StatusInternalServerError:
		s.t.Errorf("%s: %s answers %d", role, route, code)
	}
	return "yes"
}

func (s *school) browserOf(role string) *http.Client {
	s.t.Helper()
	switch role {
	case "owner":
		return s.signedIn(s.owner)
	case "teacher":
		return s.signedIn(s.teacher)
	case "pupil":
		return s.signedIn(s.pupil)
	case "other teacher":
		return s.signedIn(s.colleague)
	case "guest who asks":
		return s.guest(s.token)
	case "guest who reads":
		_, token := s.newLink(s.session.ID, classroom.Read, time.Hour)
		return s.guest(token)
	case "guest of another":
		_, token := s.newLink(s.foreign.ID, classroom.Take, time.Hour)
		return s.guest(token)
	}
	return s.visitor()
}

// body returns what a route needs to find its object.
func (s *school) body(path string) string {
	switch path {
	case "/link":
		return form("token", s.token)
	case "/api/links":
		return `{"session":"` + s.session.ID + `"}`
	}
	return ""
}

// fill puts ids into the pattern of a path.
func (s *school) fill(path string) string {
	id := s.session.ID
	switch {
	case strings.Contains(path, "/classes/"):
		id = s.class.ID
	case strings.Contains(path, "/materials/"):
		id = s.material
	case strings.Contains(path, "/models/"):
		id = s.model
	case strings.Contains(path, "/links/"):
		id = s.link
	}
	path = strings.NewReplacer("{id}", id, "{$}", "").Replace(path)
	switch path {
	case "/link":
		return path + "?token=" + s.token
	case "/api/links":
		return path + "?session=" + s.session.ID
	case "/sessions/" + s.session.ID + "/source":
		return path + "?from=0&material=" + s.material
	}
	return path
}

// Lists hold what one may see and no more, and a class is named in a request only by
// those who teach it.
func TestListsHoldOnesOwn(t *testing.T) {
	s := newSchool(t)
	for name, c := range map[string]struct {
		client     *http.Client
		own, other bool
	}{
		"owner":     {s.signedIn(s.owner), true, false},
		"teacher":   {s.signedIn(s.teacher), true, false},
		"colleague": {s.signedIn(s.colleague), false, true},
	} {
		ofOther := "/api/sessions?class=" + s.other.ID
		for _, path := range []string{"/", "/settings", "/api/classes", "/api/sessions", ofOther} {
			_, body := s.get(c.client, path)
			if strings.Contains(body, "Chess") != c.other {
				t.Errorf("%s: the other class is in %s: %v", name, path, !c.other)
			}
			if strings.Contains(body, "Optics") != c.own && path != ofOther {
				t.Errorf("%s: the class is in %s: %v", name, path, !c.own)
			}
		}
		for class, may := range map[string]bool{s.class.ID: c.own, s.other.ID: c.other} {
			code, _ := s.status(c.client, "POST", "/api/sessions", `{"class":"`+class+`"}`, "application/json")
			if code == http.StatusCreated != may {
				t.Errorf("%s: a new session in %s is %d", name, class, code)
			}
		}
	}
	if _, body := s.get(s.signedIn(s.pupil), "/api/sessions"); !strings.Contains(body, s.session.ID) ||
		strings.Contains(body, s.foreign.ID) {
		t.Errorf("a pupil's sessions are %s", body)
	}
}
