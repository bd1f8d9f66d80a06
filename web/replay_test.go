package web

import (
	"fmt"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/web/live/livetest"
)

// Promise 1: the replay of a prefix shows what the live page of that prefix showed,
// without buttons.
func TestReplayEqualsFold(t *testing.T) {
	w := newWebServer(t)
	client := w.browser()
	events := livetest.Scripted(31, 2)
	id := w.session(events)
	log := w.log(id)
	for at := 0; at <= len(log); at += 7 {
		status, page := get(t, client, fmt.Sprintf("%s/sessions/%s/replay?at=%d", w.http.URL, id, at))
		if status != 200 {
			t.Fatalf("at %d: %d", at, status)
		}
		var cards strings.Builder
		for _, c := range classroom.Of(log[:at]).Cards {
			if err := templates.Card(templates.CardView{Session: id, Card: c}).Render(t.Context(), &cards); err != nil {
				t.Fatal(err)
			}
		}
		want := cards.String()
		wanted := livetest.NewDOM(t, `<div id="exchanges">`+want+`</div>`).InnerOf("exchanges")
		if got := livetest.NewDOM(t, page).InnerOf("exchanges"); got != wanted {
			t.Fatalf("at %d: %s", at, livetest.FirstDifference(got, want))
		}
		if strings.Contains(page, "/resume\"") || strings.Contains(page, `id="composer"`) {
			t.Errorf("at %d there is something to press", at)
		}
	}
	end := fmt.Sprintf(`id="%s"`, templates.CardID(len(classroom.Of(log).Cards)))
	if status, page := get(t, client, w.http.URL+"/sessions/"+id+"/replay"); status != 200 ||
		!strings.Contains(page, end) {
		t.Errorf("without a place: %d, and the last exchange is not there", status)
	}
	if status, _ := get(t, client, w.http.URL+"/sessions/"+id+"/replay?at=99999"); status != 200 {
		t.Errorf("beyond the head: %d", status)
	}
	for _, bad := range []string{"at=x", "at=-1", "at=1&play=3"} {
		if status, _ := get(t, client, w.http.URL+"/sessions/"+id+"/replay?"+bad); status != 400 {
			t.Errorf("%s: %d", bad, status)
		}
	}
}

// The stream of a replay ends with a bye whose reason is end.
func TestReplayStreamEnds(t *testing.T) {
	w := newWebServer(t)
	client := w.browser()
	id := w.session(livetest.Scripted(34, 1))
	head := len(w.log(id))
	r := w.openAs(client, fmt.Sprintf("/sessions/%s/replay/stream?play=4&after=%d", id, head-2))
	met, bye := r.until("bye")
	if bye.data != `{"reason":"end"}` || met[0].event != "connected" {
		t.Errorf("%+v … %+v", met[0], bye)
	}
}
