package agents

import (
	"context"

	"colloquy/agents/floor"
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// speakers are the agents of a session, as its class describes them, each with
// its model. A run looks them up at the start of each exchange, so a change of
// the class or of a model takes effect with the next exchange.
//
// A lookup reads the store and may decrypt a key. It is never made under the
// lock of a session: requests and Stop wait for that lock.
type speakers struct {
	class  classroom.Class
	agents []classroom.Agent
	models []llm.Model // of agents, in the same order
	lead   llm.Model   // of the first agent; run_start names it
}

// lookUpSpeakers looks up a session's agents and their models. Where the class
// cannot be read, the agents are as known describes them.
func (rt *Runtime) lookUpSpeakers(ctx context.Context, known classroom.Class, roster []classroom.Agent) *speakers {
	sp := &speakers{class: known}
	if class, err := rt.o.Classes.Class(ctx, known.ID); err == nil {
		sp.class = class
	}
	for _, a := range roster {
		if described, ok := floor.Find(sp.class.Roster, a.ID); ok {
			a = described
		}
		sp.agents = append(sp.agents, a)
		sp.models = append(sp.models, rt.o.Model(ctx, sp.class, a))
	}
	if len(sp.models) > 0 {
		sp.lead = sp.models[0]
	} else {
		sp.lead = rt.o.Model(ctx, sp.class, classroom.Agent{})
	}
	return sp
}

// model returns the model of the agent of that id, which is one of the roster.
func (sp *speakers) model(id string) llm.Model {
	for i, a := range sp.agents {
		if a.ID == id {
			return sp.models[i]
		}
	}
	return sp.lead
}
