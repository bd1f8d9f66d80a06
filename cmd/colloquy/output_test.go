package main

import (
	"bytes"
	"sync"
	"testing"
	"time"
)

// An output is what a process, or a page, has said by now.
type output struct {
	mu    sync.Mutex
	b     bytes.Buffer
	grown chan struct{} // closed with the next word
}

func newOutput() *output { return &output{grown: make(chan struct{})} }

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.grown)
	o.grown = make(chan struct{})
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// await waits until what was printed is enough.
func (o *output) await(t *testing.T, what string, enough func(printed string) bool) {
	t.Helper()
	for late := time.After(limit); ; {
		o.mu.Lock()
		printed, grown := o.b.String(), o.grown
		o.mu.Unlock()
		if enough(printed) {
			return
		}
		select {
		case <-grown:
		case <-late:
			t.Fatalf("not in %v: %s is printed\n%s", limit, what, tail(printed, 1500))
		}
	}
}
