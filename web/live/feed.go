package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

const feedGrace = 3 * time.Second // between the last reader's leaving and the end of a feed

// A feedKey says which log a feed follows and who reads it.
type feedKey struct {
	session  string
	audience classroom.Audience
	language *locale.Language // nil: English
}

// A feed follows one session's log for all readers of its JSON stream who are of one
// audience and language, so that each event is read and encoded once for them.
type feed struct {
	feedKey
	tail    atomic.Pointer[tail]
	stop    context.CancelFunc
	readers int         // guarded by feeds.mu
	idle    *time.Timer // guarded by feeds.mu; nil while there are readers
}

// feeds holds the feeds of the sessions that have readers.
type feeds struct {
	log    Log
	logger *slog.Logger
	ctx    context.Context
	stop   context.CancelFunc
	mu     sync.Mutex
	all    map[feedKey]*feed
	done   sync.WaitGroup
}

func newFeeds(log Log, logger *slog.Logger) *feeds {
	ctx, stop := context.WithCancel(context.Background())
	return &feeds{log: log, logger: logger, ctx: ctx, stop: stop, all: map[feedKey]*feed{}}
}

// acquire returns the session's feed for one more reader, who must call
// [feeds.release]. A new feed begins after head.
func (fs *feeds) acquire(key feedKey, head classroom.Cursor) *feed {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.all[key]
	if f == nil {
		ctx, stop := context.WithCancel(fs.ctx)
		f = &feed{feedKey: key, stop: stop}
		f.tail.Store(newTail(head))
		fs.all[key] = f
		fs.done.Go(func() { fs.follow(ctx, f) })
	}
	if f.idle != nil {
		f.idle.Stop()
		f.idle = nil
	}
	f.readers++
	return f
}

// release takes a reader off a feed. A feed without readers ends after feedGrace,
// so that a reader who comes back finds it.
func (fs *feeds) release(f *feed) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.readers--
	if f.readers == 0 {
		f.idle = time.AfterFunc(feedGrace, func() { fs.removeIdle(f) })
	}
}

func (fs *feeds) removeIdle(f *feed) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f.readers == 0 && fs.all[f.feedKey] == f {
		delete(fs.all, f.feedKey)
		f.stop()
	}
}

// close ends every feed; wait for done afterwards.
func (fs *feeds) close() {
	fs.stop()
	fs.mu.Lock()
	for _, f := range fs.all {
		if f.idle != nil {
			f.idle.Stop()
		}
	}
	fs.mu.Unlock()
}

// follow publishes what is appended to the log until ctx ends or the session is deleted.
func (fs *feeds) follow(ctx context.Context, f *feed) {
	for {
		changed := fs.log.Changed(f.session) // before the read, so that no append falls between
		more, err := fs.publish(ctx, f)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, classroom.ErrNotFound) {
			fs.end(f, "deleted")
			return
		}
		if err != nil {
			fs.logger.Error("follow log", slog.String("session", f.session), slog.Any("error", err))
			changed = nil
		}
		if more {
			continue
		}
		if !waitForChange(ctx, changed) {
			return
		}
	}
}

// publish reads one page of the log and adds it to the tail. It reports whether
// there may be another page.
func (fs *feeds) publish(ctx context.Context, f *feed) (more bool, err error) {
	t := f.tail.Load()
	events, err := fs.log.Read(ctx, f.session, t.head, pageEvents)
	if err != nil || len(events) == 0 {
		return false, err
	}
	b, err := f.encodeBatch(t.head, events)
	if err != nil {
		return false, err
	}
	f.tail.Store(t.with(b))
	close(t.replaced)
	return len(events) == pageEvents, nil
}

// end publishes that nothing follows, and forgets the feed.
func (fs *feeds) end(f *feed, reason string) {
	t := f.tail.Load()
	f.tail.Store(t.last(reason))
	close(t.replaced)
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.all[f.feedKey] == f {
		delete(fs.all, f.feedKey)
	}
}

// encodeBatch encodes adjoining events as one batch, as the readers may read them.
func (k feedKey) encodeBatch(from classroom.Cursor, events []classroom.Event) (batch, error) {
	words := cmp.Or(k.language, locale.English())
	events = k.audience.FilterAll(events)
	size := 0
	for _, e := range events {
		size += len(e.Data) + 160
	}
	b := batch{from: from, to: from, bytes: make([]byte, 0, size), starts: make([]int, 0, len(events))}
	for _, e := range events {
		b.starts = append(b.starts, len(b.bytes))
		var err error
		if b.bytes, err = appendEvent(b.bytes, words.Event(classroom.WithoutOpaque(e))); err != nil {
			return batch{}, err
		}
		b.to = e.ID
	}
	return b, nil
}

// An eventSource is the source of one reader of the JSON stream: the feed's tail
// or, where the reader is older than the tail, the log.
type eventSource struct {
	log   Log
	feeds *feeds
	feed  *feed
	limit int // events of the next read, fewer where they are large
}

func (src *eventSource) next(ctx context.Context, cursor classroom.Cursor) (step, error) {
	t := src.feed.tail.Load()
	b, to, ok := t.after(cursor)
	if !ok {
		return src.readLog(ctx, cursor)
	}
	if to > cursor {
		return step{bytes: b, to: to}, nil
	}
	if t.ended != "" {
		return step{}, endError{t.ended}
	}
	return step{to: cursor, more: t.replaced}, nil
}

func (src *eventSource) leave() { src.feeds.release(src.feed) }

// readLog reads one page of what follows in the log. No read stays open between
// two pages.
func (src *eventSource) readLog(ctx context.Context, cursor classroom.Cursor) (step, error) {
	events, err := src.log.Read(ctx, src.feed.session, cursor, src.limit)
	if err != nil {
		return step{}, endIfDeleted(err)
	}
	if len(events) == 0 {
		return step{}, fmt.Errorf("read log of %s after %d: it ends before its head", src.feed.session, cursor)
	}
	b, err := src.feed.encodeBatch(cursor, events)
	if err != nil {
		return step{}, err
	}
	src.limit = max(1, min(pageEvents, pageBytes*len(events)/max(1, len(b.bytes))))
	return step{bytes: b.bytes, to: b.to}, nil
}
