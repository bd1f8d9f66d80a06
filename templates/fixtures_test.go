package templates

import (
	"encoding/json"
	"testing"
	"time"

	"colloquy/classroom"
)

// A script writes a log for tests: each event comes 400 ms after the one before.
type script struct {
	t        *testing.T
	events   []classroom.Event
	exchange int
	attempt  int
	agent    string
}

var began = time.Date(2026, 11, 30, 9, 15, 2, 0, time.UTC)

func newScript(t *testing.T) *script {
	s := &script{t: t, attempt: 1}
	s.add(classroom.SessionStart{ClassID: "c1", Title: "Plants and light", Mode: classroom.ModeQA, Roster: roster()})
	return s
}

func roster() []classroom.Agent {
	return []classroom.Agent{
		{ID: "ada", Name: "Ada", Role: classroom.Teacher, Color: "teal", Avatar: "hexagon"},
		{ID: "ben", Name: "Ben", Role: classroom.Assistant, Color: "rust", Avatar: "diamond"},
		{ID: "chi", Name: "Chi", Role: classroom.Student, Color: "plum", Avatar: "circle"},
	}
}

func (s *script) add(p classroom.Payload) classroom.Cursor {
	d := classroom.Draft{Exchange: s.exchange, Payload: p}
	switch p.(type) {
	case classroom.SessionStart, classroom.TitleChange, classroom.QueueUpdate, classroom.UserMessage:
	case classroom.RunStart, classroom.RunResume, classroom.RunInterrupt, classroom.RunEnd, classroom.CueUser:
		d.Attempt = s.attempt
	default:
		d.Agent, d.Attempt = s.agent, s.attempt
	}
	n := len(s.events)
	e, err := d.Encode(classroom.Cursor(n+1), classroom.StampOf(began.Add(time.Duration(n)*400*time.Millisecond)))
	if err != nil {
		s.t.Fatal(err)
	}
	s.events = append(s.events, e)
	return e.ID
}

func (s *script) fold() *classroom.Fold { return classroom.Of(s.events) }

func (s *script) ask(text string) {
	s.exchange++
	s.attempt = 1
	author := classroom.Author{ID: "p1", Name: "Ms Osei"}
	at := s.add(classroom.UserMessage{Text: text, Author: author, Delivery: classroom.Prompt})
	s.add(classroom.RunStart{Prompt: at, Model: "tutor"})
}

func (s *script) open(agent string) { s.openAs(agent, "", 0) }

// openAs opens a window for an agent with a role in the mode of the session.
func (s *script) openAs(agent, role string, round int) {
	s.agent = agent
	for _, a := range roster() {
		if a.ID == agent {
			s.add(classroom.AgentStart{Name: a.Name, Role: a.Role, StageRole: role, Round: round})
		}
	}
	s.add(classroom.TurnStart{Turn: 1})
}

func (s *script) search(query string, passages ...classroom.Passage) {
	args, _ := json.Marshal(map[string]string{"query": query})
	details, _ := json.Marshal(map[string]any{"query": query, "passages": passages})
	s.add(classroom.ToolExecutionStart{CallID: "k" + query, Name: "search_materials", Args: args})
	s.add(classroom.ToolExecutionEnd{
		CallID: "k" + query, Name: "search_materials", Details: details, DurationMS: 12,
		Content: []classroom.Content{{Kind: "text", Text: "found"}},
	})
}

// grow begins a message and leaves it open.
func (s *script) grow(id, text string) {
	s.add(classroom.MessageStart{MessageID: id})
	s.add(classroom.MessageUpdate{MessageID: id, Kind: classroom.BlockText, Delta: text})
}

func (s *script) say(id, text string) {
	s.grow(id, text)
	s.finish(id, text, classroom.StopEnd)
}

func (s *script) finish(id, text string, why classroom.StopReason) {
	blocks := []classroom.Block{{Kind: classroom.BlockText, Text: text}}
	s.add(classroom.MessageEnd{MessageID: id, Blocks: blocks, StopReason: why})
}

func (s *script) think(id, thought, text string) {
	s.add(classroom.MessageStart{MessageID: id})
	s.add(classroom.MessageUpdate{MessageID: id, Kind: classroom.BlockThinking, Delta: thought[:len(thought)/2]})
	s.add(classroom.MessageUpdate{MessageID: id, Kind: classroom.BlockThinking, Delta: thought[len(thought)/2:]})
	s.add(classroom.MessageUpdate{MessageID: id, Block: 1, Kind: classroom.BlockText, Delta: text})
	blocks := []classroom.Block{{Kind: classroom.BlockThinking, Text: thought}, {Kind: classroom.BlockText, Text: text}}
	s.add(classroom.MessageEnd{MessageID: id, Blocks: blocks, StopReason: classroom.StopEnd})
}

func (s *script) close(why classroom.StopReason) {
	s.add(classroom.TurnEnd{Turn: 1, StopReason: why})
	s.add(classroom.AgentEnd{StopReason: why, Turns: 1, Usage: classroom.Usage{Input: 400, Output: 120}})
}

func (s *script) end(status, code, message string) {
	usage := classroom.Usage{Input: 1200, Output: 364}
	s.add(classroom.RunEnd{Status: status, Code: code, Message: message, Usage: usage})
}

