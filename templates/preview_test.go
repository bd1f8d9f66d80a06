package templates

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/static"
	"colloquy/templates/locale"

	"github.com/a-h/templ"
)

// The pages in every state that a person can meet, by name. The browser tests
// look at them, and golden files hold their HTML.

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.Render(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func samplePage(title string, p Prefs) Page {
	return Page{Title: title, Person: classroom.Person{ID: "p1", Name: "Ms Osei", Role: classroom.Owner}, Prefs: p,
		Path: "/", Version: "1.0", Tutor: true, Lists: true}
}

func sampleClass() classroom.Class {
	return classroom.Class{
		ID: "c1", Title: "Biology 9b", Mode: classroom.ModeQA, Roster: roster(),
		Rules: classroom.Rules{Aim: "Understand how leaves feed a plant", Manner: "hints",
			Withheld: "The answer to worksheet 4"},
	}
}

func sampleSessions() []classroom.Session {
	at := classroom.StampOf(began)
	return []classroom.Session{
		{ID: "s1", ClassID: "c1", Title: "Plants and light", Status: classroom.Running, Exchanges: 1, Updated: at},
		{ID: "s2", ClassID: "c1", Title: "Why do leaves turn red in autumn, and why not all of them at the same time?",
			Exchanges: 7, Updated: at - 90_000_000},
		{ID: "s3", ClassID: "c1", Title: "Cells", Mode: classroom.ModeDebate, Status: classroom.Interrupted,
			Exchanges: 3, Updated: at - 190_000_000},
	}
}

func sampleNav(class, session string) Nav {
	other := classroom.Class{ID: "c2", Title: "History 7a", Roster: roster()}
	return Nav{ClassID: class, SessionID: session, Classes: []ClassNav{{Class: sampleClass(),
		Sessions: sampleSessions()}, {Class: other}}}
}

func sampleMaterials() []classroom.Material {
	return []classroom.Material{
		{ID: "m1", ClassID: "c1", Name: "Photosynthesis", Bytes: 6400},
		{ID: "m2", ClassID: "c1", Name: "A rather long name of a material about respiration.md", Bytes: 1_250_000},
	}
}

func sampleExamples() []string {
	return []string{"Why is the sky blue?", "How do plants turn light into sugar?",
		"What caused the French Revolution?", "What is a right triangle?"}
}

// bench shows a fold as the workbench does.
func bench(t *testing.T, f *classroom.Fold, p Prefs) Workbench {
	b := Workbench{
		Page: samplePage("Plants and light", p), Nav: sampleNav("c1", "s1"), Class: sampleClass(),
		Session: sampleSessions()[0],
		Cursor:  f.Cursor, Queue: f.Queue, Speaking: Speaking(f), Materials: sampleMaterials(),
		Examples: sampleExamples(), Teaches: true, Share: sampleShare(),
		Composer: Composer{Session: "s1", Running: f.Running != 0, Barrier: f.Barrier,
			Interrupted: f.Status() == classroom.Interrupted, Roster: f.Roster},
	}
	for _, c := range f.Cards {
		card := Card(CardView{Session: "s1", Card: c, Live: true})
		b.Cards = append(b.Cards, renderIn(t, locale.Match(p.Language), card))
	}
	return b
}

// previews are the pages by name.
func previews(t *testing.T, p Prefs) map[string]templ.Component {
	out := map[string]templ.Component{
		"home": HomePage(Home{Page: samplePage("", p), Nav: sampleNav("", ""), ClassID: "c1",
			Examples: sampleExamples()}),
		"class": ClassPage(ClassPageView{Page: samplePage("Biology 9b", p), Nav: sampleNav("c1", ""),
			Class: sampleClass(), Sessions: sampleSessions(), Materials: sampleMaterials(),
			Errors: []string{"scan.pdf: Only Markdown and plain text can be added for now. Save it as .md or " +
				".txt and try again."},
			Choice: sampleChoice(), Spent: sampleSpent(), Reviews: true}),
		"review": ReviewPage(sampleReview(p)),
		"invitation": GuestLinkPage(GuestLink{Page: samplePage("Invitation", p), Token: "t",
			Session: "Plants and light", AsksName: true, Name: " ",
			Error: locale.Match(p.Language).Error(classroom.ErrPersonName)}),
		"guest":  WorkbenchPage(guestBench(t, p, false)),
		"reader": WorkbenchPage(guestBench(t, p, true)),
		"settings": SettingsPage(Settings{Page: samplePage("Settings", p), Nav: sampleNav("", ""),
			Facts: []Fact{{"Version", "1.0"}, {"Data folder", "12 MB"}}}),
		"models":  SettingsPage(sampleSettings(p)),
		"model":   ModelPage(sampleModelPage(p, true)),
		"model-2": ModelPage(sampleModelPage(p, false)),
		"login": LoginPage(Login{Page: samplePage("Sign in", p), Return: "/sessions/s1", LinkHint: true,
			Passwords: true, Error: "This sign-in link was used before."}),
		"problem": ProblemPage(Problem{Page: samplePage("Not found", p), Status: 404,
			Message: locale.Match(p.Language).Error(classroom.ErrNotFound)}),
		"empty":   WorkbenchPage(sharedBench(t, p)),
		"replay":  ReplayPage(sampleReplay(t, p, false)),
		"playing": ReplayPage(sampleReplay(t, p, true)),
	}
	for name, f := range sampleFolds(t) {
		b := bench(t, f, p)
		b.Older = map[string]int{"long": 41}[name]
		out[name] = WorkbenchPage(b)
	}
	return out
}

func sampleReplay(t *testing.T, p Prefs, playing bool) Replay {
	f := lesson(t).fold()
	return Replay{
		Page: samplePage("Replay", p), Nav: sampleNav("c1", "s1"), Session: sampleSessions()[0],
		Cards: []string{renderIn(t, locale.Match(p.Language), Card(CardView{Session: "s1", Card: f.Cards[0]}))},
		At:    f.Cursor, Head: f.Cursor + 40, First: f.Cursor, Prev: f.Cursor, Next: f.Cursor + 20, Last: f.Cursor + 40,
		Exchange: 1, Exchanges: 3, Speed: 2, Playing: playing, Stream: "/sessions/s1/replay/stream?speed=2",
	}
}

// sampleFolds are sessions in every state of a run.
func sampleFolds(t *testing.T) map[string]*classroom.Fold {
	out := map[string]*classroom.Fold{"finished": lesson(t).fold(), "debate": debate(t).fold(),
		"lecture": lecture(t).fold()}

	s := lesson(t)
	s.ask("And why are leaves green?")
	s.open("ada")
	out["thinking"] = s.fold()
	s.search("leaves green", light)
	s.grow("a2", "Chlorophyll absorbs red and blue light.\n\nGreen light is **reflected**, which is why")
	waiting := s.add(classroom.UserMessage{Text: "Does that hold for red leaves too?",
		Author: classroom.Author{Name: "Tom"}, Delivery: classroom.FollowUp})
	s.add(classroom.QueueUpdate{FollowUp: []classroom.Queued{{Cursor: waiting,
		Text: "Does that hold for red leaves too?"}}})
	out["running"] = s.fold()

	for name, end := range map[string]func(*script){
		"stopped": func(s *script) { s.end(classroom.Cancelled, "", "") },
		"failed": func(s *script) {
			s.add(classroom.RunEnd{Status: classroom.Failed, Code: "overloaded",
				Params: classroom.Params{"model": "Qwen 3 8B"}, Usage: classroom.Usage{Input: 1200, Output: 364}})
		},
		"interrupted": func(s *script) { s.add(classroom.RunInterrupt{Reason: "crash"}) },
		"resumed":     resume,
		"capped": func(s *script) {
			s.end(classroom.Failed, "tool_cap", "")
		},
	} {
		s := lesson(t)
		s.ask("And why are leaves green?")
		s.open("ada")
		s.grow("a2", "Chlorophyll absorbs red and blue light. Green light is")
		s.finish("a2", "Chlorophyll absorbs red and blue light. Green light is", classroom.StopAborted)
		s.close(classroom.StopAborted)
		end(s)
		out[name] = s.fold()
	}
	out["distress"], out["steered"] = distress(t).fold(), steered(t).fold()
	out["barrier"] = barrier(t)
	out["long"] = long(t)
	return out
}

func resume(s *script) {
	s.add(classroom.RunInterrupt{Reason: "crash"})
	s.attempt = 2
	s.add(classroom.RunResume{Reason: "restart"})
	s.open("ada")
	s.add(classroom.MessageStart{MessageID: "a3"})
	s.add(classroom.MessageUpdate{MessageID: "a3", Kind: classroom.BlockText, Delta: "Chloro"})
	s.finish("a3", "Chloro", classroom.StopError)
	s.add(classroom.Retry{MessageID: "a3", Attempt: 1, Max: 3, WaitMS: 2000, Reason: "overloaded",
		Params: classroom.Params{"model": "Qwen 3 8B"}})
	said := s.add(classroom.UserMessage{Text: "Please keep it short.", Author: classroom.Author{Name: "Ms Osei"},
		Delivery: classroom.Steer})
	s.add(classroom.QueueUpdate{Delivered: []classroom.Cursor{said}})
	s.grow("a4", "Chlorophyll takes up red and blue")
}

// barrier is a session in which an answer broke off in the middle of a step.
func barrier(t *testing.T) *classroom.Fold {
	s := lesson(t)
	s.ask("Draw me a leaf")
	s.open("ada")
	a := s.add(classroom.UserMessage{Text: "With veins, please", Author: classroom.Author{Name: "Tom"},
		Delivery: classroom.Steer})
	s.add(classroom.QueueUpdate{Steer: []classroom.Queued{{Cursor: a, Text: "With veins, please"}}})
	s.finish("a2", "Here is a leaf", classroom.StopLength)
	s.add(classroom.ToolExecutionStart{CallID: "d", Name: "draw_board", Args: []byte(`"{\"shape\":\"leaf"`)})
	s.add(classroom.ToolExecutionEnd{CallID: "d", Name: "draw_board", IsError: true,
		Content: []classroom.Content{{Text: "The arguments were cut off."}}, DurationMS: 3})
	s.add(classroom.QueueUpdate{Dropped: []classroom.Cursor{a}, Reason: "barrier"})
	return s.fold()
}

// long is a session in which everything is long.
func long(t *testing.T) *classroom.Fold {
	s := newScript(t)
	s.ask(strings.Repeat("Please explain, in as much detail as you can, how it all hangs together. ", 40))
	s.open("ada")
	s.search(strings.Repeat("word", 80), light, light, light, light, light, light, light, light)
	s.add(classroom.ToolExecutionStart{CallID: "x", Name: "read_material", Args: []byte(`{"name":"atlas"}`)})
	s.add(classroom.ToolExecutionEnd{CallID: "x", Name: "read_material",
		Content: []classroom.Content{{Text: strings.Repeat("lorem ipsum ", 90_000)}}, DurationMS: 61_200})
	var text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&text, "## Part %d\n\n%s\n\n", i+1, strings.Repeat("Light is taken up, water is split, and sugar "+
			"is built in the dark part of the leaf. ", 6))
	}
	text.WriteString("```\n" + strings.Repeat("a very long line of code that does not break ", 12) + "\n```\n\n" +
		strings.Repeat("unbreakable", 60))
	s.say("a1", text.String())
	s.close(classroom.StopLength)
	s.end(classroom.Completed, "", "")
	return s.fold()
}

// serve shows the previews under their names, with the real static files.
func serve(t *testing.T, pages map[string]string) *httptest.Server {
	m := http.NewServeMux()
	m.Handle(static.Prefix, static.Handler())
	for name, html := range pages {
		m.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'self'; style-src 'self'; "+
				"img-src 'self' data:")
			fmt.Fprint(w, html)
		})
	}
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s
}
