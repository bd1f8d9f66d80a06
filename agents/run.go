package agents

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// Why a run's context ended.
var (
	errCancelled = errors.New("stopped by a person")
	errShutdown  = errors.New("the server shuts down")
	errLost      = errors.New("the lease is lost")
	errTimeCap   = errors.New("the time cap of the run is reached")
)

// A run carries out exchanges of one session until nothing is left to do.
// Its goroutine owns it; fields marked so are guarded by session.mu.
type run struct {
	s          *session
	generation int64
	done       chan struct{}

	cancel    context.CancelCauseFunc // guarded: ends the present exchange
	exchange  int                     // guarded
	attempt   int                     // guarded
	stopped   bool                    // guarded: a person pressed Stop in this exchange
	afterStop classroom.Cursor        // guarded: the newest message sent after Stop

	speakers  *speakers         // of the present exchange
	limits    classroom.Limits  // of each exchange
	agent     classroom.Agent   // who has the floor
	scene     llm.Scene         // and as what
	silent    bool              // the director said nothing in this attempt: it is not asked again
	cued      bool              // a tool gave the floor to the person: the run ends after this window
	held      []classroom.Draft // go with the next commit, which follows at once
	messages  int               // in this attempt
	toolCalls int               // in this attempt
	usage     classroom.Usage   // of this attempt
	cost      int64             // of this attempt, in millionths of the currency unit
	priced    bool              // a price is known, so cost says something
}

// newRun returns a run that is about to start, under the session's lease: the one
// it still holds from its last run, or a new one. s.mu is held.
func (s *session) newRun(ctx context.Context, sp *speakers, exchange, attempt int) (*run, error) {
	if s.generation == 0 {
		generation, err := s.rt.o.Leases.Acquire(ctx, s.id, s.rt.o.Holder, leaseTTL)
		if err != nil {
			return nil, fmt.Errorf("acquire the lease of session %s: %w", s.id, err)
		}
		s.generation = generation
	}
	return &run{
		s: s, generation: s.generation, exchange: exchange, attempt: attempt,
		speakers: sp, limits: s.limits(), done: make(chan struct{}),
	}, nil
}

// startDraft is the run_start of the run's exchange, for the question at cursor at.
func (r *run) startDraft(at classroom.Cursor) classroom.Draft {
	ids := make([]string, 0, len(r.s.fold.Roster))
	for _, a := range r.s.fold.Roster {
		ids = append(ids, a.ID)
	}
	return r.draft(classroom.RunStart{Prompt: at, Model: r.speakers.lead.Name(), Roster: ids, Limits: r.limits})
}

// begin starts the run's goroutine. s.mu is held, and the events that start the run are committed.
func (s *session) begin(r *run) {
	s.run, s.class = r, r.speakers.class
	ctx := r.renew()
	s.rt.work.Go(func() {
		defer close(r.done)
		r.work(ctx)
	})
}

// renew makes the run ready for an exchange, and returns the exchange's
// context. s.mu is held.
func (r *run) renew() context.Context {
	r.stopped, r.afterStop = false, 0
	ctx, cancel := context.WithCancelCause(r.s.rt.ctx)
	r.cancel = cancel
	return ctx
}

func (r *run) stopping() bool { return r.stopped }

// draft is a draft of the run itself.
func (r *run) draft(p classroom.Payload) classroom.Draft {
	return classroom.Draft{Exchange: r.exchange, Attempt: r.attempt, Payload: p}
}

// said is a draft of the agent that has the floor.
func (r *run) said(p classroom.Payload) classroom.Draft {
	d := r.draft(p)
	d.Agent = r.agent.ID
	return d
}

// append commits drafts of the run. They are committed also when the run's
// context has ended: the log must say how it ended.
func (r *run) append(ctx context.Context, drafts ...classroom.Draft) error {
	return r.commit(ctx, func() []classroom.Draft { return drafts })
}

// commit is append for drafts that depend on the session's state: make is
// called with session.mu held.
func (r *run) commit(ctx context.Context, make func() []classroom.Draft) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	_, err := r.s.append(context.WithoutCancel(ctx), r.generation, r.withHeld(make())...)
	return err
}

