package agents

import (
	"embed"
	"fmt"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

//go:embed prompts/*.md
var prompts embed.FS

// prompt is the text of a file in prompts, or "" where there is none.
func prompt(name string) string {
	text, _ := prompts.ReadFile("prompts/" + name + ".md")
	return strings.TrimSpace(string(text))
}

// keepCards is how many exchanges before the present one a scripted model is
// given. For others, fit sees to it.
const keepCards = 30

// request is what the model is asked for the agent that has the floor.
func (r *run) request() (llm.Model, llm.Request) {
	s, class := r.s, r.speakers.class
	model := r.speakers.model(r.agent.ID)
	profile := llm.ProfileOf(model)
	s.mu.Lock()
	defer s.mu.Unlock()
	req := llm.Request{
		Speaker: llm.Speaker{ID: r.agent.ID, Name: r.agent.Name, Role: string(r.agent.Role)},
		Rules:   llm.Rules{Aim: class.Rules.Aim, Stance: class.Rules.Stance, Withheld: class.Rules.Withheld},
		System:  system(class, r.speakers.agents, r.agent),
		Scene:   r.scene,
		Tools:   s.rt.allowed(r.agent),
	}
	if f, ok := r.floor(); ok {
		req.System += sceneText(f, r.agent, r.scene)
	}
	req.Thinking, req.MaxTokens = profile.Thinking, profile.MaxOutput
	first := 0
	if profile.Scripted {
		first = r.exchange - keepCards
	}
	req.Messages = messages(s.fold.Transcript(r.agent.ID), first)
	return model, req
}

// messages turns a transcript into what a model reads, from exchange first on.
func messages(lines []classroom.Line, first int) []llm.Message {
	var out []llm.Message
	if first > 1 {
		out = append(out, note("Earlier exchanges of this session are left out here."))
	}
	for _, l := range lines {
		if l.Exchange < first && l.Voice != classroom.VoiceNote {
			continue
		}
		out = append(out, messageOf(l))
	}
	if n := len(out); n > 0 && out[n-1].Role == llm.Self && len(out[n-1].Calls) == 0 {
		out = append(out, note(textNudge))
	}
	return out
}

func note(text string) llm.Message {
	return llm.Message{Role: llm.User, From: "Classroom", Peer: true, Text: text}
}

func messageOf(l classroom.Line) llm.Message {
	switch l.Voice {
	case classroom.VoiceSelf:
		m := llm.Message{Role: llm.Self, Text: l.Text, Model: l.Model}
		for _, t := range l.Thoughts {
			m.Thought = append(m.Thought, llm.Thought{Text: t.Text, Sealed: t.Sealed})
		}
		for _, c := range l.Calls {
			m.Calls = append(m.Calls, llm.Call{ID: c.CallID, Name: c.Name, Args: c.Args, Sealed: c.Sealed})
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
		return llm.Message{Role: llm.User, From: fmt.Sprintf("%s, %s", l.Name, roleWord(l.Role)), Peer: true, Text: text}
	}
	return llm.Message{Role: llm.User, From: l.Name, Text: l.Text}
}

func roleWord(r classroom.Role) string {
	if r == classroom.Student {
		return "classmate"
	}
	return string(r)
}

// system is an agent's system prompt: its role's text, then the class.
func system(class classroom.Class, roster []classroom.Agent, me classroom.Agent) string {
	role := prompt(string(me.Role))
	if role == "" {
		role = prompt("student")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "You are %s. %s\n\n", me.Name, role)
	if me.Persona != "" {
		fmt.Fprintf(&b, "Your character: %s\n\n", me.Persona)
	}
	fmt.Fprintf(&b, "The class is called %q.\n", class.Title)
	for _, a := range roster {
		if a.ID != me.ID {
			fmt.Fprintf(&b, "- %s, %s\n", a.Name, roleWord(a.Role))
		}
	}
	b.WriteString(rulesText(class.Rules))
	b.WriteString("\n" + prompt("house"))
	return b.String()
}

func rulesText(r classroom.Rules) string {
	var b strings.Builder
	if r.Aim != "" {
		fmt.Fprintf(&b, "\nThe aim of the lesson: %s\n", r.Aim)
	}
	switch r.Stance {
	case "hints":
		b.WriteString("\nGive hints first; give the answer only when the pupil has tried.\n")
	case "socratic":
		b.WriteString("\nLead by questions; let the pupil find the answer.\n")
	}
	if r.Withheld != "" {
		fmt.Fprintf(&b, "\nNever give this away: %s\n", r.Withheld)
	}
	return b.String()
}
