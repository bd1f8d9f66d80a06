package agents

import (
	"context"
	"testing"

	"colloquy/classroom"
)

// An endLog takes every append.
type endLog struct{ Log }

func (endLog) Append(_ context.Context, _ string, _ int64, drafts ...classroom.Draft) ([]classroom.Event, error) {
	var out []classroom.Event
	for i, d := range drafts {
		e, err := d.Encode(classroom.Cursor(i+1), 1)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// A Stop that comes after the last word and before the end is written still
// keeps what waits from beginning.
func TestStopAfterTheLastWord(t *testing.T) {
	rt, err := New(Options{Log: endLog{}, Holder: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	s := &session{rt: rt, id: "s", fold: new(classroom.Fold)}
	s.fold.Queue.FollowUp = []classroom.Queued{{Cursor: 7, Text: "And then?"}}
	r := &run{s: s, exchange: 1, attempt: 1, stopped: true, speakers: new(speakers)}
	s.run = r
	next, err := r.finish(r.stoppedContext(), classroom.RunEnd{Status: classroom.Completed})
	if next != nil || err != nil || s.run != nil {
		t.Errorf("the waiting message began: %v, %v", next, err)
	}
}

// stoppedContext is a run's context, with Stop pressed.
func (r *run) stoppedContext() context.Context {
	ctx := r.prepareExchange()
	r.stopped = true
	r.cancel(errCancelled)
	return ctx
}
