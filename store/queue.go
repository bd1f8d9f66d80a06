package store

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"colloquy/classroom"
)

// A job is one change on its way to the writer.
type job struct {
	ctx context.Context // looked at once, before the work; see Store.change
	do  func(*writer) error
	// refuses says that do returns a *classroom.Error before its first write,
	// and that any other error of it is the disk's. It then needs no savepoint.
	refuses bool
	outside bool // do runs between two transactions, not within one
	err     error
	done    chan struct{}
}

// A queue holds the jobs that wait while the writer is at the disk. It is
// short: each producer waits for its own job.
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
	q.rouse()
	return nil
}

func (q *queue) rouse() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take waits for jobs and returns all of them, and nil once the queue is
// closed and empty.
func (q *queue) take() []*job {
	for {
		<-q.wake
		q.gather()
		q.mu.Lock()
		jobs, closed := q.jobs, q.closed
		q.jobs = nil
		if closed {
			q.rouse()
		}
		q.mu.Unlock()
		if len(jobs) > 0 || closed {
			return jobs
		}
	}
}

// gather lets those who were just answered come again, as long as any do: a
// fuller group costs the same sync. Not for long: each round may let the whole
// process run. Alone, a producer waits for nobody.
func (q *queue) gather() {
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
	q.rouse()
}

// change has do run by the writer within a transaction, and returns when that
// is on disk. A ctx that ends while the job waits withdraws it; one that ends
// later changes nothing, so that the answer always tells what happened.
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
