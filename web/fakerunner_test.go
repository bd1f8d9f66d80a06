package web

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"colloquy/classroom"
	"colloquy/store"
)

// A fakeRunner appends messages to the log and runs nothing.
type fakeRunner struct {
	store *store.Store
	mu    sync.Mutex
	calls []string
	err   error // of the next call
	gen   func(context.Context) iter.Seq2[string, error]
}

func (f *fakeRunner) Lift(_ context.Context, _ string, question classroom.Cursor, _ string) error {
	f.note(fmt.Sprint("lift ", question))
	return f.fail()
}

func (f *fakeRunner) fail() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.err
	f.err = nil
	return err
}

func (f *fakeRunner) Send(ctx context.Context, id string, p classroom.Post) (classroom.Receipt, error) {
	if err := f.fail(); err != nil {
		return classroom.Receipt{}, err
	}
	s, err := f.store.Session(ctx, id)
	if err != nil {
		return classroom.Receipt{}, err
	}
	x := s.Exchanges + 1
	events, err := f.store.Append(ctx, id, 0, classroom.Draft{Exchange: x, Payload: classroom.UserMessage{
		Text: p.Text, Author: p.Author, Delivery: classroom.Prompt, ClientID: p.ClientID,
	}})
	if err != nil {
		return classroom.Receipt{}, err
	}
	f.note("send " + p.Author.Name + ": " + p.Text)
	return classroom.Receipt{Exchange: &x, Cursor: events[0].ID, Delivery: classroom.Prompt}, nil
}

func (f *fakeRunner) note(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, what)
}

func (f *fakeRunner) notes() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string{}, f.calls...)
}

func (f *fakeRunner) Cancel(_ context.Context, id string) error { f.note("cancel"); return f.fail() }
func (f *fakeRunner) Resume(_ context.Context, id string) error { f.note("resume"); return f.fail() }
func (f *fakeRunner) SendQueue(_ context.Context, id string) error {
	f.note("send queue")
	return f.fail()
}

func (f *fakeRunner) Unqueue(_ context.Context, _ string, at classroom.Cursor) error {
	f.note(fmt.Sprintf("unqueue %d", at))
	return f.fail()
}

func (f *fakeRunner) EditQueue(
	_ context.Context, _ string, _ classroom.Cursor, steer, followUp []classroom.Queued,
) error {
	f.note(fmt.Sprintf("edit %v %v", steer, followUp))
	return f.fail()
}

func (f *fakeRunner) Generate(ctx context.Context, _ classroom.Class, prompt string) iter.Seq2[string, error] {
	return f.gen(ctx)
}
