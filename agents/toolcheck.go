package agents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

// allowedTools returns the tools that agent a may call, in the order they were given.
func (rt *Runtime) allowedTools(a classroom.Agent) []llm.Tool {
	var out []llm.Tool
	for _, t := range rt.o.Tools {
		if mayUseTool(a, t) {
			out = append(out, llm.Tool{Name: t.Name, Description: t.Description, Input: t.Input})
		}
	}
	return out
}

// allowedOutsideSession returns the tools that agent a may call outside a session.
func (rt *Runtime) allowedOutsideSession(a classroom.Agent) []llm.Tool {
	return slices.DeleteFunc(rt.allowedTools(a), func(t llm.Tool) bool { return rt.tools[t.Name].InSession })
}

func mayUseTool(a classroom.Agent, t Tool) bool {
	return (len(a.Tools) == 0 || slices.Contains(a.Tools, t.Name)) &&
		(len(t.Roles) == 0 || slices.Contains(t.Roles, a.Role))
}

// checkCall returns the tool of a call, or nil and an explanation for the model
// of what is wrong with the call.
func (rt *Runtime) checkCall(a classroom.Agent, call classroom.Block) (*tool, string) {
	t := rt.tools[call.Name]
	if t == nil || !mayUseTool(a, t.Tool) {
		var names []string
		for _, t := range rt.allowedTools(a) {
			names = append(names, t.Name)
		}
		all := strings.Join(names, ", ")
		return nil, fmt.Sprintf("There is no tool named %q here. The tools are: %s.", call.Name, all)
	}
	var args any
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil, "The arguments are not JSON."
	}
	if text, ok := args.(string); ok {
		return nil, fmt.Sprintf("The arguments are not a JSON object: %.300s", text)
	}
	if err := t.schema.Validate(args); err != nil {
		return nil, fmt.Sprintf(
			"The arguments do not match the tool's schema: %.300s. Received: %.300s", err, call.Args)
	}
	return t, ""
}

// acceptsDetails reports whether details are valid by the tool's output schema.
func (t *tool) acceptsDetails(details any) bool {
	if t.output == nil || details == nil {
		return true
	}
	raw, err := json.Marshal(details)
	var plain any
	return err == nil && json.Unmarshal(raw, &plain) == nil && t.output.Validate(plain) == nil
}
