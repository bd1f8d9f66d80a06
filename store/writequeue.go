package store

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"colloquy/classroom"
)

// A job is one change that waits for the writer.
type job struct {
	ctx context.Context // checked once, before do runs; see Store.change
	do  func(*writer) error
	// checksFirst says that do returns every *classroom.Error before its first write. It
	// then needs no savepoint; any other error of do fails the whole transaction.
	checksFirst bool
	outsideTx   bool // do runs between two transactions, not within one
	err         error
	done        chan struct{}
}

// A queue holds the jobs that arrive during a commit. It has no bound: each caller waits
// for its own job, so there are never more jobs than callers.
type queue struct {
	mu     sync.Mutex
	jobs   []*job
	closed bool
	wake   chan struct{} // holds a token while there are jobs or the queue is closed
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

func (q *queue) put(j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return classroom.ErrClosing
	}
	q.jobs = append(q.jobs, j)
	q.signal()
	return nil
}

// signal wakes the writer.
func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// next waits for jobs and returns all of them, or nil once the queue is closed and empty.
func (q *queue) next() []*job {
	for {
		<-q.wake
		q.yield()
		q.mu.Lock()
		jobs, closed := q.jobs, q.closed
		q.jobs = nil
		if closed {
			q.signal()
		}
		q.mu.Unlock()
		if len(jobs) > 0 || closed {
			return jobs
		}
	}
}

// yield lets other goroutines run briefly, so that callers whose jobs just ended can
// join this batch: a larger batch costs the same sync. It stops when no job arrives.
func (q *queue) yield() {
	for range 2 {
		before := q.len()
		runtime.Gosched()
		if q.len() == before {
			return
		}
	}
}

func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs)
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

// change runs do on the writer within a transaction, and returns once that is on disk.
// If ctx ends before do runs, the job is dropped; if it ends later, the job goes on, so
// that the error always tells whether the change was made.
func (s *Store) change(ctx context.Context, do func(*writer) error) error {
	return s.submit(&job{ctx: ctx, do: do})
}

func (s *Store) submit(j *job) error {
	if err := j.ctx.Err(); err != nil {
		return fmt.Errorf("wait for the disk: %w", err)
	}
	j.done = make(chan struct{})
	if err := s.queue.put(j); err != nil {
		return err
	}
	<-j.done
	return j.err
}
