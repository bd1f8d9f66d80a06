package agents

import (
	"context"
	"errors"
	"slices"
	"time"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
	"colloquy/classroom/withheld"
)

// Why a run's context ended.
var (
	errCancelled = errors.New("stopped by a person")
	errShutdown  = errors.New("the server shuts down")
	errLost      = errors.New("the lease is lost")
	errTimeCap   = errors.New("the time limit of the run is reached")
)

// A run carries out exchanges of one session until no message waits that opens
// another. Its goroutine owns it; session.mu guards the fields that say so.
type run struct {
	s          *session
	generation int64
	done       chan struct{}

	// Guarded by session.mu.
	cancel    context.CancelCauseFunc // ends the present exchange
	exchange  int
	attempt   int
	stopped   bool             // a person pressed Stop in this exchange
	afterStop classroom.Cursor // the newest message sent after Stop

	speakers      *speakers           // of the present exchange
	limits        classroom.Limits    // of each exchange
	agent         classroom.Agent     // who has the floor
	staging       llm.Staging         // the mode, and the agent's role in it
	noTools       bool                // the model refused tools in this window
	windowTurn    int                 // the turn of the window, from 1
	looked        *lookup             // what was found for the present question; nil: not looked up yet
	seen          []classroom.Passage // that the agents of the exchange were given
	withheld      withheld.Set        // what the class does not want given away
	silent        []string            // agents that have nothing to add to the present question
	filledRounds  int                 // how many rounds of a debate the materials fill; 0: all
	pendingDrafts []classroom.Draft   // events to write in the next commit, which follows at once
	attemptState
}

// An attemptState is what a run counts and remembers within one attempt.
type attemptState struct {
	directorSilent bool // the director's reply was empty: it is not asked again
	askedUser      bool // a tool gave the floor to the person: the run ends after this window
	messages       int
	toolCalls      int
	usage          classroom.Usage
	cost           int64 // in millionths of the currency unit
	priced         bool  // some model has a price, so that cost is known
}

// newRun returns a run that is about to start, under the session's lease. s.mu is held.
func (s *session) newRun(sp *speakers, exchange, attempt int) *run {
	return &run{
		s: s, generation: s.generation, exchange: exchange, attempt: attempt,
		speakers: sp, limits: s.limits(), done: make(chan struct{}),
	}
}

// startDraft returns the run_start of the run's exchange, for the question at cursor at.
func (r *run) startDraft(at classroom.Cursor) classroom.Draft {
	ids := make([]string, 0, len(r.s.fold.Roster))
	for _, a := range r.s.fold.Roster {
		ids = append(ids, a.ID)
	}
	return r.draft(classroom.RunStart{Prompt: at, Model: r.speakers.lead.Name(), Roster: ids, Limits: r.limits})
}

// startRun starts the run's goroutine. s.mu is held, and the events that start the
// run are committed.
func (s *session) startRun(r *run) {
	s.run, s.class = r, r.speakers.class
	ctx := r.prepareExchange()
	s.rt.work.Go(func() {
		defer close(r.done)
		r.runExchanges(ctx)
	})
}

// prepareExchange resets what belongs to one exchange and returns the exchange's
// context. s.mu is held.
func (r *run) prepareExchange() context.Context {
	r.stopped, r.afterStop = false, 0
	ctx, cancel := context.WithCancelCause(r.s.rt.ctx)
	r.cancel = cancel
	return ctx
}

// draft returns a draft of the run itself.
func (r *run) draft(p classroom.Payload) classroom.Draft {
	return classroom.Draft{Exchange: r.exchange, Attempt: r.attempt, Payload: p}
}

// agentDraft returns a draft of the agent that has the floor.
func (r *run) agentDraft(p classroom.Payload) classroom.Draft {
	d := r.draft(p)
	d.Agent = r.agent.ID
	return d
}

// append commits drafts of the run, also after the run's context has ended: the
// log must say how it ended.
func (r *run) append(ctx context.Context, drafts ...classroom.Draft) error {
	return r.commit(ctx, func() []classroom.Draft { return drafts })
}

// commit is append for drafts that depend on the session's state: it calls build
// with session.mu held.
func (r *run) commit(ctx context.Context, build func() []classroom.Draft) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	_, err := r.s.append(context.WithoutCancel(ctx), r.generation, r.withPending(build())...)
	return err
}

// withPending returns the pending drafts, then others.
func (r *run) withPending(drafts []classroom.Draft) []classroom.Draft {
	all := append(r.pendingDrafts, drafts...)
	r.pendingDrafts = nil
	return all
}

// runExchanges runs exchanges until no waiting message opens another.
func (r *run) runExchanges(ctx context.Context) {
	for ctx != nil {
		limited, cancel := context.WithTimeoutCause(ctx, time.Duration(r.limits.Seconds)*time.Second, errTimeCap)
		end, err := r.runExchange(limited)
		cancel()
		if err == nil {
			ctx, err = r.finish(ctx, end)
		}
		if err != nil {
			r.abandon(err)
			return
		}
	}
}

// abandon leaves a run whose log cannot be written. The runtime tries again and
// again to close the run and to continue it; so does the next use of the session.
func (r *run) abandon(err error) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.run = nil
	r.s.unload()
	if !errors.Is(err, classroom.ErrLeaseLost) && !errors.Is(err, classroom.ErrNotFound) {
		r.s.rt.o.Logger.Error("run left open", "session", r.s.id, "exchange", r.exchange, "error", err)
		r.s.rt.noteOpenRun(r.s.id) // last: a session that still has its run is not recovered
	}
}

