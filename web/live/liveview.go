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
	patchPause = 50 * time.Millisecond  // between two patches
	textPause  = 150 * time.Millisecond // after a patch that only added text: steady to read, at a third of the bytes
)

// A viewKey says which session a view shows and to whom.
type viewKey struct {
	session string
	Reader
}

// A liveView keeps the view of one session at the head of its log, and publishes
// a patch for each step. A patch is rendered once, and its bytes go to every
// reader whose page is at the start of the patch.
type liveView struct {
	viewKey
	tail atomic.Pointer[tail]

	mu     sync.Mutex   // guards view and nextAt
	view   *SessionView // nil until the log was read
	nextAt time.Time    // when the next patch for the readers is due

	// guarded by liveViews.mu
	readers int
	users   int // readers and page views
	stop    context.CancelFunc
	used    int64 // when it was used last, by the count of liveViews
}

// update brings the view to the head of the log, publishes what changed, and
// calls f with the view.
func (lv *liveView) update(ctx context.Context, log Log, f func(*SessionView)) error {
	lv.mu.Lock()
	defer lv.mu.Unlock()
	if err := lv.refresh(ctx, log); err != nil {
		return err
	}
	if f != nil {
		f(lv.view)
	}
	return nil
}

// refresh must be called with lv.mu held.
func (lv *liveView) refresh(ctx context.Context, log Log) error {
	if lv.view == nil {
		v := newView(lv.viewKey)
		if err := v.advance(ctx, log); err != nil {
			return err
		}
		v.markSent()
		lv.view, lv.nextAt = v, time.Now()
		lv.tail.Store(newTail(v.sentAt))
		return nil
	}
	if err := lv.view.advance(ctx, log); err != nil {
		return err
	}
	from := lv.view.sentAt
	patch := lv.view.diff()
	if lv.view.sentAt == from {
		return nil
	}
	b := batch{from: from, to: lv.view.sentAt, bytes: patch.frame(lv.view.sentAt)}
	lv.nextAt = time.Now().Add(patchPause)
	if patch.len() > 0 && patch.replacing == 0 {
		lv.nextAt = time.Now().Add(textPause)
	}
	t := lv.tail.Load()
	lv.tail.Store(t.with(b))
	close(t.replaced)
	return nil
}

// end publishes that nothing follows.
func (lv *liveView) end(reason string) {
	lv.mu.Lock()
	defer lv.mu.Unlock()
	t := lv.tail.Load()
	if t == nil {
		return
	}
	lv.tail.Store(t.last(reason))
	close(t.replaced)
}

// catchUp returns frames that bring a page at a cursor to the last patch, and that
// patch's cursor. Only the last frame has an id, so that a reader that is cut off
// before it begins again.
func (lv *liveView) catchUp(ctx context.Context, log Log, cursor classroom.Cursor) (s step, err error) {
	err = lv.update(ctx, log, func(v *SessionView) {
		patches := v.patchesSince(cursor)
		for i, html := range patches {
			id := classroom.Cursor(0)
			if i == len(patches)-1 {
				id = v.sentAt
			}
			s.bytes = appendHTML(s.bytes, id, []byte(html))
		}
		s.to = v.sentAt
	})
	return s, err
}

// untilNext returns how long the next patch has to wait.
func (lv *liveView) untilNext() time.Duration {
	lv.mu.Lock()
	defer lv.mu.Unlock()
	return time.Until(lv.nextAt)
}

// follow publishes patches as the log grows, until ctx ends or the session is deleted.
func (lvs *liveViews) follow(ctx context.Context, lv *liveView) {
	for {
		changed := lvs.log.Changed(lv.session) // before the read, so that no append falls between
		if !sleep(ctx, lv.untilNext()) {
			return
		}
		err := lv.update(ctx, lvs.log, nil)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, classroom.ErrNotFound) {
			lv.end("deleted")
			lvs.remove(lv)
			return
		}
		if err != nil {
			lvs.logger.Error("follow log for pages", slog.String("session", lv.session), slog.Any("error", err))
			changed = nil
		}
		if !waitForChange(ctx, changed) {
			return
		}
	}
}

// A pageSource is the source of one page: the shared patches or, where the page is
// older than they are, what brings it up to date.
type pageSource struct {
	hub     *Hub
	live    *liveView
	listed  bool // the reader is shown the lists too
	updated bool // the live view has reached the head that the reader was told in connected
}

func (src *pageSource) leave() {
	if src.listed {
		src.hub.sidebar.removeReader()
	}
	src.hub.views.removeReader(src.live)
	src.hub.views.release(src.live)
}

func (src *pageSource) next(ctx context.Context, cursor classroom.Cursor) (step, error) {
	if !src.updated {
		if err := src.live.update(ctx, src.hub.opt.Log, nil); err != nil {
			return step{}, endIfDeleted(err)
		}
		src.updated = true
	}
	t := src.live.tail.Load()
	b, to, ok := t.after(cursor)
	if !ok {
		s, err := src.live.catchUp(ctx, src.hub.opt.Log, cursor)
		return s, endIfDeleted(err)
	}
	if to > cursor {
		return step{bytes: b, to: to}, nil
	}
	if t.ended != "" {
		return step{}, endError{t.ended}
	}
	return step{to: cursor, more: t.replaced}, nil
}
