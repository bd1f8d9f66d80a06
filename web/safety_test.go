package web

import (
	"encoding/json"
	"html"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// The log keeps a code for distress. Stream, download and pages show the sentence, in
// the language of the message.
func TestDistressIsWordedWhereItLeaves(t *testing.T) {
	w := newWebServer(t)
	s := livetest.NewScript(1)
	s.Exchange = 1
	prompt := s.Say(classroom.UserMessage{Text: "je veux mourir", Author: livetest.Me, Delivery: classroom.Prompt})
	s.Attempt = 1
	s.Say(classroom.RunStart{Prompt: prompt, Model: "test"})
	s.Say(classroom.Safety{Prompt: prompt, Kind: classroom.DistressSelfHarm, Lang: "fr", Action: classroom.ActionAdult})
	s.Say(classroom.RunEnd{
		Status: classroom.Completed, Code: classroom.CodeSafety, Params: classroom.Params{"lang": "fr"},
	})
	id := w.session(s.Events)
	text := classroom.Safety{Lang: "fr"}.Text()
	for _, e := range w.log(id) {
		if strings.Contains(string(e.Data), "confiance") {
			t.Errorf("the log keeps the sentence: %s", e.Data)
		}
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	r := w.open("/api/sessions/" + id + "/events")
	met, _ := r.until("caught_up")
	r.close()
	if last := met[len(met)-1].data; !strings.Contains(last, `"message":`+string(quoted)) {
		t.Errorf("the stream says %s", last)
	}
	if _, body := w.ask("GET", "/api/sessions/"+id+"/log", ""); !strings.Contains(body, `"message":`+string(quoted)) {
		t.Errorf("the download says %s", body)
	}
	for _, path := range []string{"/sessions/" + id, "/sessions/" + id + "/replay"} {
		_, body := w.ask("GET", path, "")
		if !strings.Contains(html.UnescapeString(body), text) || !strings.Contains(body, `lang="fr"`) {
			t.Errorf("%s does not say it", path)
		}
	}
}
