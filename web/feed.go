package web

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"colloquy/classroom"
)

const (
	pageEvents = 500             // of one read of the log
	pageBytes  = 1 << 20         // what a page is meant to hold at most
	feedGrace  = 3 * time.Second // between the last reader's leaving and the end of a feed
	retryPause = time.Second     // after a read that failed
)

// A feed follows one session's log for all readers of its JSON stream: each
// event is read and encoded once.
type feed struct {
	session string
	tail    atomic.Pointer[tail]
	stop    context.CancelFunc
	readers int         // guarded by feeds.mu
	idle    *time.Timer // guarded by feeds.mu; nil while there are readers
}

// feeds holds the feeds of the sessions that have readers.
type feeds struct {
	log  Log
	slog *slog.Logger
	ctx  context.Context
	stop context.CancelFunc
	mu   sync.Mutex
	all  map[string]*feed
	done sync.WaitGroup
}

func newFeeds(log Log, logger *slog.Logger) *feeds {
	ctx, stop := context.WithCancel(context.Background())
	return &feeds{log: log, slog: logger, ctx: ctx, stop: stop, all: map[string]*feed{}}
}

// join returns the session's feed for one more reader; a new feed begins after
// head. The reader leaves with [feeds.leave].
func (fs *feeds) join(session string, head classroom.Cursor) *feed {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.all[session]
	if f == nil {
		ctx, stop := context.WithCancel(fs.ctx)
		f = &feed{session: session, stop: stop}
		f.tail.Store(newTail(head))
		fs.all[session] = f
		fs.done.Go(func() { fs.follow(ctx, f) })
	}
	if f.idle != nil {
		f.idle.Stop()
		f.idle = nil
	}
	f.readers++
	return f
}

// leave takes a reader off. A feed without readers ends after a moment, so that
// a reader who comes back finds it.
func (fs *feeds) leave(f *feed) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.readers--
	if f.readers == 0 {
		f.idle = time.AfterFunc(feedGrace, func() { fs.remove(f) })
	}
}

func (fs *feeds) remove(f *feed) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f.readers == 0 && fs.all[f.session] == f {
		delete(fs.all, f.session)
		f.stop()
	}
}

// close ends every feed and waits.
func (fs *feeds) close() {
	fs.stop()
	fs.mu.Lock()
	for _, f := range fs.all {
		if f.idle != nil {
			f.idle.Stop()
		}
	}
	fs.mu.Unlock()
	fs.done.Wait()
}

// follow publishes what comes into the log until ctx ends or the session is deleted.
func (fs *feeds) follow(ctx context.Context, f *feed) {
	for {
		bell := fs.log.Bell(f.session) // before the read, so that no append falls between
		more, err := fs.publish(ctx, f)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, classroom.ErrNotFound) {
			fs.end(f, "deleted")
			return
		}
		if err != nil {
			fs.slog.Error("follow log", slog.String("session", f.session), slog.Any("error", err))
			bell = nil
		}
		if more {
			continue
		}
		if !pause(ctx, bell) {
			return
		}
	}
}

// pause waits for the bell, or for a moment where there is none. It reports false when ctx ends.
func pause(ctx context.Context, bell <-chan struct{}) bool {
	var retry <-chan time.Time
	if bell == nil {
		retry = time.After(retryPause)
	}
	select {
	case <-bell:
	case <-retry:
	case <-ctx.Done():
		return false
	}
	return true
}

// publish reads one page and adds it to the tail; more says that there may be another.
func (fs *feeds) publish(ctx context.Context, f *feed) (more bool, err error) {
	t := f.tail.Load()
	events, err := fs.log.Read(ctx, f.session, t.head, pageEvents)
	if err != nil || len(events) == 0 {
		return false, err
	}
	b, err := encodePage(t.head, events)
	if err != nil {
		return false, err
	}
	f.tail.Store(t.and(b))
	close(t.news)
	return len(events) == pageEvents, nil
}

// end publishes that nothing follows.
func (fs *feeds) end(f *feed, reason string) {
	t := f.tail.Load()
	last := *t
	last.news, last.over = make(chan struct{}), reason
	f.tail.Store(&last)
	close(t.news)
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.all[f.session] == f {
		delete(fs.all, f.session)
	}
}

// encodePage encodes adjoining events as one batch.
func encodePage(from classroom.Cursor, events []classroom.Event) (batch, error) {
	size := 0
	for _, e := range events {
		size += len(e.Data) + 160
	}
	b := batch{from: from, to: from, bytes: make([]byte, 0, size), starts: make([]int, 0, len(events))}
	for _, e := range events {
		b.starts = append(b.starts, len(b.bytes))
		var err error
		if b.bytes, err = appendEvent(b.bytes, classroom.WithoutOpaque(e)); err != nil {
			return batch{}, err
		}
		b.to = e.ID
	}
	return b, nil
}
