package templates

import (
	"strconv"

	"colloquy/classroom"
)

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

func partClass(part string) string {
	switch part {
	case classroom.StageFor, classroom.StageAgainst, classroom.StageModerator, classroom.StageSummary:
		return "part-" + part
	}
	return ""
}

// A mode is a way in which a class talks, as a person chooses it.
type mode struct{ ID, Words, Says string }

var modes = []mode{
	{classroom.ModeQA, modeWord(classroom.ModeQA), "The teacher answers, the assistant adds what to keep, a classmate reacts."},
	{classroom.ModeDiscussion, modeWord(classroom.ModeDiscussion), "Everybody speaks once a round; you may interject at any time."},
	{classroom.ModeDebate, modeWord(classroom.ModeDebate), "Two sides and a moderator; your question is the motion."},
	{classroom.ModeLecture, modeWord(classroom.ModeLecture), "The teacher speaks through a topic and stops for your questions."},
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
