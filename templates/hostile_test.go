package templates

import (
	"colloquy/templates/locale"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/templates/prose"

	"golang.org/x/net/html"
)

const payload = `<script>window.pwned=1</script>"'><img src=x onerror=window.pwned=1>` +
	`<svg onload=window.pwned=1><a href="javascript:window.pwned=1">x</a>` +
	`<hx-partial hx-target="body">x</hx-partial></textarea></template>`

// fill puts text into every string that v holds, and one element into every empty list.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text)
		}
	}
}

// hostileLog is a session in which every word is the payload.
func hostileLog(t *testing.T) *classroom.Fold {
	s := newScript(t)
	roster := []classroom.Agent{{ID: "ada", Name: payload, Role: classroom.Role(payload), Color: payload,
		Avatar: payload, Persona: payload}}
	s.events = nil
	s.add(classroom.SessionStart{ClassID: payload, Title: payload, Roster: roster})
	s.exchange = 1
	s.add(classroom.UserMessage{Text: payload, Author: classroom.Author{ID: payload, Name: payload},
		Delivery: classroom.Prompt})
	s.add(classroom.RunStart{})
	s.agent = "ada"
	s.add(classroom.AgentStart{Name: payload, Role: classroom.Role(payload)})
	s.search(payload, classroom.Passage{Material: payload, Section: payload, Text: payload})
	s.add(classroom.ToolExecutionStart{CallID: "x", Name: payload,
		Args: []byte(`"` + strings.ReplaceAll(payload, `"`, `\"`) + `"`)})
	s.add(classroom.ToolExecutionUpdate{CallID: "x", Progress: payload})
	s.add(classroom.ToolExecutionStart{CallID: "y", Name: payload})
	s.add(classroom.ToolExecutionEnd{CallID: "y", Name: payload, IsError: true,
		Content: []classroom.Content{{Text: payload}}})
	s.think("m1", payload, payload)
	s.add(classroom.Retry{MessageID: "m1", Reason: payload})
	steer := s.add(classroom.UserMessage{Text: payload, Author: classroom.Author{Name: payload},
		Delivery: classroom.Steer})
	s.add(classroom.QueueUpdate{Delivered: []classroom.Cursor{steer}})
	s.add(classroom.Compaction{Summary: payload})
	s.add(classroom.MessageStart{MessageID: "m2"})
	s.add(classroom.MessageUpdate{MessageID: "m2", Block: 0, Kind: classroom.BlockText, Delta: payload})
	s.add(classroom.MessageUpdate{MessageID: "m2", Block: 1, Kind: classroom.DeltaToolArgs, Delta: payload,
		Name: payload})
	s.add(classroom.StageLink{LessonID: payload, Title: payload})
	s.add(classroom.MediaReady{Ref: payload})
	s.add(classroom.CueUser{Question: payload, Options: []classroom.Option{{ID: payload, Label: payload}}})
	s.add(classroom.AgentEnd{StopReason: classroom.StopError})
	s.end(classroom.Failed, payload, payload)
	return s.fold()
}

// hostilePages are all pages with the payload in every field.
func hostilePages(t *testing.T) map[string]string {
	f := hostileLog(t)
	cards := []string{render(t, Card(CardView{Session: payload, Card: f.Cards[0], Live: true})),
		render(t, Card(CardView{Session: payload, Card: f.Cards[0]}))}
	var b Workbench
	var h Home
	var c ClassPageView
	var s Settings
	var l Login
	var r Replay
	var p Problem
	for _, v := range []any{&b, &h, &c, &s, &l, &r, &p} {
		fill(reflect.ValueOf(v).Elem(), payload)
	}
	b.Cards, b.Older, b.Queue.Dropped = cards, 3, []classroom.Queued{{Cursor: 1, Text: payload}}
	r.Cards, r.Playing = cards, true
	l.LinkHint, l.Passwords = true, true
	return map[string]string{
		"workbench": render(t, WorkbenchPage(b)), "home": render(t, HomePage(h)), "class": render(t, ClassPage(c)),
		"settings": render(t, SettingsPage(s)), "login": render(t, LoginPage(l)), "replay": render(t, ReplayPage(r)),
		"problem": render(t, ProblemPage(p)),
	}
}

var fetching = regexp.MustCompile(`^(img|iframe|object|embed|video|audio|source|base)$`)

