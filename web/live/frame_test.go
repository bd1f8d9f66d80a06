package live

import (
	"encoding/json"
	"strings"
	"testing"

	"colloquy/classroom"
)

// Case P05: a type of a later version forges no field of a frame.
func TestHostileTypeForgesNothing(t *testing.T) {
	b, err := appendEvent(nil, classroom.Event{ID: 1, Type: "x\nid: 7\r\n", Data: json.RawMessage("{}")})
	if err != nil || strings.Count(string(b), "\n") != 4 || strings.Contains(string(b), "\r") {
		t.Errorf("a type with line breaks made %q", b)
	}
}
