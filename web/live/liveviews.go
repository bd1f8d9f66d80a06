package live

import (
	"context"
	"log/slog"
	"sync"
)

const (
	idleViews  = 32       // kept without readers
	idleEvents = 32 << 20 // bytes of events behind them
)

// liveViews holds the live views of the sessions that are looked at, and of
// those that were looked at lately.
type liveViews struct {
	log    Log
	logger *slog.Logger
	ctx    context.Context
	stop   context.CancelFunc
	mu     sync.Mutex
	all    map[viewKey]*liveView
	uses   int64
	done   sync.WaitGroup
}

func newLiveViews(log Log, logger *slog.Logger) *liveViews {
	ctx, stop := context.WithCancel(context.Background())
	return &liveViews{log: log, logger: logger, ctx: ctx, stop: stop, all: map[viewKey]*liveView{}}
}

// acquire returns a live view, for a page or a reader. It is kept at least until
// [liveViews.release].
func (lvs *liveViews) acquire(key viewKey) *liveView {
	lvs.mu.Lock()
	defer lvs.mu.Unlock()
	lv := lvs.all[key]
	if lv == nil {
		lv = &liveView{viewKey: key}
		lvs.all[key] = lv
	}
	lv.users++
	return lv
}

func (lvs *liveViews) release(lv *liveView) {
	lvs.mu.Lock()
	defer lvs.mu.Unlock()
	lv.users--
	lvs.uses++
	lv.used = lvs.uses
	lvs.evict()
}

// addReader has lv follow its log for as long as it has readers.
func (lvs *liveViews) addReader(lv *liveView) {
	lvs.mu.Lock()
	defer lvs.mu.Unlock()
	lv.readers++
	if lv.stop == nil && lvs.ctx.Err() == nil {
		ctx, stop := context.WithCancel(lvs.ctx)
		lv.stop = stop
		lvs.done.Go(func() { lvs.follow(ctx, lv) })
	}
}

func (lvs *liveViews) removeReader(lv *liveView) {
	lvs.mu.Lock()
	defer lvs.mu.Unlock()
	lv.readers--
	if lv.readers == 0 && lv.stop != nil {
		lv.stop()
		lv.stop = nil
	}
}

// remove forgets the live view of a session that was deleted.
func (lvs *liveViews) remove(lv *liveView) {
	lvs.mu.Lock()
	defer lvs.mu.Unlock()
	if lvs.all[lv.viewKey] == lv {
		delete(lvs.all, lv.viewKey)
	}
}

// evict forgets the least recently used live views until those without users are
// within the bounds. It must be called with lvs.mu held.
func (lvs *liveViews) evict() {
	for {
		var oldest *liveView
		idle, size := 0, 0
		for _, lv := range lvs.all {
			if lv.users > 0 {
				continue
			}
			idle++
			size += lv.size()
			if oldest == nil || lv.used < oldest.used {
				oldest = lv
			}
		}
		if idle <= idleViews && size <= idleEvents || oldest == nil {
			return
		}
		delete(lvs.all, oldest.viewKey)
	}
}

// size returns the bytes of events behind a live view without users. Nobody holds
// the lock of such a view for long.
func (lv *liveView) size() int {
	lv.mu.Lock()
	defer lv.mu.Unlock()
	if lv.view == nil {
		return 0
	}
	return lv.view.bytes
}

// close ends everything that follows a log; wait for done afterwards.
func (lvs *liveViews) close() { lvs.stop() }
