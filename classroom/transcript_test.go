package classroom

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// malformed says what is wrong with a transcript, or nothing: each call must be
// followed by exactly one result, in the order of the calls, and no result may
// stand alone.
func malformed(lines []Line) string {
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		switch {
		case l.Voice == VoiceResult:
			return fmt.Sprintf("line %d is a result without a call", i)
		case l.Voice != VoiceSelf && len(l.Calls) > 0:
			return fmt.Sprintf("line %d of %s has calls", i, l.Voice)
		case l.Voice == VoiceSelf && l.Text == "" && len(l.Calls) == 0:
			return fmt.Sprintf("line %d says nothing", i)
		}
		for _, call := range l.Calls {
			i++
			if i >= len(lines) || lines[i].Voice != VoiceResult || lines[i].CallID != call.CallID {
				return fmt.Sprintf("line %d is not the result of %s", i, call.CallID)
			}
			var args map[string]any
			if call.CallID == "" || json.Unmarshal(call.Args, &args) != nil || args == nil {
				return fmt.Sprintf("call %q has the arguments %s", call.CallID, call.Args)
			}
		}
	}
	return ""
}

func TestTranscriptIsWellFormedAtAnyCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := new(Fold)
		for _, e := range anyLog.Draw(t, "log") {
			f.Apply(e)
			for _, agent := range []string{"ada", "max", "lea", "nobody", ""} {
				if wrong := malformed(f.Transcript(agent)); wrong != "" {
					t.Fatalf("transcript of %q after %d: %s\n%s", agent, e.ID, wrong, dump(f.Transcript(agent)))
				}
			}
		}
	})
}

// TestTranscriptHoldsWhatWasSaid compares the transcripts of a lesson with its
// log: every question and delivered steer, every whole message of the agent
// with the real results of its calls, and nothing that waits or was replaced.
func TestTranscriptHoldsWhatWasSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := lessons.Draw(t, "lesson")
		f := Of(slimLog(t, l.drafts))
		replaced := map[string]bool{}
		for _, d := range l.drafts {
			if r, ok := d.Payload.(Retry); ok {
				replaced[r.MessageID] = true
			}
		}
		for _, a := range l.roster {
			var human, own, results, peers int
			for _, line := range f.Transcript(a.ID) {
				switch line.Voice {
				case VoiceHuman:
					human++
				case VoiceSelf:
					own++
				case VoicePeer:
					peers++
				case VoiceResult:
					if line.Text != "Result of "+line.CallID {
						t.Fatalf("the result of %s is %q", line.CallID, line.Text)
					}
					results++
				}
			}
			want := expected(l, a.ID, replaced)
			if got := [4]int{human, own, results, peers}; got != want {
				t.Fatalf("%s is given %v lines of humans, its own, results and peers, not %v", a.ID, got, want)
			}
		}
	})
}

// expected counts from the drafts what the transcript of an agent must hold.
func expected(l *lesson, agent string, replaced map[string]bool) (n [4]int) {
	question := Cursor(0)
	for _, d := range l.drafts {
		switch p := d.Payload.(type) {
		case RunStart:
			n[0]++
			question = p.Prompt
		case Safety:
			if p.Prompt == question {
				n[0]--
			}
		case QueueUpdate:
			n[0] += len(p.Delivered)
		case MessageEnd:
			text, calls := "", 0
			for _, b := range p.Blocks {
				switch b.Kind {
				case BlockText:
					text += b.Text
				case BlockToolCall:
					calls++
				}
			}
			switch {
			case replaced[p.MessageID]:
			case d.Agent == agent:
				n[2] += calls
				if text != "" || calls > 0 {
					n[1]++
				}
			case text != "":
				n[3]++
			}
		}
	}
	return n
}

