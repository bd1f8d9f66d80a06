package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"colloquy/classroom"
	"colloquy/templates/locale"
	"colloquy/web/live/livetest"
)

// A heldLog marks every text of agents as one that only the staff may read.
type heldLog struct{ Log }

func (l heldLog) Read(ctx context.Context, id string, after classroom.Cursor, limit int) ([]classroom.Event, error) {
	events, err := l.Log.Read(ctx, id, after, limit)
	out := make([]classroom.Event, len(events))
	for i, e := range events {
		if out[i] = e; strings.HasPrefix(string(e.Type), "message_") {
			data := strings.Replace(string(e.Data), "{", `{"staff_only":"held",`, 1)
			out[i] = e.WithData(json.RawMessage(data))
		}
	}
	return out, err
}

// What only the staff may read leaves the server by no way but those of the staff.
func TestAudience(t *testing.T) {
	s := newSchool(t, func(o *Options) { o.Log = heldLog{o.Log} })
	const secret = "halberdier"
	s.append(s.session.ID, livetest.Scripted(1, 3))
	s.answer(4, "Ask the "+secret+".")
	_, token := s.newLink(s.session.ID, classroom.Read, time.Hour)
	everybody := map[string]*http.Client{
		"owner": s.signedIn(s.owner), "teacher": s.signedIn(s.teacher), "pupil": s.signedIn(s.pupil),
		"guest": s.guest(s.token), "reader": s.guest(token),
	}
	page, api := "/sessions/"+s.session.ID, "/api/sessions/"+s.session.ID
	for name, client := range everybody {
		staff := name == "owner" || name == "teacher"
		for _, path := range []string{page, page + "/replay", page + "/exchanges?before=2", api + "/log"} {
			if _, body := s.get(client, path); strings.Contains(body, secret) {
				t.Errorf("%s is shown the secret by %s", name, path)
			}
			separator := "?"
			if strings.Contains(path, "?") {
				separator = "&"
			}
			code, body := s.get(client, path+separator+"audience=staff")
			if staff && !strings.HasPrefix(path, page+"/exchanges") && !strings.Contains(body, secret) {
				t.Errorf("%s is not shown the secret by %s as staff: %d", name, path, code)
			}
			if !staff && code != http.StatusNotFound {
				t.Errorf("%s may open %s as staff: %d", name, path, code)
			}
		}
		for _, path := range []string{
			page + "/stream?after=0", api + "/events?after=0", page + "/replay/stream?play=4&after=0",
		} {
			if got := s.upToHead(client, path); strings.Contains(got, secret) {
				t.Errorf("%s is sent the secret by %s", name, path)
			}
			if staff {
				if got := s.upToHead(client, path+"&audience=staff"); !strings.Contains(got, secret) {
					t.Errorf("%s is not sent the secret by %s as staff", name, path)
				}
			} else if code, _ := s.status(client, "GET", path+"&audience=staff", "", ""); code != http.StatusNotFound {
				t.Errorf("%s may open %s as staff: %d", name, path, code)
			}
		}
	}
	if code, _ := s.get(everybody["owner"], page+"?audience=pupils"); code != http.StatusNotFound {
		t.Errorf("an audience that nobody asks for: %d", code)
	}
}

// answer appends an exchange with an answer.
func (s *school) answer(exchange int, text string) {
	s.t.Helper()
	draft := func(p classroom.Payload) classroom.Draft {
		return classroom.Draft{Exchange: exchange, Agent: "ada", Attempt: 1, Payload: p}
	}
	_, err := s.store.Append(s.t.Context(), s.session.ID, 0,
		classroom.Draft{Exchange: exchange, Payload: classroom.UserMessage{Text: "Who?", Author: livetest.Me}},
		classroom.Draft{Exchange: exchange, Attempt: 1, Payload: classroom.RunStart{Model: "m"}},
		draft(classroom.AgentStart{Name: "Ada", Role: classroom.Teacher}), draft(classroom.TurnStart{Turn: 1}),
		draft(classroom.MessageStart{MessageID: "m1"}),
		draft(classroom.MessageUpdate{MessageID: "m1", Kind: classroom.BlockText, Delta: text}),
		draft(classroom.MessageEnd{MessageID: "m1", StopReason: classroom.StopEnd,
			Blocks: []classroom.Block{{Kind: classroom.BlockText, Text: text}}}),
		draft(classroom.TurnEnd{StopReason: classroom.StopEnd}), draft(classroom.AgentEnd{}),
		classroom.Draft{Exchange: exchange, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Completed}},
	)
	s.must(err)
}

// upToHead returns what a stream sends until it has caught up, or ends.
func (s *school) upToHead(client *http.Client, path string) string {
	s.t.Helper()
	r := s.openAs(client, path)
	defer r.close()
	var out strings.Builder
	for {
		f, err := r.next()
		out.WriteString(f.data)
		if err != nil || f.event == "caught_up" || f.event == "bye" {
			return out.String()
		}
	}
}

