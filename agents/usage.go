package agents

import (
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// countEarlierAttempts counts the usage of attempts that were interrupted before
// a run_end could report it.
func (r *run) countEarlierAttempts() {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	card := r.s.fold.Card(r.exchange)
	if card == nil {
		return
	}
	for _, w := range card.Windows[card.Counted:] {
		r.countUsage(r.speakers.model(w.Agent.ID), w.Usage)
	}
}

// countUsage adds what a model used to the run's usage and cost.
func (r *run) countUsage(m llm.Model, u classroom.Usage) {
	r.usage = r.usage.Plus(u)
	if price := llm.ProfileOf(m).Price; price != (llm.Price{}) {
		r.priced = true
		r.cost += price.Cost(llm.Usage(u))
	}
}
