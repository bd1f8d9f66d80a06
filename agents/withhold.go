package agents

import (
	"context"
	"embed"
	"iter"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom"
	"colloquy/classroom/text"
	"colloquy/classroom/withheld"
)

// gaveAwayPrompt is what a model is told that is asked again.
const gaveAwayPrompt = "Your last message gave away what must not be given away, and was not shown. " +
	"Answer again without it: give a hint or ask a question, and leave out the answer, its numbers and its words."

// withheldSet returns what the class withholds: the passages that answer the teacher's
// instruction, also those that only teachers read.
func (rt *Runtime) withheldSet(ctx context.Context, class classroom.Class) (withheld.Set, error) {
	return withheld.Find(class.Rules.Withheld, class.Rules.WithheldFree,
		func(subject string) ([]classroom.Passage, error) {
			if rt.o.Library == nil {
				return nil, nil
			}
			found, err := rt.o.Library.SearchMaterials(ctx, class.ID, withheld.Query(subject))
			return found.Passages, err
		})
}

// withhold notes what the class withholds in this exchange, without what was given free in
// the session. It reports whether that is known: without it no agent may speak.
func (r *run) withhold(ctx context.Context) bool {
	set, err := r.s.rt.withheldSet(ctx, r.speakers.class)
	if err != nil {
		if ctx.Err() == nil {
			r.s.rt.o.Logger.Error("look up what is withheld", "class", r.speakers.class.ID, "error", err)
		}
		return false
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.withheld = r.s.stillWithheld(set)
	return true
}

// stillWithheld returns a set without what was given free in the session. s.mu is held.
func (s *session) stillWithheld(set withheld.Set) withheld.Set {
	for _, c := range s.fold.Cards {
		if c.Lift != nil {
			set = set.Without(c.Lift.Text)
		}
	}
	return set
}

// answerGivenAway handles a message that was about to give something away: the model is
// asked once more, and the second time a fixed hint stands in its place.
func (r *run) answerGivenAway(
	ctx context.Context, m classroom.MessageEnd, model *llm.Model, req *llm.Request, times int,
) error {
	action := classroom.ActionAskedAgain
	if times > 1 {
		action = classroom.ActionReplaced
		*model, req.Tools = fixedModel{(*model).Name(), r.fixedHint()}, nil
	} else {
		req.Messages = append(req.Messages, note(gaveAwayPrompt))
	}
	return r.append(ctx,
		r.agentDraft(classroom.Withheld{MessageID: m.MessageID, Action: action}),
		r.agentDraft(classroom.Retry{MessageID: m.MessageID, Attempt: 1, Max: 1, Reason: "withheld"}))
}

//go:embed hints/*.txt
var hintFiles embed.FS

// fixedHints are what stands in the place of a message that gave something away, by language:
// refusals, and what the pupil can do instead. The numbers of the two have no common factor,
// so that many different hints are made of them.
var fixedHints = func() map[string][2][]string {
	out := map[string][2][]string{}
	for _, language := range []string{"en", "de"} {
		content, _ := hintFiles.ReadFile("hints/" + language + ".txt")
		refusals, tasks, _ := strings.Cut(strings.TrimSpace(string(content)), "\n\n")
		out[language] = [2][]string{strings.Split(refusals, "\n"), strings.Split(tasks, "\n")}
	}
	return out
}()

var firstHint = fixedHints["en"][0][0] + " " + fixedHints["en"][1][0]

// fixedHint returns a hint that gives nothing away, another one each time, in the language of
// the question.
func (r *run) fixedHint() string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	n := 0
	var asked strings.Builder
	for _, c := range r.s.fold.Cards {
		n += c.Replaced
		asked.WriteString(c.Question.Text + "\n")
	}
	hints, ok := fixedHints[text.Language(asked.String())]
	if !ok {
		hints = fixedHints["en"]
	}
	return hints[0][n%len(hints[0])] + " " + hints[1][n%len(hints[1])]
}

// A fixedModel says one text.
type fixedModel struct{ name, text string }

func (f fixedModel) Name() string { return f.name }

// Profile says that the model is scripted.
func (f fixedModel) Profile() llm.Profile { return llm.Profile{Scripted: true} }

func (f fixedModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if yield(llm.Event{Kind: llm.TextDelta, Text: f.text}, nil) {
			yield(llm.Event{Kind: llm.Finish, Reason: llm.Stop}, nil)
		}
	}
}
