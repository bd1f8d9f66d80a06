package templates

import (
	"strconv"

	"colloquy/classroom"
)

// A mode is a kind of session, as the forms offer it.
type mode struct{ ID, Label, Summary string }

var modes = []mode{
	newMode(classroom.ModeQA,
		"The teacher answers, the assistant adds what to remember, a classmate asks a follow-up."),
	newMode(classroom.ModeDiscussion,
		"Everybody speaks once in each round; you can interject at any time."),
	newMode(classroom.ModeDebate,
		"Two sides and a moderator; your question is the motion."),
	newMode(classroom.ModeLecture,
		"The teacher presents a topic part by part and stops for your questions."),
}

func newMode(id, summary string) mode { return mode{id, modeLabel(id), summary} }

func modeLabel(mode string) string {
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

// chosenMode is the mode that the form for a new session selects.
func chosenMode(v ClassPageView) string {
	if v.Mode != "" {
		return v.Mode
	}
	return v.Class.Mode
}

// composerPlaceholder is the text in an empty composer.
func composerPlaceholder(mode string) string {
	switch mode {
	case classroom.ModeDiscussion:
		return "Give the class something to discuss…"
	case classroom.ModeDebate:
		return "State a motion to debate…"
	case classroom.ModeLecture:
		return "Name a topic, or ask a question…"
	}
	return "Ask the class…"
}

// emptySessionText says what the first message of a session starts.
func emptySessionText(mode string, roster []classroom.Agent) string {
	switch mode {
	case classroom.ModeDiscussion:
		return "Give the class a question or a claim to discuss. " +
			"Everybody speaks once in each round, and you can interject at any time."
	case classroom.ModeDebate:
		return "State a motion below. Two agents speak for and against it; " +
			"a moderator opens the debate and sums it up. Mention two with @ to choose the sides."
	case classroom.ModeLecture:
		return "Name a topic below. The teacher presents it part by part and stops for your questions."
	}
	if len(roster) == 0 {
		return "Ask a question below, and the answer appears here."
	}
	return "Ask a question below. " + rosterSummary(roster) + " You can interject at any time."
}

// stageRoleLabel names the role of a window's agent in the session's mode.
func stageRoleLabel(w *classroom.Window) string {
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

func stageRoleClass(role string) string {
	switch role {
	case classroom.StageFor, classroom.StageAgainst, classroom.StageModerator, classroom.StageSummary:
		return "part-" + role
	}
	return ""
}

// roundLabel is the number of the round, or of the part of a lecture.
func roundLabel(w *classroom.Window) string {
	switch {
	case w.Round == 0 || w.StageRole == classroom.StageReply || w.StageRole == classroom.StageSummary:
		return ""
	case w.StageRole == classroom.StageLecture:
		return "Part " + strconv.Itoa(w.Round)
	}
	return "Round " + strconv.Itoa(w.Round)
}
