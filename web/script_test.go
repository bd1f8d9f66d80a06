package web

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"colloquy/classroom"
)

// A script makes a log such as the runtime writes, with everything in it that a
// page shows, by chance that a seed decides.
type script struct {
	r        *rand.Rand
	events   []classroom.Event
	exchange int
	attempt  int
	agent    string
	clock    classroom.Stamp
	messages int
	calls    int
}

func newScript(seed uint64) *script {
	s := &script{r: rand.New(rand.NewPCG(seed, 7)), clock: 1_800_000_000_000}
	s.say(classroom.SessionStart{ClassID: "c1", Title: "", Mode: classroom.ModeQA, Roster: roster()})
	return s
}

func roster() []classroom.Agent {
	return []classroom.Agent{
		{ID: "ada", Name: "Ada", Role: classroom.Teacher},
		{ID: "ben", Name: "Ben <b>", Role: classroom.Assistant},
		{ID: "cy", Name: "Cy", Role: classroom.Student},
	}
}

func (s *script) say(p classroom.Payload) classroom.Cursor {
	s.clock += classroom.Stamp(s.r.IntN(400))
	d := classroom.Draft{Exchange: s.exchange, Agent: s.agent, Attempt: s.attempt, Payload: p}
	e, err := d.Encode(classroom.Cursor(len(s.events)+1), s.clock)
	if err != nil {
		panic(err)
	}
	s.events = append(s.events, e)
	return e.ID
}

// unknown appends a type of a later version.
func (s *script) unknown() {
	s.events = append(s.events, classroom.Event{ID: classroom.Cursor(len(s.events) + 1), Time: s.clock, Type: "hologram", Data: json.RawMessage(`{"x":1}`)})
}

func (s *script) chance(percent int) bool { return s.r.IntN(100) < percent }

var me = classroom.Author{ID: "owner", Name: "Owner"}

// run appends one exchange.
func (s *script) run(text string) {
	s.exchange, s.attempt = s.exchange+1, 0
	prompt := s.say(classroom.UserMessage{Text: text, Author: me, Delivery: classroom.Prompt})
	s.attempt = 1
	s.say(classroom.RunStart{Prompt: prompt, Model: "test"})
	windows := 1 + s.r.IntN(3)
	for i := range windows {
		s.window(roster()[i])
		if s.chance(15) {
			s.interrupted()
		}
	}
	s.end()
}

func (s *script) interrupted() {
	s.say(classroom.RunInterrupt{Reason: "crash"})
	s.attempt++
	s.say(classroom.RunResume{Reason: "restart"})
	s.window(roster()[0])
}

func (s *script) end() {
	if s.chance(10) {
		s.say(classroom.CueUser{Question: "And you?", Options: []classroom.Option{{ID: "a", Label: "Yes"}}})
	}
	status := []string{classroom.Completed, classroom.Completed, classroom.Failed, classroom.Cancelled}[s.r.IntN(4)]
	s.say(classroom.RunEnd{Status: status, Message: "A sentence.", Usage: classroom.Usage{Input: 3, Output: 4}})
	s.attempt = 0
	exchange := s.exchange
	s.exchange = 0
	if s.chance(40) {
		s.say(classroom.TitleChange{Title: fmt.Sprintf("Title %d & more", len(s.events)), By: "tutor"})
	}
	s.exchange = exchange
	if s.chance(20) {
		s.say(classroom.MediaReady{Ref: "m1", LessonID: "l1", Status: "ready"})
	}
	if s.chance(20) {
		s.unknown()
	}
	if s.chance(15) {
		s.attempt = 2
		s.say(classroom.RunResume{Reason: "user"})
		s.window(roster()[1])
		s.say(classroom.RunEnd{Status: classroom.Completed})
		s.attempt = 0
	}
}

func (s *script) window(a classroom.Agent) {
	s.agent = a.ID
	parts := []string{"", "", "", classroom.StageFor, classroom.StageAgainst, classroom.StageModerator, classroom.StageReply}
	s.say(classroom.AgentStart{Name: a.Name, Role: a.Role, StageRole: parts[s.r.IntN(len(parts))], Round: s.r.IntN(3)})
	turns := 1 + s.r.IntN(2)
	for turn := 1; turn <= turns; turn++ {
		s.say(classroom.TurnStart{Turn: turn})
		if s.chance(20) {
			s.steer()
		}
		if s.chance(10) {
			s.say(classroom.Compaction{Summary: "What was <b>said</b>.", FirstKept: 2, TokensBefore: 9000, TokensAfter: 800})
		}
		for s.chance(15) {
			s.retry()
		}
		s.message(turn < turns)
		s.say(classroom.TurnEnd{Turn: turn, StopReason: classroom.StopEnd})
	}
	if s.chance(20) {
		s.say(classroom.StageLink{LessonID: "l1", Title: "A lesson"})
	}
	s.say(classroom.AgentEnd{StopReason: classroom.StopEnd, Turns: turns})
	s.agent = ""
}

