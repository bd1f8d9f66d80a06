package agents

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

const (
	directorTime  = 15 * time.Second
	directorLines = 12  // of the conversation that the director sees
	directorLine  = 240 // bytes of each
	directorReply = 2000
)

// next says what happens to the floor, by the rules, and where they leave it
// open and a real model answers, by the director.
func (r *run) next(ctx context.Context) floor.Choice {
	c, ask := r.byRule()
	if ask == nil || r.silent {
		return c
	}
	return r.direct(ctx, *ask, c)
}

// A question is what a director is asked.
type question struct {
	model         llm.Model
	request       llm.Request
	round, rounds int
}

// byRule is the rules' choice, and where a director may change it, what to ask.
// Both are of the same state of the log.
func (r *run) byRule() (floor.Choice, *question) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	f, ok := r.floor()
	if !ok {
		return floor.Choice{}, nil
	}
	c := f.Next()
	if len(c.Candidates) < 2 && !c.MayEnd {
		return c, nil
	}
	model := r.speakers.model(f.Director().ID)
	if llm.ProfileOf(model).Scripted {
		return c, nil
	}
	return c, &question{model, directorRequest(f, c), f.Round(), f.Rounds}
}

// floor is the floor of the run's exchange. s.mu is held.
func (r *run) floor() (floor.Floor, bool) {
	fold := r.s.fold
	if fold.Card(r.exchange) == nil {
		return floor.Floor{}, false
	}
	return floor.Floor{
		Mode: fold.Mode, Rounds: r.s.rounds(), RoundsAskedFor: fold.Rounds > 0,
		Roster: r.speakers.agents, Cards: fold.Cards[:r.exchange],
	}, true
}

// direct asks the model who speaks next. Where it fails, says nothing that can
// be read, or names somebody who may not speak now, the rule's choice stands.
// One that says nothing at all would be waited for again and again: it is not.
func (r *run) direct(ctx context.Context, ask question, c floor.Choice) floor.Choice {
	asking, cancel := context.WithTimeout(ctx, directorTime)
	defer cancel()
	reply, _ := r.sideAsk(asking, ask.model, ask.request, directorReply)
	r.silent = strings.TrimSpace(reply) == ""
	switch id := floor.ReadReply(reply, c.Candidates, c.MayEnd); id {
	case "":
	case floor.ReplyEnd:
		return floor.Choice{Closed: fmt.Sprintf("The director closed the discussion after round %d of %d: nothing new was left to say.", ask.round, ask.rounds)}
	case floor.ReplyUser:
		return floor.Choice{Cue: &classroom.CueUser{Question: "The class would like to hear what you think."}}
	default:
		c.Agent, _ = floor.Find(c.Candidates, id)
		c.By = classroom.ByDirector
	}
	return c
}

// sideAsk asks a model something that is no agent's answer. What that uses is
// counted as the run's. What had come before an error is returned; whole reports
// that there was none, and that the model came to its end by itself.
func (r *run) sideAsk(ctx context.Context, model llm.Model, req llm.Request, limit int) (text string, whole bool) {
	m := newMessage("m-side")
	for e, err := range llm.Guard(model).Stream(ctx, req) {
		if err != nil || m.bytes > limit {
			break
		}
		m.take(e, time.Time{})
	}
	end := m.end(nil)
	whole = end.StopReason == classroom.StopEnd
	r.spend(model, end.Usage)
	return textOf(end.Blocks), whole
}

func directorRequest(f floor.Floor, c floor.Choice) llm.Request {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nWho may speak next:\n", prompt("director"))
	for _, a := range c.Candidates {
		fmt.Fprintf(&b, "- %s (%s, %s)\n", a.ID, a.Name, roleWord(a.Role))
	}
	if c.MayEnd {
		fmt.Fprintf(&b, "- %s, when the person should be asked\n- %s, when nothing new is left to say\n", floor.ReplyUser, floor.ReplyEnd)
	}
	var talk strings.Builder
	fmt.Fprintf(&talk, "The person's question: %s\n\nThe conversation so far, round %d of %d:\n", short(f.Card().Question.Text, 1000), f.Round(), f.Rounds)
	lines := spoken(f.Card())
	for _, line := range lines[max(0, len(lines)-directorLines):] {
		fmt.Fprintf(&talk, "%s\n", line)
	}
	talk.WriteString("\nWho speaks next? Answer with one id and nothing else.")
	return llm.Request{
		System: b.String(), MaxTokens: 256, Thinking: llm.ThinkOff,
		Messages: []llm.Message{{Role: llm.User, Text: talk.String()}},
	}
}

// spoken is what was said in an exchange, a line each, with role and name; the
// person is marked apart.
func spoken(card *classroom.Card) []string {
	out := []string{short(asked(card), directorLine)}
	for _, w := range card.Windows {
		for _, line := range linesOf(w) {
			out = append(out, short(line, directorLine))
		}
	}
	return out
}

// linesOf is what was said in a window, a line each.
func linesOf(w *classroom.Window) []string {
	var out []string
	for _, x := range w.Entries {
		switch {
		case x.Steer != nil:
			out = append(out, fmt.Sprintf("[the person] %s: %s", x.Steer.Author.Name, x.Steer.Text))
		case x.Message != nil && !x.Message.Superseded && x.Message.Text() != "":
			out = append(out, fmt.Sprintf("[%s] %s: %s", roleWord(w.Agent.Role), w.Agent.Name, x.Message.Text()))
		}
	}
	return out
}

// short is text on one line, cut at limit bytes.
func short(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
