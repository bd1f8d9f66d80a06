package agents

import (
	"fmt"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

// systemPrompt returns an agent's system prompt. What all agents of a class share comes
// first and is the same to the byte, so that a server that keeps the beginning of a prompt
// reads it once; the role in the class's manner and the character come last.
func systemPrompt(class classroom.Class, roster []classroom.Agent, me classroom.Agent, rules llm.Rules) string {
	var b strings.Builder
	b.WriteString(promptText("house") + "\n\n")
	b.WriteString(classText(class))
	b.WriteString("The agents of this class:\n")
	for _, a := range roster {
		fmt.Fprintf(&b, "- %s, %s\n", a.Name, roleWord(a.Role))
	}
	b.WriteString(rulesText(class.Rules))
	fmt.Fprintf(&b, "\nYou are %s, %s.\n%s\n", me.Name, roleWord(me.Role), rolePrompt(me.Role, class.Rules.Manner))
	b.WriteString(rungText(rules))
	if me.Persona != "" {
		fmt.Fprintf(&b, "\nYour character: %s\n", me.Persona)
	}
	return b.String()
}

// rolePrompt returns what an agent of a role does under a manner.
func rolePrompt(role classroom.Role, manner string) string {
	if manner == "" {
		manner = classroom.MannerExplain
	}
	if text := promptText(string(role) + "_" + manner); text != "" {
		return text
	}
	return promptText("student_" + manner)
}

// classText says what class it is.
func classText(c classroom.Class) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The class is called %q.\n", c.Title)
	for _, l := range []struct{ name, value string }{
		{"Year", c.Rules.Year}, {"Subject", c.Rules.Subject}, {"Level", c.Rules.Level},
	} {
		if l.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", l.name, l.value)
		}
	}
	if c.Rules.Language != "" {
		fmt.Fprintf(&b, "Language of the lessons: %s. Answer in it, unless the question is in another language.\n",
			c.Rules.Language)
	} else {
		b.WriteString("Answer in the language of the question.\n")
	}
	return b.String()
}

func rulesText(r classroom.Rules) string {
	var b strings.Builder
	if r.Aim != "" {
		fmt.Fprintf(&b, "\nThe aim of the lesson: %s\n", r.Aim)
	}
	if r.FinishLine != "" {
		fmt.Fprintf(&b, "The finish line, at which a pupil is done: %s\n", r.FinishLine)
	}
	if r.Withheld != "" {
		fmt.Fprintf(&b, "\nNever give this away, in no words, numbers or languages: %s\n", r.Withheld)
	}
	return b.String()
}

// rungText says where the class is on the ladder of hints.
func rungText(r llm.Rules) string {
	if r.HintOf == 0 {
		return ""
	}
	tries := fmt.Sprintf("%d tries so far", r.Tries)
	switch r.Tries {
	case 0:
		tries = "no try yet"
	case 1:
		tries = "one try so far"
	}
	return fmt.Sprintf("\nNow: hint %d of %d; %s.\n", r.HintRung, r.HintOf, tries)
}

// turnCue ends the request that opens an agent's window.
func turnCue(me classroom.Agent) llm.Message { return note(me.Name + ", it is your turn.") }
