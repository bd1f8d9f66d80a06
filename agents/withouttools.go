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

	// What the prompt "house" says of the search, and what it says to a model without tools.
	lookUp      = "Look into the class's materials with search_materials before you state facts, quote what you use,"
	usePassages = "You have no tools. Use the passages of the class's materials that you are given, quote what you use,"

	passagesHead = "Passages from the class's materials for the next message, found by a search:\n\n"
	withoutTools = "The model cannot use tools. It is asked again with passages from the materials."
)

func toolsRefused(fault error) bool {
	var e *llm.Error
	return errors.As(fault, &e) && e.Fault == llm.ToolsRefused
}

// WithoutTools is req for a model that takes no tools: passages, which may be
// empty, stand before the person's last message, and past calls and their
// results are text.
func WithoutTools(req llm.Request, passages string) llm.Request {
	req.Tools = nil
	req.System = strings.Replace(req.System, lookUp, usePassages, 1)
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
		out = slices.Insert(out, lastOfPerson(out), note(passagesHead+passages))
	}
	req.Messages = out
	return req
}

// lastOfPerson is where the last message of a person stands, or the end where there is none.
func lastOfPerson(messages []llm.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == llm.User && !m.Peer {
			return i
		}
	}
	return len(messages)
}

// search finds passages for a question by the tool with which agents search. It
// returns what a model reads, or "" where the agent may not search or nothing could be looked up.
func (rt *Runtime) search(ctx context.Context, agent classroom.Agent, c Call, question string) string {
	t := rt.tools[searchTool]
	if t == nil || !mayCall(agent, t.Tool) || strings.TrimSpace(question) == "" {
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

// withoutTools is [WithoutTools] with the passages for the person's last message.
func (r *run) withoutTools(ctx context.Context, req llm.Request) llm.Request {
	question := ""
	if at := lastOfPerson(req.Messages); at < len(req.Messages) {
		question = req.Messages[at].Text
	} else {
		r.s.mu.Lock()
		if card := r.s.fold.Card(r.exchange); card != nil { // it was summarised
			question = card.Question.Text
		}
		r.s.mu.Unlock()
	}
	if question != r.searched.question || r.agent.ID != r.searched.agent {
		r.searched.agent = r.agent.ID
		r.searched.question = question
		r.searched.passages = r.s.rt.search(ctx, r.agent, Call{Class: r.speakers.class.ID, Session: r.s.id}, question)
	}
	return WithoutTools(req, r.searched.passages)
}

// searched is the last search for a model without tools; the turns of a window need the same.
type searched struct{ agent, question, passages string }

// askAgain notes that the model refused tools, marks its failed message as
// superseded, and makes the request anew without tools.
func (r *run) askAgain(ctx context.Context, m classroom.MessageEnd, model *llm.Model, req *llm.Request) error {
	retry := classroom.Retry{MessageID: m.MessageID, Attempt: 1, Max: 1, Reason: withoutTools}
	if err := r.append(ctx, r.agentDraft(retry)); err != nil {
		return err
	}
	r.noTools = true
	*model, *req = r.request(ctx)
	return r.shortenToFit(ctx, model, req)
}