// a conversation in which everything stands once that has a rule of its own.
func conversation() []Draft {
	in := func(agent string, p Payload) Draft { return Draft{Exchange: 1, Agent: agent, Attempt: 1, Payload: p} }
	text := func(s string) []Block { return []Block{{Kind: BlockThinking, Text: "hm"}, {Kind: BlockText, Text: s}} }
	call := func(id, args string) Block {
		return Block{Kind: BlockToolCall, CallID: id, Name: "search_materials", Args: json.RawMessage(args)}
	}
	return []Draft{
		{Exchange: 1, Payload: UserMessage{Text: "Why?", Author: Author{"p1", "Kim"}, Delivery: Prompt}},
		{Exchange: 1, Payload: RunStart{Prompt: 1}},
		in("ada", AgentStart{Name: "Ada", Role: Teacher}),
		in("ada", MessageStart{MessageID: "m1"}),
		in("ada", MessageEnd{MessageID: "m1", Blocks: text("Broken off"), StopReason: StopError}),
		in("ada", Retry{MessageID: "m1", Attempt: 1, Max: 3}),
		in("ada", MessageEnd{MessageID: "m2", StopReason: StopToolUse,
			Blocks: append(text("I look."), call("c1", `{"query":"light"}`), call("c2", `"{\"que"`),
				call("c3", `{}`))}),
		in("ada", ToolExecutionEnd{CallID: "c1", Content: []Content{{BlockText, "Leaves"}, {BlockText, " are green."}},
			Details: json.RawMessage(`{"n":1}`)}),
		in("ada", ToolExecutionEnd{CallID: "c2", IsError: true, Content: []Content{{BlockText, "Not JSON."}}}),
		in("ada", ToolExecutionStart{CallID: "c3"}),
		{Exchange: 1, Payload: UserMessage{Text: "Shorter!", Author: Author{"p2", "Ali"}, Delivery: Steer}},
		{Payload: QueueUpdate{Steer: []Queued{{Cursor: 11, Text: "Shorter!"}}}},
		in("ada", QueueUpdate{Delivered: []Cursor{11}}),
		in("ada", MessageEnd{MessageID: "m3", Blocks: text("Light feeds"), StopReason: StopLength}),
		in("ada", AgentEnd{StopReason: StopLength}),
		in("max", AgentStart{Name: "Max", Role: Assistant}),
		in("max", MessageEnd{MessageID: "m4", Blocks: text("Key word: light."), StopReason: StopEnd}),
		in("max", MessageStart{MessageID: "m5"}),
		in("max", MessageUpdate{MessageID: "m5", Kind: BlockText, Delta: "And al"}),
		{Payload: UserMessage{Text: "And water?", Author: Author{"p2", "Ali"}, Delivery: FollowUp}},
		{Payload: QueueUpdate{FollowUp: []Queued{{Cursor: 20, Text: "And water?"}}}},
	}
}

func TestTranscriptSaysWhoSaidWhat(t *testing.T) {
	f := Of(slimLog(t, conversation()))
	for agent, want := range map[string]string{
		"ada": `human Kim: Why?
self Ada: I look. [search_materials {"query":"light"}] [search_materials {}] [search_materials {}]
result c1: Leaves are green. {"n":1}
result c2 error: Not JSON.
result c3 error: No result: this call did not finish.
human Ali: Shorter!
self Ada, cut off: Light feeds
peer Max (assistant): Key word: light.`,
		"max": `human Kim: Why?
peer Ada (teacher): I look.
human Ali: Shorter!
peer Ada (teacher), cut off: Light feeds
self Max: Key word: light.`,
	} {
		var got []string
		for _, l := range f.Transcript(agent) {
			got = append(got, written(l))
			if l.Exchange != 1 {
				t.Errorf("%q is of exchange %d", l.Text, l.Exchange)
			}
		}
		if got := strings.Join(got, "\n"); got != want {
			t.Errorf("transcript of %s:\n%s\nwant:\n%s", agent, got, want)
		}
	}
}

// written is a line of a transcript as text.
func written(l Line) string {
	s := string(l.Voice)
	for _, part := range []string{l.Name, l.CallID} {
		if part != "" {
			s += " " + part
		}
	}
	if l.Voice == VoicePeer {
		s += " (" + string(l.Role) + ")"
	}
	if l.IsError {
		s += " error"
	}
	if l.CutOff {
		s += ", cut off"
	}
	s += ": " + l.Text
	for _, c := range l.Calls {
		s += fmt.Sprintf(" [%s %s]", c.Name, c.Args)
	}
	if l.Details != nil {
		s += " " + string(l.Details)
	}
	return s
}

func TestTranscriptLeavesOutAQuestionWithoutARun(t *testing.T) {
	drafts := conversation()[:1]
	if lines := Of(slimLog(t, drafts)).Transcript("ada"); len(lines) != 0 {
		t.Errorf("a question that no run answers is given as %v", lines)
	}
}

// TestUnansweredQuestionsAreDropped: a question that nobody said a word to is there for
// the next ten, and then no longer; one that was answered stays.
func TestUnansweredQuestionsAreDropped(t *testing.T) {
	var events []Event
	say := func(exchange int, agent string, p Payload) {
		e, err := Draft{Exchange: exchange, Agent: agent, Attempt: 1, Payload: p}.Encode(Cursor(len(events)+1), 1)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	for x := 1; x <= 14; x++ {
		say(x, "", UserMessage{Text: fmt.Sprintf("Q%d", x), Delivery: Prompt})
		say(x, "", RunStart{Prompt: Cursor(len(events))})
		say(x, "ada", AgentStart{Name: "Ada", Role: Teacher})
		if x == 2 {
			say(x, "ada", MessageEnd{MessageID: "m", Blocks: []Block{{Kind: BlockText, Text: "A2"}},
				StopReason: StopEnd})
		}
		say(x, "ada", AgentEnd{StopReason: StopError})
		say(x, "", RunEnd{Status: Failed})
	}
	got := ""
	for _, l := range Of(events).Transcript("ben") {
		got += l.Text + " "
	}
	if want := "Q2 A2 Q4 Q5 Q6 Q7 Q8 Q9 Q10 Q11 Q12 Q13 Q14 "; got != want {
		t.Errorf("the transcript is %q, want %q", got, want)
	}
}
