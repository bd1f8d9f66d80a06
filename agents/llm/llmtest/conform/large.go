package conform

import (
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// tooLarge: an event that is larger than anybody keeps is told as such, whether
// it is one line or many; the address is not to blame.
func tooLarge(t *testing.T, d Dialect) {
	said := d.Body([]Block{Text("a")}, "")
	line := "data: " + strings.Repeat("x", 1<<20)
	for name, sep := range map[string]string{"one line": "", "many lines": "\n"} {
		t.Run(name, func(t *testing.T) {
			got := collectOne(t, d, llmtest.Answer{Body: llmtest.Bytes(said, strings.Repeat(line+sep, 17))})
			e := UserError(t, got.Err)
			if e.Fault != llm.BadAnswer || !strings.Contains(e.Message, "too large") || strings.Contains(e.Message, "address") || got.Text != "a" {
				t.Errorf("got %q, %+v", got.Text, e)
			}
		})
	}
}
