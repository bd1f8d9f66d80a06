package livetest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"colloquy/classroom"
)

// A Script is a generator of logs such as the runtime writes, with everything that a
// page shows. Its random choices depend on a seed.
type Script struct {
	r        *rand.Rand
	Events   []classroom.Event
	Exchange int
	Attempt  int
	Agent    string
	clock    classroom.Stamp
	Messages int
	calls    int
}

// NewScript returns a log with its session_start.
func NewScript(seed uint64) *Script {
	s := &Script{r: rand.New(rand.NewPCG(seed, 7)), clock: 1_800_000_000_000}
	s.Say(classroom.SessionStart{ClassID: "c1", Title: "", Mode: classroom.ModeQA, Roster: Roster()})
	return s
}

// Scripted returns a log with a number of exchanges.
func Scripted(seed uint64, exchanges int) []classroom.Event {
	s := NewScript(seed)
	for i := range exchanges {
		s.Run(fmt.Sprintf("Question %d <b>&amp;</b>\nid: 9", i))
	}
	return s.Events
}

// Roster returns the roster of the scripts' class.
func Roster() []classroom.Agent {
	return []classroom.Agent{
		{ID: "ada", Name: "Ada", Role: classroom.Teacher},
		{ID: "ben", Name: "Ben <b>", Role: classroom.Assistant},
		{ID: "cy", Name: "Cy", Role: classroom.Student},
	}
}

// Say appends one event and returns its cursor.
func (s *Script) Say(p classroom.Payload) classroom.Cursor {
	s.clock += classroom.Stamp(s.r.IntN(400))
	d := classroom.Draft{Exchange: s.Exchange, Agent: s.Agent, Attempt: s.Attempt, Payload: p}
	e, err := d.Encode(classroom.Cursor(len(s.Events)+1), s.clock)
	if err != nil {
		panic(err)
	}
	s.Events = append(s.Events, e)
	return e.ID
}

// unknown appends an event whose type is of a later version.
func (s *Script) unknown() {
	next := classroom.Cursor(len(s.Events) + 1)
	e := classroom.Event{ID: next, Time: s.clock, Type: "hologram", Data: json.RawMessage(`{"x":1}`)}
	s.Events = append(s.Events, e)
}

func (s *Script) chance(percent int) bool { return s.r.IntN(100) < percent }

// Me is the author of the scripts' questions.
var Me = classroom.Author{ID: "owner", Name: "Owner"}

// Run appends one exchange.
func (s *Script) Run(text string) {
	s.Exchange, s.Attempt = s.Exchange+1, 0
	prompt := s.Say(classroom.UserMessage{Text: text, Author: Me, Delivery: classroom.Prompt})
	s.Attempt = 1
	s.Say(classroom.RunStart{Prompt: prompt, Model: "test"})
	windows := 1 + s.r.IntN(3)
	for i := range windows {
		s.window(Roster()[i])
		if s.chance(15) {
			s.interrupted()
		}
	}
	s.end()
}

func (s *Script) interrupted() {
	s.Say(classroom.RunInterrupt{Reason: "crash"})
	s.Attempt++
	s.Say(classroom.RunResume{Reason: "restart"})
	s.window(Roster()[0])
}

func (s *Script) end() {
	if s.chance(10) {
		s.Say(classroom.CueUser{Question: "And you?", Options: []classroom.Option{{ID: "a", Label: "Yes"}}})
	}
	if s.chance(8) {
		s.Say(classroom.Safety{Kind: classroom.DistressDanger, Lang: "de", Action: classroom.ActionAdult})
	}
	status := []string{classroom.Completed, classroom.Completed, classroom.Failed, classroom.Cancelled}[s.r.IntN(4)]
	s.Say(classroom.RunEnd{Status: status, Message: "A sentence.", Usage: classroom.Usage{Input: 3, Output: 4}})
	s.Attempt = 0
	exchange := s.Exchange
	s.Exchange = 0
	if s.chance(40) {
		s.Say(classroom.TitleChange{Title: fmt.Sprintf("Title %d & more", len(s.Events)), By: "tutor"})
	}
	s.Exchange = exchange
	if s.chance(20) {
		s.Say(classroom.MediaReady{Ref: "m1", LessonID: "l1", Status: "ready"})
	}
	if s.chance(20) {
		s.unknown()
	}
	if s.chance(15) {
		s.Attempt = 2
		s.Say(classroom.RunResume{Reason: "user"})
		s.window(Roster()[1])
		s.Say(classroom.RunEnd{Status: classroom.Completed})
		s.Attempt = 0
	}
}

func (s *Script) window(a classroom.Agent) {
	s.Agent = a.ID
	parts := []string{
		"", "", "", classroom.StageFor, classroom.StageAgainst, classroom.StageModerator, classroom.StageReply,
	}
	s.Say(classroom.AgentStart{Name: a.Name, Role: a.Role, StageRole: parts[s.r.IntN(len(parts))], Round: s.r.IntN(3)})
	turns := 1 + s.r.IntN(2)
	for turn := 1; turn <= turns; turn++ {
		s.Say(classroom.TurnStart{Turn: turn})
		if s.chance(20) {
			s.steer()
		}
		if s.chance(10) {
			s.Say(classroom.Compaction{
				Summary: "What was <b>said</b>.", FirstKept: 2, TokensBefore: 9000, TokensAfter: 800,
			})
		}
		for s.chance(15) {
			s.retry()
		}
		s.message(turn < turns)
		s.Say(classroom.TurnEnd{Turn: turn, StopReason: classroom.StopEnd})
	}
	if s.chance(20) {
		s.Say(classroom.StageLink{LessonID: "l1", Title: "A lesson"})
	}
	s.Say(classroom.AgentEnd{StopReason: classroom.StopEnd, Turns: turns})
	s.Agent = ""
}

