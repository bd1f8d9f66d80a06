// Package agents is the turn runtime: it runs exchanges and writes what happens to
// the session's log.
//
// # Order
//
// A session has at most one run, and a run is one goroutine. It gives the
// floor to one agent after another; the windows of a run never overlap. A window
// has one turn or several: a waiting steer is delivered, the model is asked, its
// message_end is committed, then its tools run, each with exactly one result,
// then turn_end. Tools run one after another, or in parallel where all tools of a
// message may: then they end as they finish, and their results keep the order of
// the calls. run_end is written once.
//
// # The floor
//
// Package floor decides who speaks next, by the rules of the session's mode. Where
// they leave a choice, as in a discussion, a model directs unless it is scripted.
// The first speaker of a run is chosen without that call.
//
// # Long conversations
//
// A conversation that does not fit a model is shortened in its request. The card
// says so; the log keeps everything.
//
// # Models without tools
//
// A model that refuses tools is asked again without them, in the same turn, with
// the passages that a search of the person's question found. One that is known to
// refuse them is asked so at once; see [llm.ToolRefuser].
//
// # Delivery
//
// [Runtime.Send] returns after the message is committed. Cancel, resume and
// queue changes are decided under the session's lock, so each sees the state
// that the log holds. Only appends are made under that lock: models, classes and
// earlier messages are looked up before it, so that Stop never waits for them. A
// run's context belongs to the runtime: no request, and no reader, can end it.
// Only Cancel, a limit, the loss of the lease or Close do.
//
// # Processes
//
// Whoever appends has the session's lease: several processes may have one store. After a
// process has acquired the lease it folds what the others appended before, so each of its
// decisions is made from the whole log. While another process has the lease, a session
// can be read and not changed: every call returns classroom.ErrLeaseLost.
//
// # Crashes
//
// A session is loaded by folding its log. Where the log shows a run that never
// ended, the events that close it are appended first, then run_interrupt, and
// then a new attempt starts (five at most without a person's help). A run that another
// process left open is closed once its lease has expired.
//
// # Not here
//
// Package classroom folds the log into what the page shows, package web sends it
// to the page, and package store keeps it.
package agents

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"colloquy/agents/llm"
	"colloquy/classroom"
)

// A Log keeps events. Package store has one.
type Log interface {
	Append(ctx context.Context, session string, generation int64, drafts ...classroom.Draft) ([]classroom.Event, error)
	Read(ctx context.Context, session string, after classroom.Cursor, limit int) ([]classroom.Event, error)
	SentBefore(ctx context.Context, session, clientID string) (classroom.Event, bool, error)
}

// Leases decide which process may run a session. A generation proves a lease. A Read
// after Acquire has every event that the holders before appended.
type Leases interface {
	Acquire(ctx context.Context, session, holder string, ttl time.Duration) (int64, error)
	Renew(ctx context.Context, session string, generation int64, ttl time.Duration) error
	Release(ctx context.Context, session string, generation int64) error
}

// Classes reads classes, and lists the sessions that a shutdown or a crash left open.
type Classes interface {
	Class(ctx context.Context, id string) (classroom.Class, error)
	Unfinished(ctx context.Context) ([]string, error)
}

// Options configure a Runtime. Logger, Limits and Tools may be left out; the others are
// required.
type Options struct {
	Log     Log
	Leases  Leases
	Classes Classes
	Library Library // nil: there are no materials
	Tools   []Tool
	// Model looks up the model that speaks for an agent. It never returns nil: a
	// model that cannot be used returns the reason as its error.
	Model  func(context.Context, classroom.Class, classroom.Agent) llm.Model
	Limits classroom.Limits // fields that are 0 get their value from DefaultLimits
	Holder string           // names this process in leases; no other process has the same
	Logger *slog.Logger
}

// DefaultLimits are the limits of a run: see "Limits of a run" in docs/events.md.
var DefaultLimits = classroom.Limits{Windows: 12, Turns: 16, ToolCalls: 32, Seconds: 600}

const (
	leaseTTL    = 15 * time.Second
	leaseRenew  = 4 * time.Second
	maxAttempts = 5
	maxLoaded   = 64 // sessions in memory, above which idle ones are removed
)

// A Runtime runs sessions. It is safe for concurrent use.
type Runtime struct {
	o     Options
	tools map[string]*tool
	ctx   context.Context // ends when the runtime closes, with the cause errShutdown
	stop  context.CancelCauseFunc
	work  sync.WaitGroup // runs, loads and the lease keeper

	mu           sync.Mutex // guards what follows
	closing      bool
	sessionsByID map[string]*session // in memory
	openRuns     map[string]bool     // sessions whose log could not be written: their runs are still to be closed
	uses         int64               // counts uses of sessions, to find the one idle longest
}

// New returns a runtime that runs nothing yet; see [Runtime.Recover].
func New(o Options) (*Runtime, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Holder == "" {
		return nil, errors.New("make runtime: no holder names this process in leases")
	}
	o.Limits = withDefaults(o.Limits)
	tools, err := compileTools(o.Tools)
	if err != nil {
		return nil, err
	}
	rt := &Runtime{o: o, tools: tools, sessionsByID: map[string]*session{}, openRuns: map[string]bool{}}
	rt.ctx, rt.stop = context.WithCancelCause(context.Background())
	rt.work.Go(rt.keepLeases)
	return rt, nil
}

func withDefaults(l classroom.Limits) classroom.Limits {
	d := DefaultLimits
	for _, f := range []struct{ at, def *int }{
		{&l.Windows, &d.Windows}, {&l.Turns, &d.Turns}, {&l.ToolCalls, &d.ToolCalls},
		{&l.Tokens, &d.Tokens}, {&l.Seconds, &d.Seconds},
	} {
		if *f.at == 0 {
			*f.at = *f.def
		}
	}
	return l
}

// closeLimit is how long Close waits. A run needs one write for its end.
const closeLimit = 10 * time.Second

// Close interrupts every run, waits until each has written its run_interrupt, releases
// the leases, and refuses what comes later with classroom.ErrClosing. What has not ended
// after ten seconds is logged, and Close returns without it.
func (rt *Runtime) Close() {
	rt.mu.Lock()
	rt.closing = true
	rt.mu.Unlock()
	rt.stop(errShutdown)
	done := make(chan struct{})
	go func() {
		defer close(done)
		rt.work.Wait()
		rt.releaseLeases()
	}()
	limit := time.NewTimer(closeLimit)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		rt.o.Logger.Error("runs did not end", "waited", closeLimit, "sessions", rt.atWork())
	}
}

// atWork names the sessions that have a run, or are held by a call. An empty list
// while work remains means that a goroutine is still waiting for a model.
func (rt *Runtime) atWork() []string {
	var ids []string
	for _, s := range rt.sessions() {
		if !s.mu.TryLock() {
			ids = append(ids, s.id)
			continue
		}
		if s.run != nil {
			ids = append(ids, s.id)
		}
		s.mu.Unlock()
	}
	return ids
}

// Running counts the runs at work.
func (rt *Runtime) Running() int {
	n := 0
	for _, s := range rt.sessions() {
		if s.running() {
			n++
		}
	}
	return n
}