// withHeld puts the drafts that were held back before others.
func (r *run) withHeld(drafts []classroom.Draft) []classroom.Draft {
	all := append(r.held, drafts...)
	r.held = nil
	return all
}

// work carries out exchanges until the queue is empty or must wait.
func (r *run) work(ctx context.Context) {
	for ctx != nil {
		limited, cancel := context.WithTimeoutCause(ctx, time.Duration(r.limits.Seconds)*time.Second, errTimeCap)
		end, err := r.carryOut(limited)
		cancel()
		if err == nil {
			ctx, err = r.finish(ctx, end)
		}
		if err != nil {
			r.giveUp(err)
			return
		}
	}
}

// giveUp leaves a run whose log cannot be written. The runtime tries to close
// it and to go on until it can; so does the next use of the session.
func (r *run) giveUp(err error) {
	rt := r.s.rt
	if !errors.Is(err, classroom.ErrLeaseLost) && !errors.Is(err, classroom.ErrNotFound) {
		rt.o.Logger.Error("run left open", "session", r.s.id, "exchange", r.exchange, "error", err)
		rt.mu.Lock()
		rt.openRuns[r.s.id] = true
		rt.mu.Unlock()
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.run = nil
	r.s.unload()
}

// carryOut gives the floor to one agent after another, and says how it ended.
// An error means that the log could not be written.
func (r *run) carryOut(ctx context.Context) (classroom.RunEnd, error) {
	r.messages, r.toolCalls, r.usage, r.cost, r.priced, r.cued, r.silent = 0, 0, classroom.Usage{}, 0, false, false, false
	r.carryOver()
	for windows := 0; ; windows++ {
		if end := endOf(ctx); end != nil {
			return *end, nil
		}
		c := r.next(ctx)
		if end := endOf(ctx); end != nil { // Stop came while the director chose
			return *end, nil
		}
		if c.Nobody() {
			return r.closed(c), nil
		}
		if windows >= r.limits.Windows {
			return capped("window_cap", "The discussion reached its limit of speakers for one question. Continue to let it go on."), nil
		}
		end, err := r.window(ctx, c)
		if err != nil || end != nil {
			if end == nil {
				end = new(classroom.RunEnd)
			}
			return *end, err
		}
		if r.cued {
			return classroom.RunEnd{Status: classroom.Completed}, nil
		}
	}
}

// closed is the end of a run in which nobody is left to speak. A cue goes with it.
func (r *run) closed(c floor.Choice) classroom.RunEnd {
	if c.Cue != nil {
		r.held = append(r.held, r.draft(*c.Cue))
	}
	end := classroom.RunEnd{Status: classroom.Completed}
	if c.Closed != "" {
		end.Code, end.Message = "closed", c.Closed
	}
	return end
}

// carryOver counts what attempts used that were cut off before they could say so.
func (r *run) carryOver() {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	card := r.s.fold.Card(r.exchange)
	if card == nil {
		return
	}
	for _, w := range card.Windows[card.Counted:] {
		r.spend(r.speakers.model(w.Agent.ID), w.Usage)
	}
}

// spend counts what a model used.
func (r *run) spend(m llm.Model, u classroom.Usage) {
	r.usage = r.usage.Plus(u)
	if price := llm.ProfileOf(m).Price; price != (llm.Price{}) {
		r.priced = true
		r.cost += price.Cost(llm.Usage(u))
	}
}

// endOf says how a run ends whose context has ended, or nil.
func endOf(ctx context.Context) *classroom.RunEnd {
	if ctx.Err() == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), errTimeCap) {
		end := capped("time_cap", "The answer took longer than the time one question may take. Continue to let it go on.")
		return &end
	}
	return &classroom.RunEnd{Status: classroom.Cancelled}
}

func capped(code, message string) classroom.RunEnd {
	return classroom.RunEnd{Status: classroom.Failed, Code: code, Message: message}
}

