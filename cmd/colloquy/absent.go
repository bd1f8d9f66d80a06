package main

import (
	"context"
	"iter"

	"colloquy/agents/llm"
)

// An absent model stands where one cannot be made, and answers each request
// with the reason.
type absent struct{ why error }

func (absent) Name() string { return "none" }

// Profile says that nothing is to be asked of it but what it was chosen for.
func (absent) Profile() llm.Profile { return llm.Profile{Scripted: true} }

func (a absent) Stream(context.Context, llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) { yield(llm.Event{}, asked(a.why)) }
}
