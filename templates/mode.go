package templates

import (
	"context"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

// modes are the ids of the modes, in the order in which the forms offer them.
func modes() []string {
	var out []string
	for _, m := range classroom.Modes() {
		out = append(out, m.ID)
	}
	return out
}

// modeText is a text of a mode: "label", "summary", "placeholder" or "empty". A mode of
// a later version has those of the default mode.
func modeText(ctx context.Context, mode, text string, values ...any) string {
	return t(ctx, "mode."+classroom.ModeOf(mode).ID+"."+text, values...)
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

// saysWhatEachDoes reports whether the text of a mode says what each agent does. It is
// under "empty_roster" then.
func saysWhatEachDoes(ctx context.Context, mode string) bool {
	return locale.From(ctx).Has("mode." + classroom.ModeOf(mode).ID + ".empty_roster")
}

// emptySessionText says what the first message of a session starts.
func emptySessionText(ctx context.Context, mode string, roster []classroom.Agent) string {
	if len(roster) > 0 && saysWhatEachDoes(ctx, mode) {
		return modeText(ctx, mode, "empty_roster", "Roster", rosterSummary(ctx, roster))
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

// isUnusual reports whether lists name the mode: it is not the default one.
func isUnusual(mode string) bool { return classroom.ModeOf(mode).ID != classroom.Modes()[0].ID }
