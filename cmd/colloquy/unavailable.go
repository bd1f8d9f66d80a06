package main

import (
	"context"
	"errors"
	"iter"

	"colloquy/agents/llm"
	"colloquy/classroom"
	"colloquy/templates/locale"
)

// An unavailableModel takes the place of a model that cannot be used. It answers each
// request with the reason.
type unavailableModel struct{ reason error }

func (unavailableModel) Name() string { return "none" }

// Profile says Scripted, so that it is never used as director or summariser.
func (unavailableModel) Profile() llm.Profile { return llm.Profile{Scripted: true} }

func (m unavailableModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) { yield(llm.Event{}, modelError(m.reason)) }
}

// errModelRemoved is the answer of an agent whose model was removed.
var errModelRemoved = &llm.Error{
	Fault: llm.Refused, Problem: "removed",
	Message: "The model that was chosen for this agent is no longer connected. " +
		"Choose another on the page of the class.",
}

// modelError returns err as a model's error, with a message for people.
func modelError(err error) *llm.Error {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e
	}
	if errors.Is(err, classroom.ErrNotFound) {
		return errModelRemoved
	}
	message := "The model that was chosen cannot be used as it is set up. " +
		"Look at its page in the settings, and test it there."
	if e, ok := errors.AsType[*classroom.Error](err); ok {
		message = locale.English().Error(e)
	}
	return &llm.Error{Fault: llm.Refused, Problem: "unusable", Message: message, Err: err}
}