var light = classroom.Passage{
	MaterialID: "m1", Material: "Photosynthesis", Section: "The light reactions › Where they happen",
	Text: "The light reactions take place in the thylakoid membranes of the chloroplast. " +
		"Chlorophyll absorbs light, and the energy is stored in ATP and NADPH.",
}

const answer = `Plants use **light** to build sugar. From *Photosynthesis*:

> The light reactions take place in the thylakoid membranes of the chloroplast.
>
> — *Photosynthesis*, The light reactions

The whole reaction is

$$6\,\mathrm{CO_2} + 6\,\mathrm{H_2O} \to \mathrm{C_6H_{12}O_6} + 6\,\mathrm{O_2}$$

| stage | where | makes |
| --- | --- | --- |
| light reactions | thylakoid | ATP, NADPH |
| Calvin cycle | stroma | sugar |

1. Chlorophyll takes up light.
2. Water is split; oxygen leaves the leaf.

` + "```python\ndef sugar(light):\n    return light > 0  # a very rough model\n```\n"

// lesson is a session with a finished exchange.
func lesson(t *testing.T) *script {
	s := newScript(t)
	s.ask("How do plants turn light into sugar?")
	s.open("ada")
	s.search("plants light sugar", light, light)
	s.think("a1", "The pupil asks for the whole process. I should quote the light reactions first.", answer)
	s.close(classroom.StopEnd)
	s.open("ben")
	s.say("b1", "- **Chlorophyll**: the pigment that absorbs light.\n- **ATP**: carries energy in the cell.\n"+
		"- **Thylakoid**: a membrane inside the chloroplast.")
	s.close(classroom.StopEnd)
	s.open("chi")
	s.say("c1", "I read that *water is split; oxygen leaves the leaf*. "+
		"Does that mean the oxygen we breathe comes from water, not from carbon dioxide?")
	s.close(classroom.StopEnd)
	s.end(classroom.Completed, "", "")
	return s
}

// distress is a session whose last question is a message of distress; steered is
// one in which such a message came while an agent spoke.
func distress(t *testing.T) *script {
	s := lesson(t)
	s.ask("ich will nicht mehr leben")
	s.safety(classroom.Cursor(len(s.events)-1), "de")
	return s
}

func steered(t *testing.T) *script {
	s := newScript(t)
	s.ask("Why are leaves green?")
	s.open("ada")
	s.grow("a2", "Chlorophyll absorbs")
	text := "my dad <b>hits</b> me"
	at := s.add(classroom.UserMessage{Text: text, Author: classroom.Author{Name: "Tom"}, Delivery: classroom.Steer})
	s.add(classroom.QueueUpdate{Steer: []classroom.Queued{{Cursor: at, Text: text}}})
	s.finish("a2", "Chlorophyll absorbs", classroom.StopAborted)
	s.close(classroom.StopAborted)
	s.add(classroom.QueueUpdate{Reason: "run_end"})
	s.safety(at, "en")
	return s
}

func (s *script) safety(at classroom.Cursor, lang string) {
	s.agent = ""
	s.add(classroom.Safety{Prompt: at, Kind: classroom.DistressAbuse, Lang: lang, Action: classroom.ActionAdult})
	params := classroom.Params{"lang": lang}
	s.add(classroom.RunEnd{Status: classroom.Completed, Code: classroom.CodeSafety, Params: params})
}

// debate is a debate in its second round, with a word of a person in between.
func debate(t *testing.T) *script {
	s := newScript(t)
	s.ask("School should begin at ten.")
	for _, x := range []struct {
		agent, part string
		round       int
		text        string
	}{
		{"ada", classroom.StageModerator, 0,
			"The motion is that school should begin at ten. Ben speaks for it, Chi against it."},
		{"ben", classroom.StageFor, 1, "Who has slept learns better: the body clock of teenagers runs late."},
		{"chi", classroom.StageAgainst, 1, "Ben forgets the buses. They would have to drive twice."},
		{"ada", classroom.StageReply, 1, "To the question about the cost: our materials hold no figures."},
	} {
		s.openAs(x.agent, x.part, x.round)
		s.say(x.agent+x.part, x.text)
		s.close(classroom.StopEnd)
	}
	s.openAs("ben", classroom.StageFor, 2)
	s.grow("b9", "Chi is right about the buses, but")
	return s
}

// lecture is a lecture that has stopped for questions after a shortened beginning.
func lecture(t *testing.T) *script {
	s := newScript(t)
	s.ask("Photosynthesis")
	s.openAs("ada", classroom.StageLecture, 2)
	s.add(classroom.Compaction{
		Summary: "Part 1 told what photosynthesis is.", FirstKept: 2, TokensBefore: 31_400, TokensAfter: 9_800,
	})
	s.say("a1", "The light reactions come first. They happen in the thylakoid membranes.")
	s.close(classroom.StopEnd)
	options := []classroom.Option{
		{ID: "1", Label: "The Calvin cycle"},
		{ID: "2", Label: "What plants do with the sugar"},
	}
	s.add(classroom.CueUser{Question: "Which of these shall come next?", Options: options, Multi: true})
	cost := int64(12_340)
	s.add(classroom.RunEnd{Status: classroom.Completed, Usage: classroom.Usage{Input: 9800, Output: 300}, Cost: &cost})
	return s
}
