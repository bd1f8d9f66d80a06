package templates

import (
	"context"
	"strconv"

	"colloquy/classroom"

	"github.com/a-h/templ"
)

// replayAddress is the address of a replay at a cursor; it plays if speed is not 0.
func replayAddress(session string, at classroom.Cursor, speed int) templ.SafeURL {
	out := "/sessions/" + session + "/replay?at=" + strconv.FormatInt(int64(at), 10)
	if speed > 0 {
		out += "&play=" + strconv.Itoa(speed)
	}
	return templ.SafeURL(out)
}

// playFrom is the cursor at which playing starts: the present one, or 0 at the end.
func playFrom(r Replay) classroom.Cursor {
	if r.Playing || r.At >= r.Head {
		return 0
	}
	return r.At
}

// speedLabel is the label of the button that plays at a speed.
func speedLabel(ctx context.Context, speed int) string {
	if speed == 1 {
		return t(ctx, "replay.play")
	}
	return t(ctx, "replay.play_at", "Speed", speed)
}

func replayStatus(ctx context.Context, r Replay) string {
	if r.Playing {
		return t(ctx, "replay.playing_at", "Speed", r.Speed)
	}
	if r.Exchange > 0 {
		return t(ctx, "replay.question_of", "Number", r.Exchange, "Count", r.Exchanges)
	}
	return t(ctx, "replay.before_first")
}
