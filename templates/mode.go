package templates

import (
	"strconv"

	"colloquy/classroom"
)

// A mode is a way in which a class talks, as a person chooses it.
type mode struct{ ID, Words, Says string }

var modes = []mode{
	{classroom.ModeQA, modeWord(classroom.ModeQA), "The teacher answers, the assistant adds what to keep, a classmate reacts."},
	{classroom.ModeDiscussion, modeWord(classroom.ModeDiscussion), "Everybody speaks once a round; you may interject at any time."},
	{classroom.ModeDebate, modeWord(classroom.ModeDebate), "Two sides and a moderator; your question is the motion."},
	{classroom.ModeLecture, modeWord(classroom.ModeLecture), "The teacher speaks through a topic and stops for your questions."},
}

func modeWord(mode string) string {
	switch mode {
	case classroom.ModeDiscussion:
		return "Discussion"
	case classroom.ModeDebate:
		return "Debate"
	case classroom.ModeLecture:
		return "Lecture"
	}
	return "Questions and answers"
}

// modeChosen is the mode that the form for a new session shows as chosen.
func modeChosen(v ClassPageView) string {
	if v.Mode != "" {
		return v.Mode
	}
	return v.Class.Mode
}

// promptWords stand in an empty composer.
func promptWords(mode string) string {
	switch mode {
	case classroom.ModeDiscussion:
		return "Give the class something to discuss…"
	case classroom.ModeDebate:
		return "State a motion to debate…"
	case classroom.ModeLecture:
		return "Name a topic, or ask about what was said…"
	}
	return "Ask the class…"
}

// emptyWords say what will happen when the first question is asked.
func emptyWords(mode string, roster []classroom.Agent) string {
	switch mode {
	case classroom.ModeDiscussion:
		return "Give the class a question or a claim to discuss. Everybody speaks once a round, and you may interject at any time."
	case classroom.ModeDebate:
		return "State a motion below. Two of the class speak for and against it, a moderator opens and sums up. Name two with @ to choose the sides."
	case classroom.ModeLecture:
		return "Name a topic below. The teacher speaks through it part by part, and stops for your questions."
	}
	if len(roster) == 0 {
		return "Ask a question below, and the answer appears here."
	}
	return "Ask a question below. " + rosterWords(roster) + " You may interject at any time."
}

// partWords say what an agent's window is for in the session's mode.
func partWords(w *classroom.Window) string {
	switch w.StageRole {
	case classroom.StageModerator:
		return "Moderates"
	case classroom.StageFor:
		return "For"
	case classroom.StageAgainst:
		return "Against"
	case classroom.StageSummary:
		return "Sums up"
	case classroom.StageReply:
		return "Answers you"
	}
	return ""
}

func partClass(part string) string {
	switch part {
	case classroom.StageFor, classroom.StageAgainst, classroom.StageModerator, classroom.StageSummary:
		return "part-" + part
	}
	return ""
}

// roundWords say where in the discussion, the debate or the lecture a window stands.
func roundWords(w *classroom.Window) string {
	switch {
	case w.Round == 0 || w.StageRole == classroom.StageReply || w.StageRole == classroom.StageSummary:
		return ""
	case w.StageRole == classroom.StageLecture:
		return "Part " + strconv.Itoa(w.Round)
	}
	return "Round " + strconv.Itoa(w.Round)
}
