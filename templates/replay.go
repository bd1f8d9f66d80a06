package templates

import (
	"fmt"
	"strconv"

	"colloquy/classroom"

	"github.com/a-h/templ"
)

// replayAddress is a replay's page at a cursor; speed 0 stands still.
func replayAddress(session string, at classroom.Cursor, speed int) templ.SafeURL {
	out := "/sessions/" + session + "/replay?at=" + strconv.FormatInt(int64(at), 10)
	if speed > 0 {
		out += "&play=" + strconv.Itoa(speed)
	}
	return templ.SafeURL(out)
}

// playFrom is where playing starts: from here, or at the end from the beginning.
func playFrom(r Replay) classroom.Cursor {
	if r.Playing || r.At >= r.Head {
		return 0
	}
	return r.At
}

// speedWords name a button that plays.
func speedWords(speed int) string {
	if speed == 1 {
		return "Play"
	}
	return "Play " + strconv.Itoa(speed) + "×"
}

func replayWords(r Replay) string {
	if r.Playing {
		return fmt.Sprintf("Playing at %d×", r.Speed)
	}
	if r.Exchange > 0 {
		return fmt.Sprintf("Question %d of %d", r.Exchange, r.Exchanges)
	}
	return "Before the first question"
}
