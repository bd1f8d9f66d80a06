package agents

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"iter"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom"
	"colloquy/classroom/text"
	"colloquy/classroom/withheld"
)

// errGaveAway ends a message that was about to give away what the teacher withholds.
var errGaveAway = errors.New("the message gives away what is withheld")

// gaveAwayPrompt is what a model is told that is asked again.
const gaveAwayPrompt = "Your last message gave away what must not be given away, and was not shown. " +
	"Answer again without it: give a hint or ask a question, and leave out the answer, its numbers and its words."

// withheldSet returns what the class withholds: the passages that answer the teacher's
// instruction, also those that only teachers read.
func (rt *Runtime) withheldSet(ctx context.Context, class classroom.Class) withheld.Set {
	instruction := class.Rules.Withheld
	if instruction == "" {
		return withheld.Set{}
	}
	var passages []classroom.Passage
	if rt.o.Library != nil {
		found, err := rt.o.Library.SearchMaterials(ctx, class.ID, classroom.MaterialQuery{
			Question: withheld.Subject(instruction), Limit: answerPassages, Topic: true, Staff: true,
		})
		if err != nil {
			rt.o.Logger.Warn("look up what is withheld", "class", class.ID, "error", err)
		}
		passages = found.Passages
	}
	return withheld.Of(instruction, passages)
}

// withhold notes what the class withholds in this exchange.
func (r *run) withhold(ctx context.Context) {
	r.withheld = r.s.rt.withheldSet(ctx, r.speakers.class)
}

// A guarded model passes on whole sentences only, and none that gives anything away.
type guarded struct {
	llm.Model
	set withheld.Set
}

// Stream ends with errGaveAway where the model gives something away, in its text, in its
// thinking or in the arguments of a call.
func (g guarded) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		held := map[string]*strings.Builder{} // what is not passed on yet, by where it stands
		for e, err := range g.Model.Stream(ctx, req) {
			var ready []llm.Event
			if err == nil {
				ready, err = g.take(held, e)
			}
			for _, out := range ready {
				if !yield(out, nil) {
					return
				}
			}
			if err != nil {
				yield(llm.Event{}, err)
				return
			}
		}
	}
}

// take holds back what e adds, and returns what may be passed on.
func (g guarded) take(held map[string]*strings.Builder, e llm.Event) ([]llm.Event, error) {
	place := fmt.Sprint(e.Kind, e.Index)
	switch e.Kind {
	case llm.TextDelta, llm.ThinkingDelta, llm.CallDelta:
	default:
		out, err := g.flush(held)
		return append(out, e), err
	}
	if held[place] == nil {
		held[place] = new(strings.Builder)
	}
	held[place].WriteString(e.Text)
	if e.Kind == llm.CallDelta { // arguments are checked with each piece, and passed on
		if g.set.Hits(held[place].String()) {
			return nil, errGaveAway
		}
		return []llm.Event{e}, nil
	}
	said := held[place].String()
	spans := text.Sentences(said)
	if len(spans) < 2 {
		if g.set.Hits(said) {
			return nil, errGaveAway
		}
		return nil, nil
	}
	cut := spans[len(spans)-1].From
	if g.set.Hits(said[:cut]) || g.set.Hits(said) {
		return nil, errGaveAway
	}
	held[place].Reset()
	held[place].WriteString(said[cut:])
	e.Text = said[:cut]
	return []llm.Event{e}, nil
}

// flush returns all that is held back.
func (g guarded) flush(held map[string]*strings.Builder) ([]llm.Event, error) {
	var out []llm.Event
	for _, kind := range []llm.Kind{llm.ThinkingDelta, llm.TextDelta} {
		b := held[fmt.Sprint(kind, 0)]
		if b == nil || b.Len() == 0 {
			continue
		}
		if g.set.Hits(b.String()) {
			return nil, errGaveAway
		}
		out = append(out, llm.Event{Kind: kind, Text: b.String()})
		b.Reset()
	}
	return out, nil
}

// answerGivenAway handles a message that was about to give something away: the model is
// asked once more, and the second time a fixed hint stands in its place.
func (r *run) answerGivenAway(
	ctx context.Context, m classroom.MessageEnd, model *llm.Model, req *llm.Request, times int,
) error {
	action := classroom.ActionAskedAgain
	if times > 1 {
		action = classroom.ActionReplaced
	}
	err := r.append(ctx,
		r.agentDraft(classroom.Withheld{MessageID: m.MessageID, Action: action}),
		r.agentDraft(classroom.Retry{MessageID: m.MessageID, Attempt: 1, Max: 1, Reason: "withheld"}))
	if times > 1 {
		*model, req.Tools = fixedModel{(*model).Name(), r.fixedHint()}, nil
		return err
	}
	req.Messages = append(req.Messages, note(gaveAwayPrompt))
	return err
}

//go:embed hints/*.txt
var hintFiles embed.FS

// fixedHint returns a hint that gives nothing away, another one each time, in the language of
// the question.
func (r *run) fixedHint() string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	language := "en"
	if text.Language(r.s.fold.Card(r.exchange).Question.Text) == "de" {
		language = "de"
	}
	content, _ := hintFiles.ReadFile("hints/" + language + ".txt")
	hints := strings.Split(strings.TrimSpace(string(content)), "\n")
	r.s.fixedHints++
	return hints[(r.s.fixedHints-1+r.exchange)%len(hints)]
}

// A fixedModel says one text.
type fixedModel struct{ name, text string }

func (f fixedModel) Name() string { return f.name }

func (f fixedModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if yield(llm.Event{Kind: llm.TextDelta, Text: f.text}, nil) {
			yield(llm.Event{Kind: llm.Finish, Reason: llm.Stop}, nil)
		}
	}
}
