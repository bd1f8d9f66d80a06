package classroom

import (
	"encoding/json"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

// TestDeltasGrowIntoTheMessage: what a page shows just before message_end is
// what message_end then says, so that nothing jumps at the end.
func TestDeltasGrowIntoTheMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := new(Fold)
		for _, e := range slimLog(t, lessons.Draw(t, "lesson").drafts) {
			p, err := Decode(e)
			if err != nil {
				t.Fatal(err)
			}
			if end, ok := p.(MessageEnd); ok {
				checkGrown(t, f.Card(e.Exchange).LastWindow(), end)
			}
			f.Apply(e)
		}
	})
}

func checkGrown(t *rapid.T, w *Window, end MessageEnd) {
	m := w.Entries[len(w.Entries)-1].Message
	for i := len(w.Entries) - 1; m == nil || m.ID != end.MessageID; i-- {
		m = w.Entries[i].Message
	}
	if !m.Open || len(m.Blocks) != len(end.Blocks) {
		t.Fatalf("before its end message %s is open: %t, and has %d parts, not %d", m.ID, m.Open, len(m.Blocks),
			len(end.Blocks))
	}
	for i, b := range end.Blocks {
		p := m.Blocks[i]
		if b.Kind == BlockToolCall {
			b.Text = `{"query":"light"}`
		}
		if p.Kind != b.Kind || p.Text != b.Text || p.Name != b.Name || p.CallID != b.CallID {
			t.Fatalf("part %d grew to %+v, its block is %+v", i, p, b)
		}
	}
}

// after folds a log that opens an exchange, a run and a window, and then says payloads.
func after(t *testing.T, payloads ...Payload) *Fold {
	t.Helper()
	drafts := append([]Draft{}, lessonOpening...)
	for _, p := range payloads {
		drafts = append(drafts, Draft{Exchange: 1, Agent: "ada", Attempt: 1, Payload: p})
	}
	return Of(slimLog(t, drafts))
}

// TestBarrierOpens: the barrier holds until the agent, the run or the attempt ends.
func TestBarrierOpens(t *testing.T) {
	up := QueueUpdate{Reason: "barrier"}
	for _, c := range []struct {
		name string
		then []Payload
		want bool
	}{
		{"at once", nil, true},
		{"another message", []Payload{MessageStart{MessageID: "m1"}, MessageEnd{MessageID: "m1"}}, true},
		{"turn_end", []Payload{TurnEnd{}}, true},
		{"another queue_update", []Payload{QueueUpdate{}}, true},
		{"agent_end", []Payload{AgentEnd{}}, false},
		{"run_end", []Payload{RunEnd{Status: Failed}}, false},
		{"run_interrupt", []Payload{RunInterrupt{}}, false},
	} {
		if f := after(t, append([]Payload{up}, c.then...)...); f.Barrier != c.want {
			t.Errorf("after %s the barrier is up: %t", c.name, f.Barrier)
		}
	}
}

// TestDroppedMessagesAreOfferedUntilTheNextQuestion: with why they were dropped.
func TestDroppedMessagesAreOfferedUntilTheNextQuestion(t *testing.T) {
	ask := UserMessage{Text: "And water?", Delivery: FollowUp}
	f := after(t, ask, QueueUpdate{FollowUp: []Queued{{Cursor: 4, Text: "And water?"}}},
		QueueUpdate{Dropped: []Cursor{4, 99}, Reason: "barrier"})
	if want := (Queue{Dropped: []Queued{{Cursor: 4, Text: "And water?"}},
		Reason: "barrier"}); dump(f.Queue) != dump(want) {
		t.Errorf("the queue is\n%s", dump(f.Queue))
	}
	f.Apply(Event{ID: 7, Type: TypeUserMessage, Exchange: 2, Data: json.RawMessage(`{"text":"?","delivery":"prompt"}`)})
	if got := dump(f.Queue); got != "" {
		t.Errorf("after the next question the queue is\n%s", got)
	}
}

// TestFollowUpLeavesTheQueueWhereItsRunStarts: the run_start that names it is enough,
// and the others go on waiting.
func TestFollowUpLeavesTheQueueWhereItsRunStarts(t *testing.T) {
	f := after(t, UserMessage{Text: "And water?", Delivery: FollowUp},
		UserMessage{Text: "And light?", Delivery: FollowUp},
		QueueUpdate{FollowUp: []Queued{{Cursor: 4, Text: "And water?"}, {Cursor: 5, Text: "And light?"}}},
		RunEnd{Status: Completed})
	f.Apply(Event{ID: 8, Type: TypeRunStart, Exchange: 2, Data: json.RawMessage(`{"prompt":4}`)})
	if want := (Queue{FollowUp: []Queued{{Cursor: 5, Text: "And light?"}}}); dump(f.Queue) != dump(want) {
		t.Errorf("the queue is\n%s", dump(f.Queue))
	}
	if c := f.LastCard(); c.Exchange != 2 || c.Question.Text != "And water?" {
		t.Errorf("exchange %d asks %q", c.Exchange, c.Question.Text)
	}
}

