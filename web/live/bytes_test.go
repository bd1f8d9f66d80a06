package live

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// A tap reads a page's patches as a stream does, and counts their bytes.
type tap struct {
	view   *liveView
	bytes  int
	frames int
	html   strings.Builder
}

func (tp *tap) run(ctx context.Context, log Log, cursor classroom.Cursor) {
	src := &pageSource{hub: &Hub{opt: Options{Log: log}}, live: tp.view}
	for {
		s, err := src.next(ctx, cursor)
		if err != nil {
			return
		}
		if len(s.bytes) > 0 {
			tp.bytes += len(s.bytes) + len(fmt.Sprintf("%x\r\n\r\n", len(s.bytes)))
			tp.frames++
			tp.html.Write(s.bytes)
		}
		cursor = s.to
		if s.more == nil {
			continue
		}
		select {
		case <-s.more:
		case <-ctx.Done():
			return
		}
	}
}

// A short answer, 400 tokens in 2 KB at 40 a second: the log has a row each
// 100 ms, and everything that the page is sent from the question to the end of
// the run fits into 16 KB on the wire, the rows of its list of sessions included.
func TestBytesOfAShortAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := livetest.NewScript(3)
		log := livetest.NewMemLog(w.Events...)
		ctx, stop := context.WithCancel(t.Context())
		lvs := newLiveViews(log, slog.New(slog.DiscardHandler))
		lv := lvs.acquire(viewKey{session: "s1"})
		if err := lv.update(ctx, log, nil); err != nil {
			t.Fatal(err)
		}
		lvs.addReader(lv)
		tp := &tap{view: lv}
		done := make(chan struct{})
		go func() { defer close(done); tp.run(ctx, log, 1) }()
		shortAnswer(w, log)
		time.Sleep(time.Second)
		stop()
		<-done
		lvs.removeReader(lv)
		lvs.release(lv)
		lvs.close()

		rows := listRows()
		t.Logf("%d bytes in %d frames, and %d for the list", tp.bytes, tp.frames, rows)
		if tp.bytes+rows > 16<<10 {
			t.Errorf("%d bytes were sent, at most %d may be", tp.bytes+rows, 16<<10)
		}
		if !strings.Contains(tp.html.String(), "Why leaves are green") {
			t.Error("the last patch did not come")
		}
	})
}

func shortAnswer(w *livetest.Script, log *livetest.MemLog) {
	commit := func(payloads ...classroom.Payload) {
		before := len(w.Events)
		for _, p := range payloads {
			w.Say(p)
		}
		log.Add(w.Events[before:]...)
	}
	text := strings.Repeat("plant ", 340)
	w.Exchange = 1
	w.Attempt = 1
	prompt := classroom.Cursor(len(w.Events) + 1)
	commit(classroom.UserMessage{Text: "Why are leaves green?", Author: livetest.Me, Delivery: classroom.Prompt},
		classroom.RunStart{Prompt: prompt, Model: "m"})
	time.Sleep(time.Millisecond)
	w.Agent = "ada"
	commit(classroom.AgentStart{Name: "Ada", Role: classroom.Teacher})
	time.Sleep(50 * time.Millisecond)
	commit(classroom.MessageStart{MessageID: "m1"})
	for i := 0; i < len(text); i += len(text) / 100 {
		commit(classroom.MessageUpdate{
			MessageID: "m1", Kind: classroom.BlockText, Delta: text[i:min(len(text), i+len(text)/100)],
		})
		time.Sleep(100*time.Millisecond + time.Microsecond) // never at the moment of a patch
	}
	// The runtime too writes the end of the last window with the end of the run.
	commit(classroom.MessageEnd{
		MessageID: "m1", Blocks: []classroom.Block{{Kind: classroom.BlockText, Text: text}},
		StopReason: classroom.StopEnd,
	}, classroom.AgentEnd{StopReason: classroom.StopEnd, Turns: 1},
		classroom.RunEnd{Status: classroom.Completed, Usage: classroom.Usage{Input: 10, Output: 400}})
	w.Agent, w.Attempt, w.Exchange = "", 0, 0
	time.Sleep(200 * time.Millisecond)
	commit(classroom.TitleChange{Title: "Why leaves are green", By: "tutor"})
}

// listRows is what a run costs a page's list of sessions: it starts, it ends, it has a title.
func listRows() int {
	p := new(patch)
	for _, s := range []classroom.Session{
		{ID: "abcdefghijklmnop", Status: classroom.Running, Exchanges: 1},
		{ID: "abcdefghijklmnop", Exchanges: 1},
		{ID: "abcdefghijklmnop", Exchanges: 1, Title: "Why leaves are green"},
	} {
		p.sessionRow(s, true)
	}
	return len(appendHTML(nil, 0, p.buf.Bytes())) + 3*len("data:\n\n123\r\n\r\n")
}
