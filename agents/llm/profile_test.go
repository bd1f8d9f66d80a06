package llm_test

import (
	"math"
	"testing"

	"colloquy/agents/llm"
)

func TestCostNeverWrapsAround(t *testing.T) {
	most := llm.Price{Input: math.MaxInt64, Output: math.MaxInt64, CacheRead: math.MaxInt64, CacheWrite: math.MaxInt64}
	for name, c := range map[string]struct {
		price llm.Price
		usage llm.Usage
		want  int64
	}{
		"plain":        {llm.Price{Input: 3_000_000, Output: 15_000_000}, llm.Usage{Input: 1000, Output: 10}, 3150},
		"rounded up":   {llm.Price{Input: 1}, llm.Usage{Input: 500_000}, 1},
		"rounded down": {llm.Price{Input: 1}, llm.Usage{Input: 499_999}, 0},
		"dear":         {llm.Price{Input: 100_000_000_000}, llm.Usage{Input: 100_000_000}, 10_000_000_000_000},
		"all at the most": {most,
			llm.Usage{Input: math.MaxInt, Output: math.MaxInt, CacheRead: math.MaxInt, CacheWrite: math.MaxInt},
			math.MaxInt64},
		"just too much":  {llm.Price{Input: math.MaxInt64}, llm.Usage{Input: 1_000_001}, math.MaxInt64},
		"just not":       {llm.Price{Input: math.MaxInt64}, llm.Usage{Input: 1_000_000}, math.MaxInt64},
		"negative usage": {llm.Price{Input: 5_000_000, Output: 1_000_000}, llm.Usage{Input: -7, Output: 3}, 3},
		"negative price": {llm.Price{Input: -5_000_000, Output: 1_000_000}, llm.Usage{Input: 7, Output: 3}, 3},
		"nothing":        {most, llm.Usage{Reasoning: 7}, 0},
	} {
		if got := c.price.Cost(c.usage); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
