package templates

import (
	"context"
	"slices"

	"colloquy/classroom"
)

const maxRecentSessions = 8

// recentSessions are the sessions of all classes, the last used first, up to
// maxRecentSessions.
func recentSessions(n Nav) []classroom.Session {
	var out []classroom.Session
	for _, c := range n.Classes {
		out = append(out, c.Sessions...)
	}
	slices.SortStableFunc(out, func(a, b classroom.Session) int { return int(b.Updated - a.Updated) })
	return out[:min(len(out), maxRecentSessions)]
}

// sessionTitle is the title of a session, or a title for one without.
func sessionTitle(ctx context.Context, title string) string {
	if title = shorten(title, 200); title != "" {
		return title
	}
	return t(ctx, "session.untitled")
}

func statusLabel(ctx context.Context, s classroom.Status) string {
	switch s {
	case classroom.Running:
		return t(ctx, "session.answering")
	case classroom.Interrupted:
		return t(ctx, "session.interrupted")
	}
	return ""
}
