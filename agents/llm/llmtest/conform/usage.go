package conform

import (
	"testing"

	"colloquy/agents/llm"
)

// impossibleUsage: impossible counts are not delivered.
func impossibleUsage(t *testing.T, d Dialect) {
	const most = 1_000_000_000
	for name, c := range map[string]struct {
		in, out string
		want    llm.Usage
	}{
		"negative":    {"-7", "-9223372036854775808", llm.Usage{}},
		"huge":        {"9000000000000000000", "99999999999999999999", llm.Usage{Input: most, Output: most}},
		"exponent":    {"1e30", "1e999", llm.Usage{Input: most, Output: most}},
		"fraction":    {"12.9", "0.5", llm.Usage{Input: 12}},
		"no number":   {`"x"`, "4", llm.Usage{Output: 4}},
		"no scalar":   {"[1]", `{"a":1}`, llm.Usage{}},
		"of a string": {`"5"`, "true", llm.Usage{}},
	} {
		t.Run(name, func(t *testing.T) {
			EveryChunking(t, d, d.UsageBody(c.in, c.out), Outcome{Text: "a", Usage: c.want, Reason: llm.Stop}, NoError)
		})
	}
}
