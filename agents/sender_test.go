package agents_test

import (
	"context"
	"testing"
	"testing/synctest"

	"colloquy/agents"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// A leavingLog ends its sender's context when that sender's message is about to be
// written, and refuses an append under a context that has ended, as a store does.
type leavingLog struct {
	*memoryStore
	leave context.CancelFunc
}

func (l *leavingLog) Append(
	ctx context.Context, id string, generation int64, drafts ...classroom.Draft,
) ([]classroom.Event, error) {
	l.leave()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return l.memoryStore.Append(ctx, id, generation, drafts...)
}

// TestSenderGoesAway: a sender whose request ends while its message is written, and
// stays ended while the answer is given, loses neither the message nor the answer.
func TestSenderGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		request, leave := context.WithCancel(t.Context())
		defer leave()
		log := newMemoryStore()
		log.open("s", "ada")
		gate := make(chan struct{})
		c := newRuntimeRig(t, log, llmtest.New(sayUntil("Because.", gate)), func(o *agents.Options) {
			o.Log = &leavingLog{log, leave}
		})
		defer c.rt.Close()
		if _, err := c.rt.Send(request, "s", classroom.Post{Text: "Why?"}); err != nil {
			t.Fatalf("send: %v", err)
		}
		synctest.Wait()
		if request.Err() == nil || c.rt.Running() != 1 {
			t.Errorf("the request ended with %v, and %d runs are at work", request.Err(), c.rt.Running())
		}
		close(gate)
		ends := payloads[classroom.RunEnd](c.settle())
		if len(ends) != 1 || ends[0].Status != classroom.Completed {
			t.Errorf("ends: %+v", ends)
		}
	})
}