// Nothing that a person or a model writes becomes an element that runs or fetches.
func TestHostileTextIsInert(t *testing.T) {
	t.Parallel()
	for name, page := range hostilePages(t) {
		if !strings.Contains(page, "window.pwned") {
			t.Errorf("%s shows nothing of the payload", name)
		}
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		scripts := 0
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if n.Data == "script" {
				scripts++
			}
			if fetching.MatchString(n.Data) || strings.HasPrefix(n.Data, "hx-") {
				t.Errorf("%s has an element <%s>", name, n.Data)
			}
			for _, a := range n.Attr {
				checkAttribute(t, name, n.Data, a)
			}
		}
		if scripts != 1 {
			t.Errorf("%s has %d scripts, want its own one", name, scripts)
		}
	}
}

func checkAttribute(t *testing.T, page, element string, a html.Attribute) {
	t.Helper()
	if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" || strings.HasPrefix(a.Key, "hx-on") {
		t.Errorf("%s: <%s> has the attribute %s", page, element, a.Key)
	}
	if (a.Key == "href" || a.Key == "src" || a.Key == "action" || a.Key == "formaction") &&
		strings.Contains(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") &&
		!strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") {
		t.Errorf("%s: <%s %s=%q>", page, element, a.Key, a.Val)
	}
	if (a.Key == "href" || a.Key == "action" || a.Key == "hx-post" || a.Key == "hx-get") &&
		strings.HasPrefix(a.Val, "//") {
		t.Errorf("%s: <%s %s=%q> leads to another host", page, element, a.Key, a.Val)
	}
}

// A chunk's wrapper holds the chunk's HTML and nothing else: patches append to
// the last of its descendants.
func TestChunkIsExact(t *testing.T) {
	text, words := "One *two* three\n\n- a\n- b\n\n```\ncode\n```\n", ProseWords(locale.English())
	for _, chunk := range prose.Render(text, words) {
		if got, want := render(t, Chunk("k", chunk)), `<div class="k" id="k">`+chunk.HTML+`</div>`; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if got := render(t, Thinking("p", &classroom.BlockView{Text: " a\n b "}, true)); !strings.Contains(got,
		`<div class="said" id="pt"> a`+"\n"+` b </div>`) {
		t.Errorf("raw thinking is not exact: %s", got)
	}
}

// Promise 1: the same prefix of a log is the same HTML, however it was folded.
func TestCardIsAFunctionOfTheLog(t *testing.T) {
	t.Parallel()
	s := lesson(t)
	s.ask("Again?")
	s.open("ada")
	resume(s)
	stepwise := new(classroom.Fold)
	for i, e := range s.events {
		stepwise.Apply(e)
		whole := classroom.Of(s.events[:i+1])
		for x := range whole.Cards {
			a := render(t, Card(CardView{Session: "s1", Card: stepwise.Cards[x], Live: true}))
			b := render(t, Card(CardView{Session: "s1", Card: whole.Cards[x], Live: true}))
			if a != b {
				t.Fatalf("after event %d card %d differs by the way it was folded", i+1, x+1)
			}
		}
	}
}

// Every icon that a template names is in the sprite.
func TestIconsExist(t *testing.T) {
	t.Parallel()
	use := regexp.MustCompile(`href="#i-([a-z-]+)"`)
	for name, page := range rendered(t, Prefs{}) {
		for _, m := range use.FindAllStringSubmatch(page, -1) {
			if !strings.Contains(page, `id="i-`+m[1]+`"`) {
				t.Errorf("%s shows the icon %s, which is not there", name, m[1])
			}
		}
	}
}

// Ids are unique on a page, or patches would meet the wrong element.
func TestIDsAreUnique(t *testing.T) {
	t.Parallel()
	for name, page := range rendered(t, Prefs{}) {
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				if a.Key == "id" && seen[a.Val] {
					t.Errorf("%s has the id %s twice", name, a.Val)
				}
				seen[a.Val] = seen[a.Val] || a.Key == "id"
			}
		}
	}
}

// First HTML: a page with everything long in it stays within its budget.
func TestPageBudget(t *testing.T) {
	t.Parallel()
	for name, page := range rendered(t, Prefs{}) {
		if len(page) > 120_000 {
			t.Errorf("%s is %d bytes of HTML", name, len(page))
		}
	}
}
