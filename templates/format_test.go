package templates

import "testing"

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{formatDuration(0), "0 ms"},
		{formatDuration(-5), "0 s"},
		{formatDuration(949), "949 ms"},
		{formatDuration(950), "0.9 s"},
		{formatDuration(2000), "2 s"},
		{formatDuration(9949), "9.9 s"},
		{formatDuration(59_400), "59 s"},
		{formatDuration(61_200), "1 min 1 s"},
		{formatCount(999), "999"},
		{formatCount(1234567), "1\u202f234\u202f567"},
		{plural(1, "question", "questions"), "1 question"},
		{plural(0, "question", "questions"), "0 questions"},
		{formatSize(999), "999 bytes"},
		{formatSize(6400), "6 KB"},
		{formatSize(1_250_000), "1.2 MB"},
		{shorten("a\n b  c", 10), "a b c"},
		{shorten("课🌍é and more", 5), "课…"},
		{initials("Ms Ada"), "MA"},
		{initials("élan"), "É"},
		{initials("  "), "?"},
		{initials("\xff"), "?"},
		{joinAnd([]string{"Ada", "Ben", "Chi"}), "Ada, Ben and Chi"},
		{sessionTitle(" \n"), "New session"},
		{formatElapsed(1000, 0), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
