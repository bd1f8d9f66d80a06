package live

import (
	"context"
	"fmt"
	"hash/maphash"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
)

const (
	boardPause = 250 * time.Millisecond // between two looks at the lists
)

// A board follows the lists of classes and sessions for the readers of HTML
// streams. A change is rendered once for all who look from the same page.
type board struct {
	lists   func(context.Context) ([]templates.ClassNav, error)
	changed func() <-chan struct{}
	slog    *slog.Logger
	now     atomic.Pointer[lists]

	mu      sync.Mutex
	readers int
	stop    context.CancelFunc
	done    sync.WaitGroup
	seen    map[seenPage]uint64 // the prints of the lists that pages were rendered with
}

// lists is what the board shows. It never changes, its renderings apart.
type lists struct {
	classes []templates.ClassNav
	print   uint64        // of all that is shown
	news    chan struct{} // closed when the next lists are there

	mu      sync.Mutex
	patches map[boardPlace][]byte
}

// A boardPlace is from where a reader looks: the lists it has, by their print,
// and the page it is on.
type boardPlace struct {
	print          uint64
	class, session string
}

// A seenPage is a page that was rendered with the list beside it.
type seenPage struct {
	session string
	cursor  classroom.Cursor
}

func newBoard(opt Options) *board {
	b := &board{lists: opt.Lists, changed: opt.ListsChanged, slog: opt.Logger, seen: map[seenPage]uint64{}}
	b.now.Store(newLists(nil))
	return b
}

func newLists(classes []templates.ClassNav) *lists {
	return &lists{classes: classes, print: printOf(classes), news: make(chan struct{}), patches: map[boardPlace][]byte{}}
}

// printSeed is of this process: prints are never kept.
var printSeed = maphash.MakeSeed()

// printOf tells lists apart by what they show.
func printOf(classes []templates.ClassNav) uint64 {
	var h maphash.Hash
	h.SetSeed(printSeed)
	for _, c := range classes {
		fmt.Fprintf(&h, "%q%q", c.Class.ID, c.Class.Title)
		for _, s := range c.Sessions {
			fmt.Fprintf(&h, "%q%q%q%d", s.ID, s.Title, s.Status, s.Exchanges)
		}
	}
	return h.Sum64()
}

const maxSeen = 512

// saw notes with which lists a page was rendered, so that its stream need not
// send them again.
func (b *board) saw(session string, cursor classroom.Cursor, classes []templates.ClassNav) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.seen) >= maxSeen {
		clear(b.seen) // those pages get the list once more
	}
	b.seen[seenPage{session, cursor}] = printOf(classes)
}

// reader returns the lists as seen from a page. The first reader makes the board
// follow; each leaves with [board.leave].
func (b *board) reader(class, session string, cursor classroom.Cursor) *boardReader {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers++
	if b.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		b.stop = stop
		b.now.Store(newLists(nil))
		b.done.Go(func() { b.follow(ctx) })
	}
	return &boardReader{board: b, has: &lists{print: b.seen[seenPage{session, cursor}], news: closed}, class: class, session: session}
}

// closed makes a reader look at once at what there is.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (b *board) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers--
	if b.readers == 0 {
		b.stop()
		b.stop = nil
	}
}

// close waits for what followed. All readers have left.
func (b *board) close() { b.done.Wait() }

func (b *board) follow(ctx context.Context) {
	for {
		rung := b.changed() // before the read, so that no change falls between
		classes, err := b.lists(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			b.slog.Error("follow lists", slog.Any("error", err))
			rung = nil
		}
		b.show(ctx, err, classes)
		if !pause(ctx, rung) || !sleep(ctx, boardPause) {
			return
		}
	}
}

// show publishes lists that differ from those that are there. Once ctx ends,
// another goroutine may follow.
func (b *board) show(ctx context.Context, err error, classes []templates.ClassNav) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.now.Load()
	next := newLists(classes)
	if err != nil || ctx.Err() != nil || old.classes != nil && old.print == next.print {
		return
	}
	b.now.Store(next)
	close(old.news)
}

// sameRow compares what a row shows.
func sameRow(a, b classroom.Session) bool {
	return a.ID == b.ID && a.Title == b.Title && a.Status == b.Status && a.Exchanges == b.Exchanges
}

// A boardReader is one stream's place at the board.
type boardReader struct {
	board          *board
	has            *lists
	class, session string
}

// news is closed when [boardReader.patch] has something to say.
func (r *boardReader) news() <-chan struct{} { return r.has.news }

// patch returns the frame from the lists the reader has to those that are there,
// without an id. What a reader has from before its connection is known by its
// print only: it is given the whole list where that differs.
func (r *boardReader) patch() []byte {
	now := r.board.now.Load()
	if now == r.has {
		return nil
	}
	had := r.has
	r.has = now
	if now.classes == nil || now.print == had.print {
		return nil
	}
	return now.patchFrom(had, boardPlace{had.print, r.class, r.session})
}

func (l *lists) patchFrom(had *lists, at boardPlace) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	frame, ok := l.patches[at]
	if !ok {
		frame = appendHTML(nil, 0, []byte(l.render(had, at)))
		l.patches[at] = frame
	}
	return frame
}

// render sends the rows that changed, or the whole list where its order did.
func (l *lists) render(had *lists, at boardPlace) string {
	p := new(patch)
	if !slices.EqualFunc(had.classes, l.classes, sameOrder) {
		p.morph("#"+templates.NavID, render(templates.NavList(templates.Nav{Classes: l.classes, ClassID: at.class, SessionID: at.session})))
		return p.String()
	}
	for i, class := range l.classes {
		for j, s := range class.Sessions {
			if !sameRow(s, had.classes[i].Sessions[j]) {
				p.row(s, s.ID == at.session)
			}
		}
	}
	return p.String()
}

func (p *patch) row(s classroom.Session, current bool) {
	p.morph("#"+templates.SessionRowID(s.ID), render(templates.SessionRow(s, current)))
}

func sameOrder(a, b templates.ClassNav) bool {
	return a.Class.ID == b.Class.ID && a.Class.Title == b.Class.Title &&
		slices.EqualFunc(a.Sessions, b.Sessions, func(x, y classroom.Session) bool { return x.ID == y.ID })
}

// silence is a source that never has anything.
type silence struct {
	board *board
	never chan struct{}
}

func (quiet silence) next(_ context.Context, cursor classroom.Cursor) ([]byte, classroom.Cursor, <-chan struct{}, error) {
	return nil, cursor, quiet.never, nil
}

func (quiet silence) leave() { quiet.board.leave() }
