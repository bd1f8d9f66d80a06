package agents

import (
	"unicode/utf8"

	"colloquy/agents/llm"
)

const (
	unknownContext = 32_000 // tokens, where the context of a model is not known
	maxReserve     = 16_384 // kept free for the answer
)

// inputBudget returns how many tokens a request to a model may have.
func inputBudget(p llm.Profile) int {
	window := p.Context
	if window == 0 {
		window = unknownContext
	}
	return window - min(maxReserve, window/4)
}

// requestTokens estimates the tokens of a request.
func requestTokens(req llm.Request) int {
	n := textTokens(req.System)
	for _, t := range req.Tools {
		n += textTokens(t.Description) + len(t.Input)/4
	}
	for _, m := range req.Messages {
		n += 4 + textTokens(m.From) + textTokens(m.Text)
		for _, c := range m.Calls {
			n += 8 + len(c.Args)/4
		}
		for _, t := range m.Thought {
			n += textTokens(t.Text) + len(t.Opaque)/4
		}
	}
	return n
}

// textTokens estimates the tokens of a text: one for four ASCII bytes, and one
// for two bytes of others.
func textTokens(text string) int {
	ascii := 0
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			ascii++
		}
	}
	return ascii/4 + (len(text)-ascii+1)/2
}