func (s *script) steer() {
	agent := s.agent
	s.agent = ""
	at := s.say(classroom.UserMessage{Text: "And <i>this</i>?", Author: me, Delivery: classroom.Steer})
	s.say(classroom.QueueUpdate{Steer: []classroom.Queued{{Cursor: at, Text: "And <i>this</i>?"}}})
	s.agent = agent
	s.say(classroom.QueueUpdate{Delivered: []classroom.Cursor{at}})
}

func (s *script) retry() {
	id := s.startMessage()
	s.say(classroom.MessageUpdate{MessageID: id, Block: 0, Kind: classroom.BlockText, Delta: "broken off"})
	s.say(classroom.Retry{MessageID: id, Attempt: 1, Max: 3, WaitMS: 2000, Reason: "overloaded"})
}

func (s *script) startMessage() string {
	s.messages++
	id := fmt.Sprintf("m%d", s.messages)
	s.say(classroom.MessageStart{MessageID: id})
	return id
}

// message appends one message, and what its tool did.
func (s *script) message(tool bool) {
	id := s.startMessage()
	var blocks []classroom.Block
	if s.chance(30) {
		blocks = append(blocks, s.grow(id, len(blocks), classroom.BlockThinking, "Let me think. First this,\nthen <that>.\n\nDone."))
	}
	blocks = append(blocks, s.grow(id, len(blocks), classroom.BlockText, texts[s.r.IntN(len(texts))]))
	stop := classroom.StopEnd
	call := ""
	if tool {
		s.calls++
		call, stop = fmt.Sprintf("call%d", s.calls), classroom.StopToolUse
		args := `{"query":"light"}`
		s.say(classroom.MessageUpdate{MessageID: id, Block: len(blocks), Kind: classroom.DeltaToolArgs, Delta: args, CallID: call, Name: "search_materials"})
		blocks = append(blocks, classroom.Block{Kind: classroom.BlockToolCall, CallID: call, Name: "search_materials", Args: json.RawMessage(args)})
	}
	if s.chance(10) {
		blocks[0].Text += " (corrected)"
	}
	if blocks[0].Kind == classroom.BlockText && s.chance(15) { // it was thinking after all
		blocks[0].Kind = classroom.BlockThinking
	}
	s.say(classroom.MessageEnd{MessageID: id, Blocks: blocks, StopReason: stop})
	if tool {
		s.tool(call)
	}
}

func (s *script) tool(call string) {
	s.say(classroom.ToolExecutionStart{CallID: call, Name: "search_materials", Args: json.RawMessage(`{"query":"light"}`)})
	if s.chance(50) {
		s.say(classroom.ToolExecutionUpdate{CallID: call, Progress: "half way"})
	}
	details := json.RawMessage(`{"query":"light","passages":[{"material_id":"m","material":"<script>Optics","text":"Light bends."}]}`)
	s.say(classroom.ToolExecutionEnd{CallID: call, Name: "search_materials", IsError: s.chance(20), Content: []classroom.Content{{Kind: "text", Text: "Light bends."}}, Details: details, DurationMS: 12})
}

// grow says a text in deltas of chance length, cut at whole characters.
func (s *script) grow(id string, block int, kind, text string) classroom.Block {
	runes := []rune(text)
	for at := 0; at < len(runes); {
		n := min(len(runes)-at, 1+s.r.IntN(12))
		s.say(classroom.MessageUpdate{MessageID: id, Block: block, Kind: kind, Delta: string(runes[at : at+n])})
		at += n
	}
	return classroom.Block{Kind: kind, Text: text}
}

// texts are what agents say: what grows in every way that Markdown can, and what
// must not become more than text.
var texts = []string{
	"Plants take in light. They store it as *sugar*, and that is **all** they need for the night.\n\nA second paragraph follows.",
	"Three things:\n\n- one thing\n- another, with `code`\n- and a **third** one\n\nThat is it.",
	"1. First\n2. Second\n   - nested\n   - more\n3. Third",
	"| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n",
	"Look:\n\n```go\nfunc main() {\n\tfmt.Println(\"<b>hi</b>\")\n}\n```\n\nDone.",
	"The area is $\\pi r^2$, and\n\n$$\\int_0^1 x\\,dx = \\tfrac12$$\n\nis a half. It costs $5 and $6.",
	"# Head\n\n> quoted\n> more\n\nText with a [link](https://example.org/a?b=c&d) and ![an image](https://evil.example/?q=1).",
	"one\ntwo\rthree\r\nfour\nevent: close\nid: 999999\nretry: 1\n\ndata: x\n: comment\n    indented\n",
	"<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) <svg onload=alert(1)></svg><iframe src=//evil>",
	"</hx-partial><hx-upsert hx-target=\"#exchanges\"><b id=\"x1\">no</b></hx-upsert> <template hx type=\"partial\" hx-target=\"#queue\">no</template> <head><title>no</title></head>",
	"a\n#\nb\n===\nc\n---\n***bold*** _it_ ~~gone~~ https://example.com.\n\n- [ ] task\n- [x] done\n\nTerm[^1]\n\n[^1]: note\n\n[ref]: https://example.org\n\nSee [ref].",
	strings.Repeat("Every word of this long paragraph is another step. ", 12),
	"Grüße, 漢字, 👩‍🏫 and \u2028 separators \u0000 \ufeff.",
}