// runExchange gives the floor to one agent after another and returns how the
// exchange ended. An error means that the log could not be written.
func (r *run) runExchange(ctx context.Context) (classroom.RunEnd, error) {
	r.attemptState, r.looked, r.seen = attemptState{}, nil, nil
	r.countEarlierAttempts()
	if r.hasDistress() {
		return classroom.RunEnd{Status: classroom.Completed}, nil // endingDrafts says why
	}
	if !r.withhold(ctx) {
		if end := endByContext(ctx); end != nil {
			return *end, nil
		}
		return failedEnd("withheld_unknown"), nil
	}
	if err := r.giveHint(ctx); err != nil {
		return classroom.RunEnd{}, err
	}
	for windows := 0; ; windows++ {
		if end := endByContext(ctx); end != nil {
			return *end, nil
		}
		c := r.nextSpeaker(ctx)
		if end := endByContext(ctx); end != nil { // Stop was pressed while the director chose
			return *end, nil
		}
		if c.EndsRun() {
			return r.endWithoutSpeaker(c), nil
		}
		if windows >= r.limits.Windows {
			return failedEnd("window_cap"), nil
		}
		end, err := r.runWindow(ctx, c)
		if err != nil || end != nil {
			if end == nil {
				end = new(classroom.RunEnd)
			}
			return *end, err
		}
		if r.askedUser {
			return classroom.RunEnd{Status: classroom.Completed}, nil
		}
	}
}

// endWithoutSpeaker returns the end of a run in which nobody is left to speak. The
// choice's cue is written with it.
func (r *run) endWithoutSpeaker(c floor.Choice) classroom.RunEnd {
	if c.Cue != nil {
		r.pendingDrafts = append(r.pendingDrafts, r.draft(*c.Cue))
	}
	end := classroom.RunEnd{Status: classroom.Completed}
	if c.Closed != nil {
		end.Code, end.Params = "closed", c.Closed
	}
	return end
}

// endByContext returns how a run ends whose context has ended, or nil.
func endByContext(ctx context.Context) *classroom.RunEnd {
	if ctx.Err() == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), errTimeCap) {
		end := failedEnd("time_cap")
		return &end
	}
	return &classroom.RunEnd{Status: classroom.Cancelled}
}

func failedEnd(code string) classroom.RunEnd {
	return classroom.RunEnd{Status: classroom.Failed, Code: code}
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
		return nil, r.endRun(last, r.draft(classroom.RunInterrupt{Reason: "shutdown"}))
	}
	drafts, waiting := r.endingDrafts(end)
	next, rest := r.nextQueued(end, waiting)
	if next == nil || cause != nil {
		return nil, r.endRun(last, drafts...)
	}
	r.exchange, r.attempt, r.speakers, s.class = len(s.fold.Cards)+1, 1, sp, sp.class
	queue := classroom.QueueUpdate{FollowUp: rest}
	if sp.class.Rules.DeliverAll { // the others enter the new exchange at its first turn
		queue = classroom.QueueUpdate{Steer: rest}
	}
	drafts = append(drafts, classroom.Draft{Payload: queue}, r.startDraft(next.Cursor))
	if _, err := s.append(last, r.generation, r.withPending(drafts)...); err != nil {
		return nil, err
	}
	return r.prepareExchange(), nil
}

// speakersOfNext looks up the speakers of the next exchange, where a waiting
// message opens one. s.mu is held, but not during the lookup: meanwhile messages
// may come or go, and Stop may be pressed, which ends the lookup.
func (r *run) speakersOfNext(ctx context.Context, end classroom.RunEnd) *speakers {
	s := r.s
	for {
		end = r.unlessStopped(end)
		_, waiting := r.endingDrafts(end)
		next, _ := r.nextQueued(end, waiting)
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

// endingDrafts returns run_end and, where steers still wait, the queue_update
// before it that makes them follow-ups. It also returns all messages that wait
// then. A message of distress makes it an end with the code safety, however the
// exchange came to it. s.mu is held.
func (r *run) endingDrafts(end classroom.RunEnd) ([]classroom.Draft, []classroom.Queued) {
	end.Usage = r.usage
	if r.priced {
		cost := r.cost
		end.Cost = &cost
	}
	q := r.s.queue()
	var drafts []classroom.Draft
	hit, distress := r.s.findDistress(r.exchange)
	if len(q.Steer) > 0 {
		own := func(w classroom.Queued) bool { return distress && w.Cursor == hit.Prompt }
		q.FollowUp = sortByCursor(append(q.FollowUp, slices.DeleteFunc(q.Steer, own)...))
		q.Steer, q.Reason = nil, "run_end"
		drafts = append(drafts, r.draft(q))
	}
	if distress {
		end.Status, end.Code, end.Detail = classroom.Completed, classroom.CodeSafety, ""
		if c := r.s.fold.Card(r.exchange); c.Safety == nil {
			hit.Adult, hit.HelpLine = r.speakers.class.Rules.Adult, r.speakers.class.Rules.HelpLine
		}
		end.Params = classroom.Params{"lang": hit.Lang, "adult": hit.Adult, "help_line": hit.HelpLine}
		if r.s.fold.Card(r.exchange).Safety == nil {
			drafts = append(drafts, r.draft(hit))
		}
	}
	return append(drafts, r.draft(end)), q.FollowUp
}

// endRun writes the run's last events. After that the session has no run. s.mu is
// held.
func (r *run) endRun(ctx context.Context, drafts ...classroom.Draft) error {
	_, err := r.s.append(ctx, r.generation, r.withPending(drafts)...)
	if err == nil {
		r.s.run = nil
	}
	return err
}
