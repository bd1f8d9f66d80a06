package agents

import (
	"context"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// A turn is one message of the model and the results of its tool calls.
type turn struct {
	message classroom.MessageEnd
	results []classroom.ToolExecutionEnd
	over    bool              // its tools end the window
	end     *classroom.RunEnd // not nil: the run ends here
}

// window gives the floor to an agent. It returns how the run ends where the
// window ends it, and an error where the log could not be written.
func (r *run) window(ctx context.Context, c floor.Choice) (*classroom.RunEnd, error) {
	opening := []classroom.Draft{r.take(c)}
	var total classroom.AgentEnd
	cuts := 0
	for n := 1; ; n++ {
		if err := r.openTurn(ctx, n, opening); err != nil {
			return nil, err
		}
		opening = nil
		t, err := r.turn(ctx)
		if err != nil {
			return nil, err
		}
		total.Turns, total.StopReason = n, t.message.StopReason
		total.ToolCalls += len(t.results)
		total.Usage = total.Usage.Plus(t.message.Usage)
		if cutInCall(t) {
			cuts++
		} else {
			cuts = 0
		}
		closing := []classroom.Draft{r.said(turnEnd(n, t))}
		if t.end == nil {
			t.end = r.capAfter(n, cuts, t)
		}
		if t.end == nil && !t.over && (len(t.results) > 0 || r.steersWait()) {
			if err := r.append(ctx, closing...); err != nil {
				return nil, err
			}
			continue
		}
		// The next window or the run's end is written at once: one commit serves both.
		r.held = append(closing, r.said(total))
		return t.end, nil
	}
}

// take makes c's agent the one that has the floor, and returns its agent_start.
func (r *run) take(c floor.Choice) classroom.Draft {
	r.agent = c.Agent
	r.s.mu.Lock()
	mode, rounds := r.s.fold.Mode, r.s.rounds()
	r.s.mu.Unlock()
	r.scene = llm.Scene{Mode: mode, Part: llm.Part(c.StageRole), Round: c.Round, Rounds: rounds}
	return r.said(classroom.AgentStart{
		Name: r.agent.Name, Role: r.agent.Role, Part: c.StageRole, Round: c.Round, By: c.By,
		Model: r.speakers.model(r.agent.ID).Name(),
	})
}

func turnEnd(n int, t turn) classroom.TurnEnd {
	end := classroom.TurnEnd{Turn: n, StopReason: t.message.StopReason, Usage: t.message.Usage, Message: &t.message, Results: t.results}
	for _, res := range t.results {
		end.ToolResults = append(end.ToolResults, res.CallID)
	}
	return end
}

// capAfter says how the run ends when turn n of the window met a cap, or nil.
func (r *run) capAfter(n, cuts int, t turn) *classroom.RunEnd {
	limits := r.limits
	var end classroom.RunEnd
	switch {
	case cuts >= 2:
		end = capped("length", "The answer was too long for the model twice in a row. Ask for a shorter one, or continue.")
	case len(t.results) == 0 || t.over:
		return nil
	case n >= limits.Turns:
		end = capped("turn_cap", "This agent took as many steps as one answer may take. Continue to let it go on.")
	case r.toolCalls >= limits.ToolCalls:
		end = capped("tool_cap", "The answer used its tools as often as one question may. Continue to let it go on.")
	case limits.Tokens > 0 && r.usage.Input+r.usage.Output >= limits.Tokens:
		end = capped("token_cap", "The answer used as many tokens as one question may. Continue to let it go on.")
	default:
		return nil
	}
	return &end
}

// openTurn writes turn_start, and hands over the steer that waits longest, or
// all of them where the class takes them together.
func (r *run) openTurn(ctx context.Context, n int, drafts []classroom.Draft) error {
	return r.commit(ctx, func() []classroom.Draft {
		drafts = append(drafts, r.said(classroom.TurnStart{Turn: n}))
		if q := r.s.queue(); len(q.Steer) > 0 {
			taken := q.Steer[:1]
			if r.speakers.class.Rules.Together {
				taken = q.Steer
			}
			q.Steer = q.Steer[len(taken):]
			for _, w := range taken {
				q.Delivered = append(q.Delivered, w.Cursor)
			}
			drafts = append(drafts, r.said(q))
		}
		return drafts
	})
}

func (r *run) steersWait() bool {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return len(r.s.fold.Queue.Steer) > 0
}

// turn asks the model and runs the tools it called.
func (r *run) turn(ctx context.Context) (turn, error) {
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
		t.results, err = r.refuse(ctx, calls, "This call was not run: the message was cut off at the model's length limit. Call it again, and write less before it.")
	case end != nil || m.StopReason == classroom.StopAborted || m.StopReason == classroom.StopError:
		t.results, err = r.refuse(ctx, calls, "This call was not run: the answer ended before it.")
	default:
		t.results, t.over, err = r.runTools(ctx, calls)
	}
	if t.end == nil {
		t.end = endOf(ctx)
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

// cutInCall reports whether the message was cut off with a tool call in it: the terminal barrier.
func cutInCall(t turn) bool {
	return t.message.StopReason == classroom.StopLength && len(callsOf(t.message)) > 0
}