// TestTailShowsEachThingOnce, and only once the agent or the run has ended.
func TestTailShowsEachThingOnce(t *testing.T) {
	scene := Checkpoint{LessonID: "l1", SceneID: "s1"}
	titled := Checkpoint{LessonID: "l1", SceneID: "s1", Title: "In the leaf"}
	made := []Payload{scene, StageLink{LessonID: "l1", Title: "Leaf"}, titled, scene}
	want := []Link{{TypeCheckpoint, "l1/s1", "In the leaf"}, {TypeStageLink, "l1", "Leaf"}}
	media := Link{TypeMediaReady, "m1", ""}
	for _, c := range []struct {
		name string
		then []Payload
		want []Link
	}{
		{"while the agent speaks", nil, nil},
		{"agent_end", []Payload{AgentEnd{}}, want},
		{"run_end", []Payload{RunEnd{}}, want},
		{"again after the end", []Payload{AgentEnd{}, scene, RunEnd{}}, want},
		{"ready after the end", []Payload{RunEnd{}, MediaReady{Ref: "m1"}}, append(want[:2:2], media)},
	} {
		if got := after(t, append(made[:4:4], c.then...)...).Cards[0].Products; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestARetryReplacesOneMessage, and its calls' progress stops with their results.
func TestARetryReplacesOneMessage(t *testing.T) {
	f := after(t, MessageStart{MessageID: "m1"}, MessageEnd{MessageID: "m1", StopReason: StopError},
		Retry{MessageID: "m1", Attempt: 1, Max: 3},
		MessageStart{MessageID: "m2"}, ToolExecutionStart{CallID: "c1"},
		ToolExecutionUpdate{CallID: "c1", Progress: "half"},
		ToolExecutionEnd{CallID: "c1", Content: []Content{{BlockText, "done"}}},
		ToolExecutionUpdate{CallID: "c1", Progress: "late"},
		ToolExecutionEnd{CallID: "c1", Content: []Content{{BlockText, "twice"}}})
	x := f.Cards[0].Windows[0].Entries
	if len(x) != 4 || !x[0].Message.Superseded || x[1].Retry == nil || x[2].Message.Superseded {
		t.Fatalf("the window holds\n%s", dump(x))
	}
	if c := x[3].Call; !c.Done || c.Progress != "" || c.Content != "done" {
		t.Errorf("the call is\n%s", dump(c))
	}
}

func TestMessageTextJoinsWhatIsSaid(t *testing.T) {
	m := &Message{Blocks: []*BlockView{{Kind: BlockThinking, Text: "hm"}, {Kind: BlockText, Text: "One."},
		{Kind: BlockText}, {Kind: BlockToolCall, Text: "{}"}, {Kind: BlockText, Text: "Two."}}}
	if got := m.Text(); got != "One.\n\nTwo." {
		t.Errorf("the message says %q", got)
	}
}

// TestAHostileMessageStaysSmall: a block index is not a promise to fill memory.
func TestAHostileMessageStaysSmall(t *testing.T) {
	for block, want := range map[int]int{-1: 0, 0: 1, maxBlocks - 1: maxBlocks, maxBlocks: 0, 1 << 40: 0} {
		f := after(t, MessageUpdate{MessageID: "m1", Block: block, Kind: BlockText, Delta: "x"})
		if got := len(f.Cards[0].Windows[0].Entries[0].Message.Blocks); got != want {
			t.Errorf("block %d makes %d parts, not %d", block, got, want)
		}
	}
}

// TestADeltaCostsItsLength: twice the answer in twice the deltas takes twice
// the memory, not four times.
func TestADeltaCostsItsLength(t *testing.T) {
	short, long := grownBytes(t, 2000), grownBytes(t, 4000)
	t.Logf("2000 deltas allocate %d bytes, 4000 deltas %d", short, long)
	if long > 3*short {
		t.Errorf("2000 deltas allocate %d bytes, 4000 deltas %d", short, long)
	}
}

func grownBytes(t *testing.T, deltas int) uint64 {
	t.Helper()
	drafts := append([]Draft{}, lessonOpening...)
	for range deltas {
		drafts = append(drafts, Draft{Exchange: 1, Payload: MessageUpdate{MessageID: "m1", Kind: BlockText,
			Delta: "a few words of it "}})
	}
	log := slimLog(t, drafts)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := Of(log)
	runtime.ReadMemStats(&after)
	if got := len(f.Cards[0].Windows[0].Entries[0].Message.Text()); got != deltas*18 {
		t.Fatalf("the message has %d bytes", got)
	}
	return after.TotalAlloc - before.TotalAlloc
}

// TestUsageIsThatOfTheEnd, and before it the sum of the windows.
func TestUsageIsThatOfTheEnd(t *testing.T) {
	one, end := AgentEnd{Usage: Usage{1, 2, 3, 4, 5}}, RunEnd{Usage: Usage{Input: 100}}
	if got := after(t, one, AgentStart{}, one).Cards[0].Usage(); got != (Usage{2, 4, 6, 8, 10}) {
		t.Errorf("two windows used %v", got)
	}
	if got := after(t, one, end).Cards[0].Usage(); got != end.Usage {
		t.Errorf("the ended card used %v", got)
	}
}

// TestAResumedCardRunsAgain: the attempt counts up, and the end is forgotten.
func TestAResumedCardRunsAgain(t *testing.T) {
	f := after(t, AgentEnd{StopReason: StopError}, RunEnd{Status: Failed, Code: "busy"}, RunResume{Reason: "user"})
	c := f.Cards[0]
	if c.State != CardRunning || c.Attempt != 2 || c.End != nil || c.Ended != 0 || c.ResumeReason != "user" ||
		f.Running != 1 {
		t.Errorf("running %d, card\n%s", f.Running, dump(c))
	}
	f = after(t, AgentEnd{}, RunInterrupt{Reason: "crash"})
	if c := f.Cards[0]; c.State != CardInterrupted || c.InterruptReason != "crash" || f.Running != 0 ||
		f.Status() != Interrupted {
		t.Errorf("status %s, card\n%s", f.Status(), dump(c))
	}
}
