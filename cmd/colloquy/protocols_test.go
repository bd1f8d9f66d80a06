package main

import (
	"testing"

	"colloquy/agents/llm/anthropic"
	"colloquy/agents/llm/openai"
	"colloquy/classroom"
)

// TestDefaultBaseURLs: the address that the pages show is the one that a provider
// uses. Packages classroom and agents/llm may not import each other, so each has it.
func TestDefaultBaseURLs(t *testing.T) {
	for protocol, want := range map[string]string{
		classroom.ProviderOpenAI:    openai.DefaultBaseURL,
		classroom.ProviderAnthropic: anthropic.DefaultBaseURL,
	} {
		if got := classroom.DefaultBaseURL(protocol); got != want {
			t.Errorf("%s: pages show %q, the provider uses %q", protocol, got, want)
		}
	}
}
