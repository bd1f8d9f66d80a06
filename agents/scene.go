package agents

import (
	"fmt"
	"strings"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// sceneText is what a system prompt says of the speaker's part in the session's mode.
func sceneText(f floor.Floor, me classroom.Agent, s llm.Scene) string {
	if s.Mode == "" || s.Mode == classroom.ModeQA || len(f.Roster) < classroom.AgentsNeeded(s.Mode) {
		return replyText(s)
	}
	name := s.Mode
	if s.Part != "" {
		name += "_" + string(s.Part)
	}
	text := prompt(name)
	if text == "" {
		return replyText(s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n\n%s", text)
	if s.Round > 0 {
		fmt.Fprintf(&b, "\nThis is %s %d of %d.", countWord(s.Mode), s.Round, s.Rounds)
	}
	if s.Mode == classroom.ModeDebate {
		sides := f.Sides()
		fmt.Fprintf(&b, "\nFor: %s. Against: %s. Moderator: %s.", sides.For.Name, sides.Against.Name, sides.Moderator.Name)
	}
	return b.String()
}

func countWord(mode string) string {
	if mode == classroom.ModeLecture {
		return "part"
	}
	return "round"
}

// replyText is for whoever answers what a person put in between.
func replyText(s llm.Scene) string {
	if s.Part != llm.Replies {
		return ""
	}
	return "\n\nA person asked or said something in between. Answer that now, in a few sentences, before anything else."
}
