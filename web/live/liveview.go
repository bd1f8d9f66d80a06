package live

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
	cutPause     = 50 * time.Millisecond  // between two cuts
	textPause    = 150 * time.Millisecond // after a cut that only added text: steady enough to read, at a third of the bytes
	cachedFolds  = 32                     // sessions kept without readers
	cachedEvents = 32 << 20               // bytes of events behind them
)

// A projector keeps one session's screen at the head of its log and cuts it into
// patches. Each patch is rendered once, and its bytes go to every reader that
// stands at its start.
type projector struct {
	session string
	tail    atomic.Pointer[tail]

	mu     sync.Mutex   // guards screen and nextAt
	screen *SessionView // nil until the log was read
	nextAt time.Time    // before it there is no cut that nobody asked for

	// guarded by projectors.mu
	readers int
	users   int // readers and page views
	stop    context.CancelFunc
	used    int64 // when it was used last, by the projectors' own count
}

// view brings the screen to the head, cuts, and lets f look at it.
func (p *projector) view(ctx context.Context, log Log, f func(*SessionView)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.refresh(ctx, log); err != nil {
		return err
	}
	if f != nil {
		f(p.screen)
	}
	return nil
}

// refresh must be called with p.mu held.
func (p *projector) refresh(ctx context.Context, log Log) error {
	if p.screen == nil {
		s := newView(p.session, true)
		if err := s.advance(ctx, log); err != nil {
			return err
		}
		s.prime()
		p.screen, p.nextAt = s, time.Now()
		p.tail.Store(newTail(s.cutAt))
		return nil
	}
	if err := p.screen.advance(ctx, log); err != nil {
		return err
	}
	from := p.screen.cutAt
	cut := p.screen.cut()
	if p.screen.cutAt == from {
		return nil
	}
	b := batch{from: from, to: p.screen.cutAt, bytes: cut.frame(p.screen.cutAt)}
	p.nextAt = time.Now().Add(cutPause)
	if cut.len() > 0 && cut.parts == 0 {
		p.nextAt = time.Now().Add(textPause)
	}
	t := p.tail.Load()
	p.tail.Store(t.and(b))
	close(t.news)
	return nil
}

// end publishes that nothing follows.
func (p *projector) end(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.tail.Load()
	if t == nil {
		return
	}
	last := *t
	last.news, last.over = make(chan struct{}), reason
	p.tail.Store(&last)
	close(t.news)
}

// catchUp returns frames that bring a page at cursor to the last cut, and that
// cut's cursor. Only the last frame has an id: a reader that is cut off before
// it begins again.
func (p *projector) catchUp(ctx context.Context, log Log, cursor classroom.Cursor) (b []byte, to classroom.Cursor, err error) {
	err = p.view(ctx, log, func(s *SessionView) {
		patches := s.since(cursor)
		for i, html := range patches {
			id := classroom.Cursor(0)
			if i == len(patches)-1 {
				id = s.cutAt
			}
			b = appendHTML(b, id, []byte(html))
		}
		to = s.cutAt
	})
	return b, to, err
}

// due returns how long the next cut has to wait.
func (p *projector) due() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Until(p.nextAt)
}

// follow cuts as the log grows, until ctx ends or the session is deleted.
func (ps *projectors) follow(ctx context.Context, p *projector) {
	for {
		bell := ps.log.Bell(p.session) // before the read, so that no append falls between
		if !sleep(ctx, p.due()) {
			return
		}
		err := p.view(ctx, ps.log, nil)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, classroom.ErrNotFound) {
			p.end("deleted")
			ps.drop(p)
			return
		}
		if err != nil {
			ps.slog.Error("follow log for pages", slog.String("session", p.session), slog.Any("error", err))
			bell = nil
		}
		if !pause(ctx, bell) {
			return
		}
	}
}

// A patchSource reads a session's patches for one reader: the shared ones, or,
// where it is behind them, what it takes to come up to date.
type patchSource struct {
	hub       *Hub
	projector *projector
	met       bool // the projector has a boundary at or past the head that the reader was told
}

func (src *patchSource) leave() {
	src.hub.sidebar.leave()
	src.hub.liveViews.leave(src.projector)
	src.hub.liveViews.giveBack(src.projector)
}

func (src *patchSource) next(ctx context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	if !src.met {
		if err := src.projector.view(ctx, src.hub.opt.Log, nil); err != nil {
			return nil, cursor, nil, overOf(err)
		}
		src.met = true
	}
	t := src.projector.tail.Load()
	b, to, ok := t.after(cursor)
	if !ok {
		b, to, err := src.projector.catchUp(ctx, src.hub.opt.Log, cursor)
		if err != nil {
			return nil, cursor, nil, overOf(err)
		}
		return b, to, nil, nil
	}
	if to > cursor {
		return b, to, nil, nil
	}
	if t.over != "" {
		return nil, cursor, nil, errOver{t.over}
	}
	return nil, cursor, t.news, nil
}
