package live

import (
	"encoding/json"
	"strings"
	"testing"

	"colloquy/classroom"
)

// A type of a later version forges no field of a frame.
func TestHostileTypeForgesNothing(t *testing.T) {
	b, err := appendEvent(nil, classroom.Event{ID: 1, Type: "x\nid: 7\r\n", Data: json.RawMessage("{}")})
	if err != nil || strings.Count(string(b), "\n") != 4 || strings.Contains(string(b), "\r") {
		t.Errorf("a type with line breaks made %q", b)
	}
}

// TestLineBreaksForgeNoField: whatever line breaks a page's text has, a reader of the
// frame gets that text, with line feeds, and no other field.
func TestLineBreaksForgeNoField(t *testing.T) {
	ends := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	for _, text := range []string{"a\rid: 7\rb", "a\r\nevent: bye\r\n\r\nb", "a\n\ndata: b\n", " a\n  b", "\r",
		"a\n\rb", ""} {
		frame := string(appendHTML(nil, 3, []byte(text)))
		lines := strings.Split(ends.Replace(frame), "\n") // as a client splits them
		if lines[0] != "id: 3" || !strings.HasSuffix(frame, "\n\n") {
			t.Fatalf("the frame of %q is %q", text, frame)
		}
		var got []string
		for _, line := range lines[1 : len(lines)-2] {
			value, ok := strings.CutPrefix(line, "data:")
			if !ok {
				t.Errorf("the frame of %q has the line %q", text, line)
			}
			got = append(got, strings.TrimPrefix(value, " "))
		}
		if want := ends.Replace(text); strings.Join(got, "\n") != want {
			t.Errorf("a client reads %q, want %q", got, want)
		}
	}
}
