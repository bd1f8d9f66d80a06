package templates

import "testing"

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{formatDuration(t.Context(), 0), "0 ms"},
		{formatDuration(t.Context(), -5), "0 ms"},
		{formatDuration(t.Context(), 949), "949 ms"},
		{formatDuration(t.Context(), 950), "0.9 s"},
		{formatDuration(t.Context(), 2000), "2 s"},
		{formatDuration(t.Context(), 9949), "9.9 s"},
		{formatDuration(t.Context(), 59_400), "59 s"},
		{formatDuration(t.Context(), 61_200), "1 min 1 s"},
		{formatCount(t.Context(), 999), "999"},
		{formatCount(t.Context(), 1234567), "1\u202f234\u202f567"},
		{count(t.Context(), "session.questions", 1), "1 question"},
		{count(t.Context(), "session.questions", 0), "0 questions"},
		{formatSize(t.Context(), 999), "999 bytes"},
		{formatSize(t.Context(), 6400), "6 KB"},
		{formatSize(t.Context(), 1_250_000), "1.2 MB"},
		{shorten("a\n b  c", 10), "a b c"},
		{shorten("课🌍é and more", 5), "课…"},
		{initials("Ms Ada"), "MA"},
		{initials("élan"), "É"},
		{initials("  "), "?"},
		{initials("\xff"), "?"},
		{joinAnd(t.Context(), []string{"Ada", "Ben", "Chi"}), "Ada, Ben and Chi"},
		{sessionTitle(t.Context(), " \n"), "New session"},
		{formatElapsed(t.Context(), 1000, 0), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