func (s *Script) steer() {
	agent := s.Agent
	s.Agent = ""
	at := s.Say(classroom.UserMessage{Text: "And <i>this</i>?", Author: Me, Delivery: classroom.Steer})
	s.Say(classroom.QueueUpdate{Steer: []classroom.Queued{{Cursor: at, Text: "And <i>this</i>?"}}})
	s.Agent = agent
	s.Say(classroom.QueueUpdate{Delivered: []classroom.Cursor{at}})
}

func (s *Script) retry() {
	id := s.StartMessage()
	s.Say(classroom.MessageUpdate{MessageID: id, Block: 0, Kind: classroom.BlockText, Delta: "broken off"})
	s.Say(classroom.Retry{MessageID: id, Attempt: 1, Max: 3, WaitMS: 2000, Reason: "overloaded"})
}

// StartMessage appends a message_start and returns its id.
func (s *Script) StartMessage() string {
	s.Messages++
	id := fmt.Sprintf("m%d", s.Messages)
	s.Say(classroom.MessageStart{MessageID: id})
	return id
}

// message appends one message, and the execution of its tool.
func (s *Script) message(tool bool) {
	id := s.StartMessage()
	var blocks []classroom.Block
	if s.chance(30) {
		thinking := "Let me think. First this,\nthen <that>.\n\nDone."
		blocks = append(blocks, s.Grow(id, len(blocks), classroom.BlockThinking, thinking))
	}
	blocks = append(blocks, s.Grow(id, len(blocks), classroom.BlockText, Texts[s.r.IntN(len(Texts))]))
	stop := classroom.StopEnd
	call := ""
	if tool {
		s.calls++
		call, stop = fmt.Sprintf("call%d", s.calls), classroom.StopToolUse
		args := `{"query":"light"}`
		s.Say(classroom.MessageUpdate{
			MessageID: id, Block: len(blocks), Kind: classroom.DeltaToolArgs, Delta: args, CallID: call,
			Name: "search_materials",
		})
		blocks = append(blocks, classroom.Block{
			Kind: classroom.BlockToolCall, CallID: call, Name: "search_materials", Args: json.RawMessage(args),
		})
	}
	if s.chance(10) {
		blocks[0].Text += " (corrected)"
	}
	if blocks[0].Kind == classroom.BlockText && s.chance(15) { // it was thinking after all
		blocks[0].Kind = classroom.BlockThinking
	}
	s.Say(classroom.MessageEnd{MessageID: id, Blocks: blocks, StopReason: stop})
	if tool {
		s.tool(call)
	}
}

func (s *Script) tool(call string) {
	s.Say(classroom.ToolExecutionStart{
		CallID: call, Name: "search_materials", Args: json.RawMessage(`{"query":"light"}`),
	})
	if s.chance(50) {
		s.Say(classroom.ToolExecutionUpdate{CallID: call, Progress: "half way"})
	}
	details := json.RawMessage(`{"query":"light","passages":` +
		`[{"material_id":"m","material":"<script>Optics","text":"Light bends."}]}`)
	s.Say(classroom.ToolExecutionEnd{
		CallID: call, Name: "search_materials", IsError: s.chance(20),
		Content: []classroom.Content{{Kind: "text", Text: "Light bends."}}, Details: details, DurationMS: 12,
	})
}

// Grow appends a text in deltas of random length, cut between characters.
func (s *Script) Grow(id string, block int, kind, text string) classroom.Block {
	runes := []rune(text)
	for at := 0; at < len(runes); {
		n := min(len(runes)-at, 1+s.r.IntN(12))
		s.Say(classroom.MessageUpdate{MessageID: id, Block: block, Kind: kind, Delta: string(runes[at : at+n])})
		at += n
	}
	return classroom.Block{Kind: kind, Text: text}
}

// Texts are messages of agents: Markdown of every kind, and text that must stay text.
var Texts = []string{
	"Plants take in light. They store it as *sugar*, and that is **all** they need for the night.\n\n" +
		"A second paragraph follows.",
	"Three things:\n\n- one thing\n- another, with `code`\n- and a **third** one\n\nThat is it.",
	"1. First\n2. Second\n   - nested\n   - more\n3. Third",
	"| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n",
	"Look:\n\n```go\nfunc main() {\n\tfmt.Println(\"<b>hi</b>\")\n}\n```\n\nDone.",
	"The area is $\\pi r^2$, and\n\n$$\\int_0^1 x\\,dx = \\tfrac12$$\n\nis a half. It costs $5 and $6.",
	"# Head\n\n> quoted\n> more\n\n" +
		"Text with a [link](https://example.org/a?b=c&d) and ![an image](https://evil.example/?q=1).",
	"one\ntwo\rthree\r\nfour\nevent: close\nid: 999999\nretry: 1\n\ndata: x\n: comment\n    indented\n",
	"<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) " +
		"<svg onload=alert(1)></svg><iframe src=//evil>",
	"</hx-partial><hx-upsert hx-target=\"#exchanges\"><b id=\"x1\">no</b></hx-upsert> " +
		"<template hx type=\"partial\" hx-target=\"#queue\">no</template> <head><title>no</title></head>",
	"a\n#\nb\n===\nc\n---\n***bold*** _it_ ~~gone~~ https://example.com.\n\n- [ ] task\n- [x] done\n\n" +
		"Term[^1]\n\n[^1]: note\n\n[ref]: https://example.org\n\nSee [ref].",
	strings.Repeat("Every word of this long paragraph is another step. ", 12),
	"Grüße, 漢字, 👩‍🏫 and \u2028 separators \u0000 \ufeff.",
}
