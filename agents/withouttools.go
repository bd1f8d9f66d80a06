package agents

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

const (
	searchTool = "search_materials"

	// What the prompt "house" says about the search, with tools and without them.
	searchInstruction = "Look into the class's materials with search_materials before you state facts, " +
		"quote what you use,"
	passagesInstruction = "You have no tools. Use the passages of the class's materials that you are given, " +
		"quote what you use,"

	passagesHead = "Passages from the class's materials for the next message, found by a search:\n\n"
)

func toolsRefused(fault error) bool {
	var e *llm.Error
	return errors.As(fault, &e) && e.Fault == llm.ToolsRefused
}

// WithoutTools returns req for a model that accepts no tools. The passages, which may
// be empty, precede the person's last message; past calls and results become text.
func WithoutTools(req llm.Request, passages string) llm.Request {
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
	if passages != "" {
		out = slices.Insert(out, lastUserMessage(out), note(passagesHead+passages))
	}
	req.Messages = out
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

// searchPassages runs the search tool for a question and returns its text for the
// model. It returns "" if the agent may not search or the search fails.
func (rt *Runtime) searchPassages(ctx context.Context, agent classroom.Agent, c Call, question string) string {
	t := rt.tools[searchTool]
	if t == nil || !mayUseTool(agent, t.Tool) || strings.TrimSpace(question) == "" {
		return ""
	}
	if runes := []rune(question); len(runes) > maxQuery {
		question = string(runes[:maxQuery])
	}
	args, err := json.Marshal(map[string]string{"query": question})
	if err != nil {
		return ""
	}
	c.Agent, c.Args, c.Progress = agent.ID, args, func(string) {}
	res := t.execute(ctx, c)
	if res.IsError {
		rt.o.Logger.Warn("search for a model without tools", "class", c.Class, "error", res.Text)
		return ""
	}
	return truncateResult(res.Text, maxResultText)
}

// withoutTools returns [WithoutTools] with the passages for the person's last message.
func (r *run) withoutTools(ctx context.Context, req llm.Request) llm.Request {
	question := ""
	if at := lastUserMessage(req.Messages); at < len(req.Messages) {
		question = req.Messages[at].Text
	} else {
		r.s.mu.Lock()
		if card := r.s.fold.Card(r.exchange); card != nil { // the question was summarised
			question = card.Question.Text
		}
		r.s.mu.Unlock()
	}
	if question != r.lastSearch.question || r.agent.ID != r.lastSearch.agent {
		r.lastSearch.agent = r.agent.ID
		r.lastSearch.question = question
		call := Call{Class: r.speakers.class.ID, Session: r.s.id}
		r.lastSearch.passages = r.s.rt.searchPassages(ctx, r.agent, call, question)
	}
	return WithoutTools(req, r.lastSearch.passages)
}

// A passageSearch is a search for a model without tools. The turns of a window share it.
type passageSearch struct{ agent, question, passages string }

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
