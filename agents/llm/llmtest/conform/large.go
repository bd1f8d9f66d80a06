package conform

import (
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// tooLarge: an event over the limit, on one line or on many, is reported as too large;
// the message does not blame the address.
func tooLarge(t *testing.T, d Dialect) {
	started := d.Body([]Block{Text("a")}, "")
	line := "data: " + strings.Repeat("x", 1<<20)
	for name, sep := range map[string]string{"one line": "", "many lines": "\n"} {
		t.Run(name, func(t *testing.T) {
			got := collectOne(t, d, llmtest.Answer{Body: llmtest.Bytes(started, strings.Repeat(line+sep, 17))})
			e := UserError(t, got.Err)
			if e.Fault != llm.BadAnswer || !strings.Contains(e.Message, "too large") ||
				strings.Contains(e.Message, "address") || got.Text != "a" {
				t.Errorf("got %q, %+v", got.Text, e)
			}
		})
	}
}
