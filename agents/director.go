package agents

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

const (
	directorTime  = 15 * time.Second
	directorLines = 12   // of the conversation that the director sees
	directorLine  = 240  // bytes of each line
	directorReply = 2000 // bytes
)

// nextSpeaker returns who has the floor next: by rule, or by the director where
// the rules leave a choice and a real model answers.
func (r *run) nextSpeaker(ctx context.Context) floor.Choice {
	r.staging = llm.Staging{} // of nobody
	r.silent = r.silentAgents(ctx)
	r.filledRounds = r.roundsOfMaterials(ctx)
	c, question := r.chooseByRule()
	if question == nil || r.directorSilent {
		return c
	}
	return r.askDirector(ctx, *question, c)
}

// A directorQuestion is what a director is asked.
type directorQuestion struct {
	model         llm.Model
	request       llm.Request
	round, rounds int
}

// chooseByRule returns the choice of the rules and, where a director may change
// it, what to ask the director. Both follow from the same state of the log.
func (r *run) chooseByRule() (floor.Choice, *directorQuestion) {
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
	return c, &directorQuestion{model, directorRequest(f, c), f.Round(), f.Rounds}
}

// floor returns the floor of the run's exchange. s.mu is held.
func (r *run) floor() (floor.Floor, bool) {
	fold := r.s.fold
	if fold.Card(r.exchange) == nil {
		return floor.Floor{}, false
	}
	rounds := r.s.rounds()
	if n := r.filledRounds; n > 0 && (n < rounds || classroom.ModeOf(fold.Mode).Parts && fold.Rounds == 0) {
		rounds = n
	}
	return floor.Floor{
		Mode: fold.Mode, Rounds: rounds, RoundsAskedFor: fold.Rounds > 0,
		Roster: r.speakers.agents, Cards: fold.Cards[:r.exchange], Silent: r.silent,
		Scripted: llm.ProfileOf(r.speakers.lead).Scripted,
	}, true
}

// askDirector asks the model who speaks next. Where it fails, or its reply names
// nobody who may speak now, the rule's choice c stands. After an empty reply the
// director is not asked again in this attempt: each time would cost the wait.
func (r *run) askDirector(ctx context.Context, q directorQuestion, c floor.Choice) floor.Choice {
	asking, cancel := context.WithTimeout(ctx, directorTime)
	defer cancel()
	reply, _ := r.complete(asking, q.model, q.request, directorReply)
	r.directorSilent = strings.TrimSpace(reply) == ""
	switch id := floor.ReadReply(reply, c.Candidates, c.MayEnd); id {
	case "":
	case floor.ReplyEnd:
		return floor.Choice{Closed: classroom.Params{"round": strconv.Itoa(q.round), "rounds": strconv.Itoa(q.rounds)}}
	case floor.ReplyUser:
		return floor.Choice{Cue: &classroom.CueUser{Code: "your_opinion"}}
	default:
		c.Agent, _ = floor.Find(c.Candidates, id)
		c.By = classroom.ByDirector
	}
	return c
}

// complete asks a model something that is not an agent's turn and returns its
// reply, or the part of it before an error. finished reports that the model ended
// the reply itself. The run's usage includes it.
func (r *run) complete(ctx context.Context, model llm.Model, req llm.Request, limit int) (text string, finished bool) {
	m := newMessage("m-complete")
	for e, err := range llm.Guard(model).Stream(ctx, req) {
		if err != nil || m.bytes > limit {
			break
		}
		m.add(e, time.Time{})
	}
	end := m.end(nil)
	finished = end.StopReason == classroom.StopEnd
	r.countUsage(model, end.Usage)
	return textOf(end.Blocks), finished
}

func directorRequest(f floor.Floor, c floor.Choice) llm.Request {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nWho may speak next:\n", promptText("director"))
	for _, a := range c.Candidates {
		fmt.Fprintf(&b, "- %s (%s, %s)\n", a.ID, a.Name, roleWord(a.Role))
	}
	if c.MayEnd {
		fmt.Fprintf(&b, "- %s, when the person should be asked\n", floor.ReplyUser)
		fmt.Fprintf(&b, "- %s, when nothing new is left to say\n", floor.ReplyEnd)
	}
	var conversation strings.Builder
	fmt.Fprintf(&conversation, "The person's question: %s\n\nThe conversation so far, round %d of %d:\n",
		truncateLine(f.Card().Question.Text, 1000), f.Round(), f.Rounds)
	lines := exchangeLines(f.Card(), directorLine)
	for _, line := range lines[max(0, len(lines)-directorLines):] {
		fmt.Fprintf(&conversation, "%s\n", line)
	}
	conversation.WriteString("\nWho speaks next? Answer with one id and nothing else.")
	return llm.Request{
		System: b.String(), MaxTokens: 256, Thinking: llm.ThinkOff,
		Messages: []llm.Message{{Role: llm.User, Text: conversation.String()}},
	}
}
