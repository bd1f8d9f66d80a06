package agents

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

//go:embed prompts/*.md
var prompts embed.FS

// continuePrompt follows an agent's own message where the transcript ends with one.
const continuePrompt = "Your answer was cut off here. " +
	"Go on exactly where you stopped, and do not repeat what you said."

// promptText returns the text of a file in prompts, or "" where there is none.
func promptText(name string) string {
	text, _ := prompts.ReadFile("prompts/" + name + ".md")
	return strings.TrimSpace(string(text))
}

// scriptedExchanges is how many exchanges before the present one a scripted model
// gets. For other models the conversation is shortened to fit.
const scriptedExchanges = 30

// request returns the model of the agent that has the floor, and what it is asked. The
// passages that were found for the question are part of it. A model that is known to refuse
// tools gets none.
func (r *run) request(ctx context.Context) (llm.Model, llm.Request) {
	model, req := r.requestWithTools()
	if llm.ProfileOf(model).Scripted {
		req.Lookup = r.llmLookup(ctx)
		return model, req
	}
	if r.s.rt.maySearch(r.agent) {
		req = WithPassages(req, r.lookUp(ctx).text())
	}
	if r.windowTurn == 1 && len(req.Messages) > 0 && !isContinued(req.Messages) {
		req.Messages = append(req.Messages, turnCue(r.agent))
	}
	if len(req.Tools) > 0 && (r.noTools || llm.RefusesTools(model)) {
		req = WithoutTools(req)
	}
	return model, req
}

// isContinued reports whether messages end with what an agent goes on from by itself.
func isContinued(messages []llm.Message) bool {
	last := messages[len(messages)-1]
	return last.Role == llm.ToolResult || last.Text == continuePrompt
}

func (r *run) requestWithTools() (llm.Model, llm.Request) {
	s, class := r.s, r.speakers.class
	model := r.speakers.model(r.agent.ID)
	profile := llm.ProfileOf(model)
	s.mu.Lock()
	defer s.mu.Unlock()
	req := llm.Request{
		Speaker: llm.Speaker{ID: r.agent.ID, Name: r.agent.Name, Role: string(r.agent.Role)},
		Rules:   r.llmRules(),
		Staging: r.staging,
		Tools:   s.rt.allowedTools(r.agent),
	}
	req.System = systemPrompt(class, r.speakers.agents, r.agent, req.Rules)
	if f, ok := r.floor(); ok {
		req.System += stagingText(f, r.agent, r.staging)
	}
	req.Thinking, req.MaxTokens = profile.Thinking, profile.MaxOutput
	first := 0
	if profile.Scripted {
		first = r.exchange - scriptedExchanges
	}
	req.Messages = messages(removeDistressFromTranscript(s.fold.Transcript(r.agent.ID)), first)
	return model, req
}

// llmRules returns the rules as a model gets them. s.mu is held.
func (r *run) llmRules() llm.Rules {
	class := r.speakers.class.Rules
	out := llm.Rules{Aim: class.Aim, Manner: class.Manner, Withheld: class.Withheld}
	if h, asked := r.hint(); h != nil {
		out.HintRung, out.HintOf, out.Tries, out.HintReason, out.Asked = h.Rung, h.Of, h.Tries, h.Reason, asked
	}
	return out
}

// messages returns a transcript as a model reads it, from exchange first on.
func messages(lines []classroom.Line, first int) []llm.Message {
	var out []llm.Message
	if first > 1 {
		out = append(out, note("Earlier exchanges of this session are left out here."))
	}
	for _, l := range lines {
		if l.Exchange < first && l.Voice != classroom.VoiceNote {
			continue
		}
		out = append(out, messageFrom(l))
	}
	if n := len(out); n > 0 && out[n-1].Role == llm.Self && len(out[n-1].Calls) == 0 {
		out = append(out, note(continuePrompt))
	}
	return out
}

func note(text string) llm.Message {
	return llm.Message{Role: llm.User, From: "Classroom", Peer: true, Text: text}
}

func messageFrom(l classroom.Line) llm.Message {
	switch l.Voice {
	case classroom.VoiceSelf:
		m := llm.Message{Role: llm.Self, Text: l.Text, Model: l.Model}
		for _, t := range l.Thoughts {
			m.Thought = append(m.Thought, llm.Thought{Text: t.Text, Opaque: t.Opaque})
		}
		for _, c := range l.Calls {
			m.Calls = append(m.Calls, llm.Call{ID: c.CallID, Name: c.Name, Args: c.Args, Opaque: c.Opaque})
		}
		return m
	case classroom.VoiceResult:
		return llm.Message{Role: llm.ToolResult, CallID: l.CallID, Text: l.Text, IsError: l.IsError, Details: l.Details}
	case classroom.VoiceNote:
		return note(l.Text)
	case classroom.VoicePeer:
		text := l.Text
		if l.CutOff {
			text += " [cut off]"
		}
		from := fmt.Sprintf("%s, %s", l.Name, roleWord(l.Role))
		return llm.Message{Role: llm.User, From: from, Peer: true, Text: text}
	}
	return llm.Message{Role: llm.User, From: l.Name, Text: l.Text}
}

func roleWord(r classroom.Role) string {
	if r == classroom.Student {
		return "classmate"
	}
	return string(r)
}

// stagingText returns what a system prompt says about the speaker's role in the
// session's mode.
func stagingText(f floor.Floor, me classroom.Agent, s llm.Staging) string {
	mode := classroom.ModeOf(s.Mode)
	if len(f.Roster) < mode.Agents {
		return replyText(s)
	}
	name := s.Mode
	if s.StageRole != "" {
		name += "_" + string(s.StageRole)
	}
	text := promptText(name)
	if text == "" {
		return replyText(s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n\n%s", text)
	if s.Round > 0 {
		fmt.Fprintf(&b, "\nThis is %s %d of %d.", countWord(mode), s.Round, s.Rounds)
	}
	if mode.Sides {
		sides := f.Sides()
		fmt.Fprintf(&b, "\nFor: %s. Against: %s.", sides.For.Name, sides.Against.Name)
		fmt.Fprintf(&b, " Moderator: %s.", sides.Moderator.Name)
	}
	return b.String()
}

func countWord(m classroom.Mode) string {
	if m.Parts {
		return "part"
	}
	return "round"
}

// replyText is for the agent that answers an interjection.
func replyText(s llm.Staging) string {
	if s.StageRole != llm.StageReply {
		return ""
	}
	return "\n\nA person asked or said something in between. " +
		"Answer that now, in a few sentences, before anything else."
}
