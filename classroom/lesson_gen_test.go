package classroom

import (
	"encoding/json"
	"fmt"

	"pgregory.net/rapid"
)

// A lesson writes a log as the server writes one, by the rules of the log's
// order, with every payload in its full form.
type lesson struct {
	t        *rapid.T
	drafts   []Draft
	roster   []Agent
	exchange int
	attempt  int
	agent    string
	messages int
	calls    int
	steer    []Queued
	followUp []Queued
	running  bool
	barrier  bool
	final    map[Cursor]string // each message of a person, as it was last edited
	gone     map[Cursor]bool   // dropped, by a barrier or by an edit
	batches  []int             // how many drafts the log had after each append
}

// lessons draws a plausible log.
var lessons = rapid.Custom(func(t *rapid.T) *lesson {
	l := &lesson{t: t, final: map[Cursor]string{}, gone: map[Cursor]bool{}}
	l.roster = []Agent{{ID: "ada", Name: "Ada", Role: Teacher}, {ID: "max", Name: "Max", Role: Assistant},
		{ID: "lea", Name: "Lea", Role: Student}}
	l.add(Draft{Payload: SessionStart{ClassID: "bio", Title: "Biology", Mode: ModeQA, Roster: l.roster}})
	for range rapid.IntRange(1, 4).Draw(t, "exchanges") {
		l.oneExchange()
	}
	return l
})

func (l *lesson) chance(percent int, what string) bool {
	return rapid.IntRange(0, 99).Draw(l.t, what) < percent
}

func (l *lesson) word() string {
	return rapid.SampledFrom([]string{"light ", "water ", "**sugar** ", "why? ", "<b>", "\n\n", "ß→é "}).Draw(l.t,
		"word")
}

// add appends drafts as one batch.
func (l *lesson) add(drafts ...Draft) {
	l.drafts = append(l.drafts, drafts...)
	l.batches = append(l.batches, len(l.drafts))
}

func (l *lesson) draft(p Payload) Draft {
	return Draft{Exchange: l.exchange, Attempt: l.attempt, Payload: p}
}

func (l *lesson) said(p Payload) Draft {
	d := l.draft(p)
	d.Agent = l.agent
	return d
}

func (l *lesson) next() Cursor { return Cursor(len(l.drafts) + 1) }

func (l *lesson) queue(reason string) QueueUpdate {
	return QueueUpdate{Steer: append([]Queued{}, l.steer...), FollowUp: append([]Queued{}, l.followUp...),
		Reason: reason}
}

func (l *lesson) oneExchange() {
	l.exchange, l.attempt, l.agent = l.exchange+1, 1, ""
	start := RunStart{Model: "tutor", Roster: []string{"ada", "max", "lea"}, Limits: Limits{Windows: 12, Turns: 16}}
	if len(l.followUp) > 0 && l.chance(70, "take the queue") {
		start.Prompt = l.followUp[0].Cursor
		l.followUp = l.followUp[1:]
		l.add(Draft{Payload: l.queue("")}, l.draft(start))
	} else {
		start.Prompt = l.next()
		text := "What is " + l.word()
		l.final[start.Prompt] = text
		l.add(Draft{Exchange: l.exchange, Payload: UserMessage{Text: text, Author: Author{"p1", "Kim"},
			Delivery: Prompt}}, l.draft(start))
	}
	l.running = true
	defer func() { l.running = false }()
	if l.chance(20, "hint") {
		l.add(l.draft(Hint{Question: start.Prompt, Rung: 1, Of: 5, Reason: "open"}))
	}
	for n := rapid.IntRange(1, 3).Draw(l.t, "windows"); n > 0; n-- {
		l.agent = rapid.SampledFrom(l.roster).Draw(l.t, "speaker").ID
		if end, more := l.window(); end != nil {
			l.end(*end)
			return
		} else if more {
			n++
		}
	}
	if l.chance(10, "lift") {
		l.add(l.draft(Lift{Question: start.Prompt, Text: l.word(), By: "p1"}))
	}
	if l.chance(10, "withheld") {
		l.add(l.draft(Withheld{MessageID: "m1", Action: ActionReplaced}))
	}
	if l.chance(10, "distress") {
		l.distress(start.Prompt)
		return
	}
	l.end(RunEnd{Status: Completed})
}

