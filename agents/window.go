package agents

import (
	"context"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// A turn is one message of the model and the results of its tool calls.
type turn struct {
	message    classroom.MessageEnd
	results    []classroom.ToolExecutionEnd
	endsWindow bool              // all its tools returned Terminate
	end        *classroom.RunEnd // not nil: the run ends here
}

// runWindow gives the floor to an agent. It returns how the run ends where the
// window ends it, and an error where the log could not be written.
func (r *run) runWindow(ctx context.Context, c floor.Choice) (*classroom.RunEnd, error) {
	opening := []classroom.Draft{r.openWindow(c)}
	var windowEnd classroom.AgentEnd
	cutOffs := 0
	for n := 1; ; n++ {
		if err := r.openTurn(ctx, n, opening); err != nil {
			return nil, err
		}
		opening = nil
		t, err := r.runTurn(ctx)
		if err != nil {
			return nil, err
		}
		windowEnd.Turns, windowEnd.StopReason = n, t.message.StopReason
		windowEnd.ToolCalls += len(t.results)
		windowEnd.Usage = windowEnd.Usage.Plus(t.message.Usage)
		if cutOffInCall(t) {
			cutOffs++
		} else {
			cutOffs = 0
		}
		closing := []classroom.Draft{r.agentDraft(turnEnd(n, t))}
		if t.end == nil {
			t.end = r.limitReached(n, cutOffs, t)
		}
		if t.end == nil && !t.endsWindow && (len(t.results) > 0 || r.hasSteers()) {
			if err := r.append(ctx, closing...); err != nil {
				return nil, err
			}
			continue
		}
		// The next window or the run's end follows at once: one commit writes both.
		r.pendingDrafts = append(closing, r.agentDraft(windowEnd))
		return t.end, nil
	}
}

// openWindow makes c's agent the one that has the floor, and returns its agent_start.
func (r *run) openWindow(c floor.Choice) classroom.Draft {
	r.agent, r.noTools = c.Agent, false
	r.s.mu.Lock()
	r.staging = llm.Staging{
		Mode: r.s.fold.Mode, StageRole: llm.StageRole(c.StageRole), Round: c.Round, Rounds: r.s.rounds(),
	}
	f, ok := r.floor()
	if ok {
		r.staging.Rounds = f.Rounds
	}
	if ok && classroom.ModeOf(f.Mode).Sides && len(f.Roster) >= classroom.ModeOf(f.Mode).Agents {
		sides := f.Sides()
		r.staging.For, r.staging.Against = sides.For.Name, sides.Against.Name
	}
	r.s.mu.Unlock()
	return r.agentDraft(classroom.AgentStart{
		Name: r.agent.Name, Role: r.agent.Role, StageRole: c.StageRole, Round: c.Round, By: c.By,
		Model: r.speakers.model(r.agent.ID).Name(),
	})
}

func turnEnd(n int, t turn) classroom.TurnEnd {
	end := classroom.TurnEnd{
		Turn: n, StopReason: t.message.StopReason, Usage: t.message.Usage, Message: &t.message, Results: t.results,
	}
	for _, res := range t.results {
		end.ToolResults = append(end.ToolResults, res.CallID)
	}
	return end
}

// limitReached returns how the run ends where turn n of the window reached a
// limit, or nil. cutOffs counts the window's last turns that were cut off in a call.
func (r *run) limitReached(n, cutOffs int, t turn) *classroom.RunEnd {
	limits := r.limits
	var end classroom.RunEnd
	switch {
	case cutOffs >= 2:
		end = failedEnd("length")
	case len(t.results) == 0 || t.endsWindow:
		return nil
	case n >= limits.Turns:
		end = failedEnd("turn_cap")
	case r.toolCalls >= limits.ToolCalls:
		end = failedEnd("tool_cap")
	case limits.Tokens > 0 && r.usage.Input+r.usage.Output >= limits.Tokens:
		end = failedEnd("token_cap")
	default:
		return nil
	}
	return &end
}

// openTurn writes turn_start and delivers the steer that waits longest, or all of
// them where the class's rules say so.
func (r *run) openTurn(ctx context.Context, n int, drafts []classroom.Draft) error {
	r.windowTurn = n
	return r.commit(ctx, func() []classroom.Draft {
		drafts = append(drafts, r.agentDraft(classroom.TurnStart{Turn: n}))
		q := r.s.queue()
		if _, at := findQueuedDistress(q.Steer); at < 0 && len(q.Steer) > 0 { // else the exchange is about to end
			delivered := q.Steer[:1]
			if r.speakers.class.Rules.DeliverAll {
				delivered = q.Steer
			}
			q.Steer = q.Steer[len(delivered):]
			for _, w := range delivered {
				q.Delivered = append(q.Delivered, w.Cursor)
			}
			drafts = append(drafts, r.agentDraft(q))
		}
		return drafts
	})
}

func (r *run) hasSteers() bool {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return len(r.s.fold.Queue.Steer) > 0
}

// runTurn asks the model and runs the tools that it calls.
func (r *run) runTurn(ctx context.Context) (turn, error) {
	m, end, err := r.ask(ctx)
	t := turn{message: m, end: end}
	if err != nil {
		return t, err
	}
	calls := callsOf(m)
	switch {
	case len(calls) == 0:
		return t, nil
	case m.StopReason == classroom.StopLength:
		t.results, err = r.refuseCalls(ctx, calls, truncatedCallText)
	case end != nil || m.StopReason == classroom.StopAborted || m.StopReason == classroom.StopError:
		t.results, err = r.refuseCalls(ctx, calls, endedCallText)
	default:
		t.results, t.endsWindow, err = r.runTools(ctx, calls)
	}
	if t.end == nil {
		t.end = endByContext(ctx)
	}
	return t, err
}

func callsOf(m classroom.MessageEnd) []classroom.Block {
	var calls []classroom.Block
	for _, b := range m.Blocks {
		if b.Kind == classroom.BlockToolCall {
			calls = append(calls, b)
		}
	}
	return calls
}

// cutOffInCall reports whether the message reached the model's length limit with
// a tool call in it. Then new messages are refused until the window ends: see
// "A cut-off step" in docs/events.md.
func cutOffInCall(t turn) bool {
	return t.message.StopReason == classroom.StopLength && len(callsOf(t.message)) > 0
}
