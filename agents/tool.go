package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"colloquy/classroom"
)

// A Tool is a function that agents may call, described as in MCP.
type Tool struct {
	Name        string
	Description string           // for the model
	View        string           // how a card shows its calls: see templates/toolview.go; empty means as they are
	Input       json.RawMessage  // JSON schema of an object
	Output      json.RawMessage  // JSON schema of a Result's Details; without one they are not checked
	Timeout     time.Duration    // 0 means 30 s
	Roles       []classroom.Role // who may call it; none means everybody
	Parallel    bool             // its calls may run beside others of a message, where all their tools may
	InSession   bool             // it is offered in sessions only
	// Run executes a call whose arguments are valid by Input. A Result with
	// IsError, an error or a panic becomes an error result for the model.
	Run func(ctx context.Context, c Call) (Result, error)
}

// A Call is one call of a tool.
type Call struct {
	Class, Session, Agent string
	Args                  json.RawMessage
	Progress              func(text string) // replaces earlier progress
}

// A Result is what a call returns.
type Result struct {
	Text    string // what the model reads; truncated at 128 KB
	Details any    // what the card shows, as JSON; may be nil
	IsError bool
	// Terminate ends the agent's window without asking the model again, where all
	// results of a message have it.
	Terminate bool
	Cue       *classroom.CueUser // gives the floor to the person; the run ends after this window
}

const (
	toolTimeout   = 30 * time.Second
	maxResultText = 128 << 10
	maxProgress   = 4 << 10
)

type tool struct {
	Tool
	schema *jsonschema.Resolved
	output *jsonschema.Resolved // nil where Details are not checked
}

func compileTools(tools []Tool) (map[string]*tool, error) {
	out := map[string]*tool{}
	for _, t := range tools {
		input, err := resolveSchema(t.Input)
		if err != nil {
			return nil, fmt.Errorf("parse the input schema of tool %s: %w", t.Name, err)
		}
		output, err := resolveSchema(t.Output)
		if err != nil {
			return nil, fmt.Errorf("parse the output schema of tool %s: %w", t.Name, err)
		}
		if t.Timeout == 0 {
			t.Timeout = toolTimeout
		}
		out[t.Name] = &tool{t, input, output}
	}
	return out, nil
}

// resolveSchema parses a schema; for an empty one it returns nil.
func resolveSchema(raw json.RawMessage) (*jsonschema.Resolved, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(nil)
}

// execute runs a tool within its time limit. A panic becomes an error result.
func (t *tool) execute(ctx context.Context, c Call) (res Result) {
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			res = Result{Text: "The tool failed.", IsError: true}
		}
	}()
	res, err := t.Run(ctx, c)
	switch {
	case err == nil && !t.acceptsDetails(res.Details):
		return Result{Text: "The tool failed: its result does not match its schema.", IsError: true}
	case err == nil:
		return res
	case errors.Is(err, context.DeadlineExceeded):
		return Result{Text: fmt.Sprintf("The tool took longer than %s and was stopped.", t.Timeout), IsError: true}
	case errors.Is(err, context.Canceled):
		return Result{Text: stoppedText, IsError: true}
	}
	return Result{Text: "The tool failed: " + err.Error(), IsError: true}
}
