package templates

import (
	"context"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

// modes are the kinds of session, in the order in which the forms offer them. Their
// words are in templates/locale, by id.
var modes = []string{classroom.ModeQA, classroom.ModeDiscussion, classroom.ModeDebate, classroom.ModeLecture}

// modeText is a text of a mode: "label", "summary", "placeholder" or "empty". A mode
// that this version does not know has those of questions and answers.
func modeText(ctx context.Context, mode, text string) string {
	if mode == "" || !locale.From(ctx).Has("mode."+mode+"."+text) {
		mode = classroom.ModeQA
	}
	return t(ctx, "mode."+mode+"."+text)
}

func modeLabel(ctx context.Context, mode string) string { return modeText(ctx, mode, "label") }

// chosenMode is the mode that the form for a new session selects.
func chosenMode(v ClassPageView) string {
	if v.Mode != "" {
		return v.Mode
	}
	return v.Class.Mode
}

// composerPlaceholder is the text in an empty composer.
func composerPlaceholder(ctx context.Context, mode string) string {
	return modeText(ctx, mode, "placeholder")
}

// emptySessionText says what the first message of a session starts.
func emptySessionText(ctx context.Context, mode string, roster []classroom.Agent) string {
	if mode == "" || mode == classroom.ModeQA {
		if len(roster) > 0 {
			return t(ctx, "mode.qa.empty_roster", "Roster", rosterSummary(ctx, roster))
		}
	}
	return modeText(ctx, mode, "empty")
}

// stageRoleLabel names the role of a window's agent in the session's mode.
func stageRoleLabel(ctx context.Context, w *classroom.Window) string {
	switch w.StageRole {
	case classroom.StageModerator, classroom.StageFor, classroom.StageAgainst, classroom.StageSummary,
		classroom.StageReply:
		return t(ctx, "agent.stage_"+w.StageRole)
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
func roundLabel(ctx context.Context, w *classroom.Window) string {
	switch {
	case w.Round == 0 || w.StageRole == classroom.StageReply || w.StageRole == classroom.StageSummary:
		return ""
	case w.StageRole == classroom.StageLecture:
		return t(ctx, "agent.part_number", "Number", w.Round)
	}
	return t(ctx, "agent.round_number", "Number", w.Round)
}