// distress ends the run because of a message of distress: a steer that nobody
// was given, or the question.
func (l *lesson) distress(question Cursor) {
	l.agent = ""
	p := Safety{Prompt: question, Kind: DistressSelfHarm, Lang: "en", Action: ActionAdult}
	var drafts []Draft
	if len(l.steer) > 0 {
		p.Prompt, l.steer = l.steer[0].Cursor, l.steer[1:]
		l.followUp, l.steer = append(l.followUp, l.steer...), nil
		drafts = append(drafts, l.draft(l.queue(CodeSafety)))
	}
	end := RunEnd{Status: Completed, Code: CodeSafety, Params: Params{"lang": "en"}}
	l.add(append(drafts, l.draft(p), l.draft(end))...)
}

// end ends the run as the server does: steers nobody took become follow-ups.
func (l *lesson) end(end RunEnd) {
	l.agent = ""
	var drafts []Draft
	if len(l.steer) > 0 {
		l.followUp, l.steer = append(l.followUp, l.steer...), nil
		drafts = append(drafts, l.draft(l.queue("run_end")))
	}
	l.add(append(drafts, l.draft(end))...)
	if l.chance(20, "after the end") {
		l.add(l.draft(MediaReady{Ref: "media1", LessonID: "l1", Status: "done"}),
			Draft{Payload: TitleChange{Title: "Light", By: "p1"}})
	}
}

// aside is what may stand between any two events of a run.
func (l *lesson) aside() {
	if !l.running || !l.chance(15, "aside") {
		return
	}
	switch rapid.IntRange(0, 6).Draw(l.t, "kind of aside") {
	case 0, 1:
		l.interject()
	case 2:
		l.edit()
	case 3:
		l.add(l.said(Checkpoint{Tool: "scene", LessonID: "l1", SceneID: "s1", Title: l.word()}),
			l.said(StageLink{LessonID: "l1", Title: "Leaf"}))
	case 4:
		l.add(l.said(Whiteboard{Action: "line", Params: json.RawMessage(`{"x":1}`)}),
			l.said(LibraryChanged{Library: "lessons", Change: "added", LessonID: "l1"}))
	case 5:
		l.add(l.said(Compaction{Summary: "Leaves.", FirstKept: 3, TokensBefore: 900, TokensAfter: 90}))
	case 6:
		l.add(l.said(CueUser{Question: "Which one?", Options: []Option{{"a", "Light"}, {"b", "Water"}}}))
	}
}

func (l *lesson) interject() {
	if l.barrier {
		return
	}
	at, text := l.next(), "And "+l.word()
	l.final[at] = text
	m := UserMessage{Text: text, Author: Author{"p2", "Ali"}, Delivery: FollowUp, ClientID: fmt.Sprint("k", at)}
	d := Draft{Payload: m}
	if l.chance(60, "steer") {
		m.Delivery = Steer
		d = Draft{Exchange: l.exchange, Payload: m}
		l.steer = append(l.steer, Queued{Cursor: at, Text: text})
	} else {
		l.followUp = append(l.followUp, Queued{Cursor: at, Text: text})
	}
	l.add(d, Draft{Payload: l.queue("")})
}

// edit changes the text of a waiting message, or takes it out of its queue.
func (l *lesson) edit() {
	if len(l.followUp) == 0 {
		return
	}
	i := rapid.IntRange(0, len(l.followUp)-1).Draw(l.t, "edited")
	at := l.followUp[i].Cursor
	var dropped []Cursor
	if l.chance(30, "take out") {
		l.followUp = append(append([]Queued{}, l.followUp[:i]...), l.followUp[i+1:]...)
		dropped, l.gone[at] = []Cursor{at}, true
	} else {
		l.final[at] = "Edited: " + l.word()
		l.followUp = append([]Queued{}, l.followUp...)
		l.followUp[i].Text = l.final[at]
	}
	u := l.queue("edited")
	u.Dropped = dropped
	l.add(Draft{Payload: u})
}