// Pupils and guests learn neither what an answer cost nor where its model is.
func TestCostsAreForTeachers(t *testing.T) {
	s := newSchool(t)
	cost := int64(1_230_000)
	drafts := []classroom.Draft{
		{Exchange: 1, Payload: classroom.UserMessage{Text: "Why?", Author: classroom.Author{ID: "x"}}},
		{Exchange: 1, Attempt: 1, Payload: classroom.RunStart{Prompt: 2, Model: "m"}},
		{Exchange: 1, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Failed, Code: "overloaded", Cost: &cost,
			Usage: classroom.Usage{Input: 4321}, Detail: "http://10.1.2.3/v1: 503"}},
	}
	_, err := s.store.Append(t.Context(), s.session.ID, 0, drafts...)
	s.must(err)
	page, api := "/sessions/"+s.session.ID, "/api/sessions/"+s.session.ID
	for name, client := range map[string]*http.Client{
		"teacher": s.signedIn(s.teacher), "pupil": s.signedIn(s.pupil), "guest": s.guest(s.token),
	} {
		got := ""
		for _, path := range []string{page, page + "/replay", api, api + "/log"} {
			_, body := s.get(client, path)
			got += body
		}
		got += s.upToHead(client, api+"/events?after=0") + s.upToHead(client, page+"/stream?after=0")
		for _, part := range []string{"4321", "1230000", "10.1.2.3"} {
			if strings.Contains(got, part) != (name == "teacher") {
				t.Errorf("%s is shown %s: %v", name, part, name != "teacher")
			}
		}
	}
}

// The Review page lists messages of distress and failed answers of its class.
func TestReviewPage(t *testing.T) {
	s := newSchool(t)
	for _, session := range []classroom.Session{s.session, s.foreign} {
		_, err := s.store.Append(t.Context(), session.ID, 0,
			classroom.Draft{Exchange: 1, Payload: classroom.UserMessage{Text: "Why?", Author: livetest.Me}},
			classroom.Draft{Exchange: 1, Attempt: 1, Payload: classroom.RunStart{Prompt: 2, Model: "m"}},
			classroom.Draft{Exchange: 1, Attempt: 1, Payload: classroom.Safety{Prompt: 2, Lang: "en"}},
			classroom.Draft{Exchange: 1, Attempt: 1, Payload: classroom.RunEnd{
				Status: classroom.Failed, Code: "overloaded", Detail: "detail of " + session.Title}},
			classroom.Draft{Exchange: 2, Payload: classroom.UserMessage{Text: "And?", Author: livetest.Me}},
			classroom.Draft{Exchange: 2, Attempt: 1, Payload: classroom.RunStart{Prompt: 6, Model: "m"}},
			classroom.Draft{Exchange: 2, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Completed}},
		)
		s.must(err)
	}
	_, body := s.get(s.signedIn(s.teacher), "/classes/"+s.class.ID+"/review")
	for _, want := range []string{
		`class="note"`, "A message of distress", "detail of Optics session",
		"/sessions/" + s.session.ID + "?audience=staff#x1",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if n := strings.Count(body, `class="note"`); n != 2 || strings.Contains(body, "Chess session") {
		t.Errorf("the page has %d notes, want 2", n)
	}
}

// A stream speaks the language of its reader, and those of others stay as they are.
func TestStreamsSpeakTheReadersLanguage(t *testing.T) {
	s := newSchool(t)
	s.answer(1, "Because.")
	_, err := s.store.Append(t.Context(), s.session.ID, 0,
		classroom.Draft{Exchange: 2, Payload: classroom.UserMessage{Text: "And?", Author: livetest.Me}},
		classroom.Draft{Exchange: 2, Attempt: 1, Payload: classroom.RunStart{Model: "m"}},
		classroom.Draft{Exchange: 2, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Failed, Code: "tool_cap"}})
	s.must(err)
	owner := s.signedIn(s.owner)
	for path, key := range map[string]string{
		"/stream?after=0": "general.new_session",
		"/sessions/" + s.session.ID + "/stream?after=0": "status.answered",
		"/api/sessions/" + s.session.ID + "/events":     "run_end.tool_cap",
	} {
		english := s.openAs(owner, path)
		pseudo := s.openAs(owner, path, "Accept-Language: en-XA")
		for r, l := range map[*reader]*locale.Language{english: locale.English(), pseudo: locale.Pseudo()} {
			for f := (sse{}); !strings.Contains(f.data, l.Text(key)); {
				if f, err = r.next(); err != nil || f.event == "bye" {
					t.Fatalf("%s: %q is not sent: %v", path, l.Text(key), err)
				}
			}
		}
	}
}
