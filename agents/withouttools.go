package agents

import (
	"context"
	"errors"
	"slices"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

const (
	searchTool = "search_materials"

	// What the prompt "house" says about the search, with tools and without them.
	searchInstruction = "Use the passages of the class's materials that you are given, " +
		"and look for more with search_materials,"
	passagesInstruction = "You have no tools. Use the passages of the class's materials that you are given,"

	passagesHead = "Passages from the class's materials for the next message, found by a search:\n\n"
)

func toolsRefused(fault error) bool {
	var e *llm.Error
	return errors.As(fault, &e) && e.Fault == llm.ToolsRefused
}

// WithoutTools returns req for a model that accepts no tools: past calls and results become
// text.
func WithoutTools(req llm.Request) llm.Request {
	req.Tools = nil
	req.System = strings.Replace(req.System, searchInstruction, passagesInstruction, 1)
	var out []llm.Message
	for _, m := range req.Messages {
		switch {
		case m.Role == llm.ToolResult && !m.IsError:
			out = append(out, note("Found in the materials before:\n\n"+m.Text))
		case m.Role == llm.ToolResult, len(m.Calls) > 0 && m.Text == "":
		case len(m.Calls) > 0:
			out = append(out, llm.Message{Role: m.Role, Model: m.Model, Text: m.Text})
		default:
			out = append(out, m)
		}
	}
	req.Messages = out
	return req
}

// WithPassages returns req with passages, which may be empty, before the person's last
// message. They stand there for every agent of a run, so that requests begin alike.
func WithPassages(req llm.Request, passages string) llm.Request {
	if passages != "" {
		at := lastUserMessage(req.Messages)
		req.Messages = slices.Insert(slices.Clone(req.Messages), at, note(passagesHead+passages))
	}
	return req
}

// lastUserMessage returns the index of the last message of a person, or the length of
// messages if there is none.
func lastUserMessage(messages []llm.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == llm.User && !m.Peer {
			return i
		}
	}
	return len(messages)
}

// maySearch reports whether an agent may search the materials.
func (rt *Runtime) maySearch(agent classroom.Agent) bool {
	t := rt.tools[searchTool]
	return t != nil && mayUseTool(agent, t.Tool)
}

// retryWithoutTools records that the model refused tools, marks its failed message as
// superseded, and makes a new request without tools.
func (r *run) retryWithoutTools(ctx context.Context, m classroom.MessageEnd, model *llm.Model, req *llm.Request) error {
	retry := classroom.Retry{MessageID: m.MessageID, Attempt: 1, Max: 1, Reason: "without_tools"}
	if err := r.append(ctx, r.agentDraft(retry)); err != nil {
		return err
	}
	r.noTools = true
	*model, *req = r.request(ctx)
	return r.shortenToFit(ctx, model, req)
}