// finish writes the run's end, or its interruption when the runtime closes. It
// returns the context of the next exchange where a waiting message opened one.
func (r *run) finish(ctx context.Context, end classroom.RunEnd) (context.Context, error) {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	sp := r.speakersOfNext(ctx, end)
	end = r.unlessStopped(end)
	r.cancel(nil)
	last, cause := context.WithoutCancel(ctx), context.Cause(s.rt.ctx)
	if errors.Is(context.Cause(ctx), errLost) {
		return nil, classroom.ErrLeaseLost
	}
	if cause != nil && end.Status == classroom.Cancelled && !r.stopped {
		return nil, r.leave(last, r.draft(classroom.RunInterrupt{Reason: "shutdown"}))
	}
	drafts, waiting := r.ended(end)
	next, rest := r.following(end, waiting)
	if next == nil || cause != nil {
		return nil, r.leave(last, drafts...)
	}
	r.exchange, r.attempt, r.speakers, s.class = len(s.fold.Cards)+1, 1, sp, sp.class
	waits := classroom.QueueUpdate{FollowUp: rest}
	if sp.class.Rules.Together { // the others enter the new exchange at its first turn
		waits = classroom.QueueUpdate{Steer: rest}
	}
	drafts = append(drafts, classroom.Draft{Payload: waits}, r.startDraft(next.Cursor))
	if _, err := s.append(last, r.generation, r.withHeld(drafts)...); err != nil {
		return nil, err
	}
	return r.renew(), nil
}

// speakersOfNext looks up the speakers of the next exchange, where a waiting
// message opens one. s.mu is held, but not during the lookup: meanwhile messages
// may come or go, and Stop may be pressed, which ends the lookup.
func (r *run) speakersOfNext(ctx context.Context, end classroom.RunEnd) *speakers {
	s := r.s
	for {
		end = r.unlessStopped(end)
		_, waiting := r.ended(end)
		next, _ := r.following(end, waiting)
		if next == nil || s.rt.ctx.Err() != nil || errors.Is(context.Cause(ctx), errLost) {
			return nil
		}
		lookup := ctx
		if ctx.Err() != nil { // Stop ended the exchange; what was sent since opens the next
			lookup = s.rt.ctx
		}
		class, roster := s.class, s.fold.Roster
		s.mu.Unlock()
		sp := s.rt.lookUpSpeakers(lookup, class, roster)
		s.mu.Lock()
		if lookup.Err() == nil {
			return sp
		}
	}
}

// unlessStopped returns end, or the end of a stopped run where Stop was pressed
// after the last window. s.mu is held.
func (r *run) unlessStopped(end classroom.RunEnd) classroom.RunEnd {
	if r.stopped && end.Status == classroom.Completed {
		return classroom.RunEnd{Status: classroom.Cancelled}
	}
	return end
}

// ended is run_end, and before it the steers that nobody took, which become
// follow-ups; with them, all that waits. s.mu is held.
func (r *run) ended(end classroom.RunEnd) ([]classroom.Draft, []classroom.Waiting) {
	end.Usage = r.usage
	if r.priced {
		cost := r.cost
		end.Cost = &cost
	}
	q := r.s.queue()
	if len(q.Steer) == 0 {
		return []classroom.Draft{r.draft(end)}, q.FollowUp
	}
	q.FollowUp = byCursor(append(q.FollowUp, q.Steer...))
	q.Steer, q.Reason = nil, "run_end"
	return []classroom.Draft{r.draft(q), r.draft(end)}, q.FollowUp
}

// leave writes the run's last words and frees the session. s.mu is held.
func (r *run) leave(ctx context.Context, drafts ...classroom.Draft) error {
	_, err := r.s.append(ctx, r.generation, r.withHeld(drafts)...)
	if err == nil {
		r.s.run = nil
	}
	return err
}

// following picks the waiting message that opens the next exchange: the first
// after a completed run, none after a failed one, and after Stop only what was
// sent since: whoever stops and asks anew wants the new answer.
func (r *run) following(end classroom.RunEnd, waiting []classroom.Waiting) (*classroom.Waiting, []classroom.Waiting) {
	at := -1
	for i, w := range waiting {
		if end.Status == classroom.Completed || r.afterStop != 0 && w.Cursor == r.afterStop {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, waiting
	}
	next := waiting[at]
	return &next, append(append([]classroom.Waiting{}, waiting[:at]...), waiting[at+1:]...)
}

func byCursor(w []classroom.Waiting) []classroom.Waiting {
	sort.SliceStable(w, func(i, j int) bool { return w[i].Cursor < w[j].Cursor })
	return w
}
