package agents

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"colloquy/classroom"
)

const interruptedText = "This call did not finish: the server stopped while it ran."

// Recover closes the runs that a shutdown or a crash left open in any session, and
// continues them. Call it once, before serving.
func (rt *Runtime) Recover(ctx context.Context) error {
	ids, err := rt.o.Classes.Unfinished(ctx)
	if err != nil {
		return fmt.Errorf("list unfinished sessions: %w", err)
	}
	for _, id := range ids {
		err := rt.recover(ctx, id)
		switch {
		case errors.Is(err, classroom.ErrLeaseLost): // another process runs it
			rt.noteOpenRun(id)
		case err != nil:
			rt.o.Logger.Error("session not recovered", "session", id, "error", err)
		}
	}
	return nil
}

// recoverOpenRuns tries to close and continue the runs that were left open because
// their log could not be written, or that another process had. A full disk, say, may
// have room again, and the lease of a process that has died expires.
func (rt *Runtime) recoverOpenRuns(ctx context.Context) {
	rt.mu.Lock()
	ids := slices.Collect(maps.Keys(rt.openRuns))
	clear(rt.openRuns) // before the work: a run that is abandoned meanwhile is noted again
	rt.mu.Unlock()
	for _, id := range ids {
		err := rt.recover(ctx, id)
		if err != nil && !errors.Is(err, classroom.ErrNotFound) {
			rt.noteOpenRun(id) // it was logged when the run was left, and is tried again
		}
	}
}

// noteOpenRun notes a session whose run has to be closed later.
func (rt *Runtime) noteOpenRun(id string) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	rt.openRuns[id] = true
}

func (rt *Runtime) recover(ctx context.Context, id string) error {
	s, sp, err := rt.sessionWithSpeakers(ctx, id)
	if err != nil {
		return err
	}
	defer s.unlock()
	c := s.fold.LastCard()
	if c == nil || s.run != nil {
		return nil
	}
	if c.State == classroom.CardInterrupted && c.InterruptReason != interruptedByFork ||
		c.State == classroom.CardAsked {
		return s.tryAgain(context.WithoutCancel(ctx), sp, c)
	}
	return nil
}

// interruptedByFork is the reason of a run_interrupt in a fork: the run continues
// only in the session that was copied. In the fork, only a person continues it.
const interruptedByFork = "fork"

// CloseFork closes the run that a fork's log shows open, so that its page says so.
func (rt *Runtime) CloseFork(ctx context.Context, id string) error {
	s, err := rt.sessionInterruptedBy(ctx, id, interruptedByFork)
	if err != nil {
		return err
	}
	s.unlock()
	return nil
}

// closeRunAtLoad closes the run that the log shows open although nothing runs. A fork
// also closes an exchange whose run had not started.
func (s *session) closeRunAtLoad(ctx context.Context) error {
	c := s.fold.LastCard()
	asked := c != nil && c.State == classroom.CardAsked && s.interruption == interruptedByFork
	if c == nil || c.State != classroom.CardRunning && !asked {
		return nil
	}
	var sp *speakers
	if asked { // run_start names the model
		sp = s.rt.lookUpSpeakers(ctx, s.class, s.fold.Roster)
	}
	return s.acquireLease(ctx, sp, s.interruption)
}

// closeOpenRun closes the run that the fold shows open. With speakers, it also closes an
// exchange whose run had not started. s.mu is held, and nothing runs.
func (s *session) closeOpenRun(ctx context.Context, sp *speakers, reason string) error {
	c := s.fold.LastCard()
	asked := c != nil && c.State == classroom.CardAsked && sp != nil
	if s.gone || c == nil || c.State != classroom.CardRunning && !asked { // gone: deleted meanwhile
		return nil
	}
	r := s.newRun(sp, c.Exchange, c.Attempt)
	drafts := closingDrafts(c)
	if asked {
		r.attempt = 1
		drafts = []classroom.Draft{r.startDraft(c.Question.Cursor)}
	}
	_, err := s.append(ctx, r.generation, append(drafts, r.draft(classroom.RunInterrupt{Reason: reason}))...)
	return err
}

// tryAgain starts another attempt, or ends the run when it was interrupted too
// often. s.mu is held.
func (s *session) tryAgain(ctx context.Context, sp *speakers, c *classroom.Card) error {
	if c.Attempt < maxAttempts {
		return s.resume(ctx, sp, c, "restart")
	}
	end := classroom.RunEnd{Status: classroom.Failed, Code: "attempts", Usage: c.Usage()}
	_, err := s.append(ctx, s.generation, classroom.Draft{Exchange: c.Exchange, Attempt: c.Attempt, Payload: end})
	return err
}

// closingDrafts returns the events that close the open window of a card whose run
// was interrupted: message_end with the text so far, a result for each call that
// has none, turn_end and agent_end.
func closingDrafts(c *classroom.Card) []classroom.Draft {
	w := c.LastWindow()
	if w == nil || !w.Open {
		return nil
	}
	draft := func(p classroom.Payload) classroom.Draft {
		return classroom.Draft{Exchange: c.Exchange, Agent: w.Agent.ID, Attempt: c.Attempt, Payload: p}
	}
	var drafts []classroom.Draft
	done, started := map[string]bool{}, map[string]bool{}
	var calls []classroom.Block
	usage, toolCalls := classroom.Usage{}, 0
	for _, x := range w.Entries {
		switch {
		case x.Call != nil:
			toolCalls++
			done[x.Call.ID], started[x.Call.ID] = x.Call.Done, true
		case x.Message != nil:
			end := abortedMessage(x.Message)
			calls = append(calls, callsOf(end)...)
			if x.Message.Open {
				drafts = append(drafts, draft(end))
			} else {
				usage = usage.Plus(x.Message.Usage)
			}
		}
	}
	turnEnd := classroom.TurnEnd{Turn: max(w.Turns, 1), StopReason: classroom.StopAborted}
	for _, call := range calls {
		if done[call.CallID] {
			continue
		}
		if !started[call.CallID] {
			start := classroom.ToolExecutionStart{CallID: call.CallID, Name: call.Name, Args: call.Args}
			drafts = append(drafts, draft(start))
			toolCalls++
		}
		drafts = append(drafts, draft(toolEnd(call, Result{Text: interruptedText, IsError: true}, 0)))
		turnEnd.ToolResults = append(turnEnd.ToolResults, call.CallID)
	}
	windowEnd := classroom.AgentEnd{
		StopReason: classroom.StopAborted, Turns: turnEnd.Turn, ToolCalls: toolCalls, Usage: usage,
	}
	return append(drafts, draft(turnEnd), draft(windowEnd))
}

// abortedMessage returns the message_end of a message with what it has so far.
func abortedMessage(m *classroom.Message) classroom.MessageEnd {
	end := classroom.MessageEnd{
		MessageID: m.ID, Blocks: []classroom.Block{}, StopReason: classroom.StopAborted, Usage: m.Usage,
	}
	for _, p := range m.Blocks {
		b := classroom.Block{Kind: p.Kind, Text: p.Text}
		if p.Kind == classroom.BlockToolCall {
			b = classroom.Block{Kind: p.Kind, CallID: p.CallID, Name: p.Name, Args: jsonArguments(p.Text)}
		}
		end.Blocks = append(end.Blocks, b)
	}
	return end
}
