package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

// A Tool is what agents may call. It has the shape of an MCP tool.
type Tool struct {
	Name        string
	Description string           // what the model is told
	Input       json.RawMessage  // JSON schema of an object
	Output      json.RawMessage  // JSON schema of a Result's Details; empty promises nothing
	Timeout     time.Duration    // 0 means 30 s
	Roles       []classroom.Role // who may call it; none means everybody
	Parallel    bool             // it may run beside the other calls of a message; one tool that may not makes them all wait in line
	InSession   bool             // it means something in a session only
	// Run does the work. It is called with arguments that fit Input. A Result
	// with IsError, an error or a panic is told to the model, and ends nothing.
	Run func(ctx context.Context, c Call) (Result, error)
}

// A Call is one call of a tool.
type Call struct {
	Class, Session, Agent string
	Args                  json.RawMessage
	Progress              func(text string) // replaces what it said before
}

// A Result is what a tool found.
type Result struct {
	Text    string // what the model reads; cut at 128 KB
	Details any    // what the card shows, as JSON; may be nil
	IsError bool
	// Terminate ends the agent's window, where all results of a message say so:
	// the model is not asked again.
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
	output *jsonschema.Resolved // nil where nothing is promised
}

func compile(tools []Tool) (map[string]*tool, error) {
	out := map[string]*tool{}
	for _, t := range tools {
		input, err := resolve(t.Input)
		if err != nil {
			return nil, fmt.Errorf("read the input schema of tool %s: %w", t.Name, err)
		}
		output, err := resolve(t.Output)
		if err != nil {
			return nil, fmt.Errorf("read the output schema of tool %s: %w", t.Name, err)
		}
		if t.Timeout == 0 {
			t.Timeout = toolTimeout
		}
		out[t.Name] = &tool{t, input, output}
	}
	return out, nil
}

// resolve reads a schema; an empty one is nil.
func resolve(raw json.RawMessage) (*jsonschema.Resolved, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(nil)
}

// allowed returns the tools that agent a may call, in the order they were given.
func (rt *Runtime) allowed(a classroom.Agent) []llm.Tool {
	var out []llm.Tool
	for _, t := range rt.o.Tools {
		if mayCall(a, t) {
			out = append(out, llm.Tool{Name: t.Name, Description: t.Description, Input: t.Input})
		}
	}
	return out
}

// allowedAlone are the tools that agent a may call outside a session.
func (rt *Runtime) allowedAlone(a classroom.Agent) []llm.Tool {
	return slices.DeleteFunc(rt.allowed(a), func(t llm.Tool) bool { return rt.tools[t.Name].InSession })
}

func mayCall(a classroom.Agent, t Tool) bool {
	return (len(a.Tools) == 0 || slices.Contains(a.Tools, t.Name)) && (len(t.Roles) == 0 || slices.Contains(t.Roles, a.Role))
}

// check returns the tool of a call, or what is wrong with the call in words for the model.
func (rt *Runtime) check(a classroom.Agent, call classroom.Block) (*tool, string) {
	t := rt.tools[call.Name]
	if t == nil || !mayCall(a, t.Tool) {
		var names []string
		for _, t := range rt.allowed(a) {
			names = append(names, t.Name)
		}
		return nil, fmt.Sprintf("There is no tool named %q here. The tools are: %s.", call.Name, strings.Join(names, ", "))
	}
	var args any
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil, "The arguments are not JSON."
	}
	if text, ok := args.(string); ok {
		return nil, fmt.Sprintf("The arguments are not a JSON object: %.300s", text)
	}
	if err := t.schema.Validate(args); err != nil {
		return nil, fmt.Sprintf("The arguments do not fit the tool's schema: %.300s. Received: %.300s", err, call.Args)
	}
	return t, ""
}

// fits reports whether details are what the tool promises.
func (t *tool) fits(details any) bool {
	if t.output == nil || details == nil {
		return true
	}
	raw, err := json.Marshal(details)
	var plain any
	return err == nil && json.Unmarshal(raw, &plain) == nil && t.output.Validate(plain) == nil
}

// try runs a tool with its time limit. A panic is an error result.
func (t *tool) try(ctx context.Context, c Call) (res Result) {
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			res = Result{Text: "The tool failed.", IsError: true}
		}
	}()
	res, err := t.Run(ctx, c)
	switch {
	case err == nil && !t.fits(res.Details):
		return Result{Text: "The tool failed: what it found is not what it promises.", IsError: true}
	case err == nil:
		return res
	case errors.Is(err, context.DeadlineExceeded):
		return Result{Text: fmt.Sprintf("The tool took longer than %s and was stopped.", t.Timeout), IsError: true}
	case errors.Is(err, context.Canceled):
		return Result{Text: stoppedText, IsError: true}
	}
	return Result{Text: "The tool failed: " + err.Error(), IsError: true}
}
