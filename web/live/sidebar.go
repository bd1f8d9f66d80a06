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
	"colloquy/templates/locale"
)

const sidebarPause = 250 * time.Millisecond // between two reads of the lists

// A sidebar follows the lists of classes and sessions for the streams of pages. A
// change is rendered once for all readers that have the same page open.
type sidebar struct {
	read    func(context.Context) ([]templates.ClassNav, error)
	changed func() <-chan struct{}
	logger  *slog.Logger
	current atomic.Pointer[lists]

	mu       sync.Mutex
	readers  int
	stop     context.CancelFunc
	done     sync.WaitGroup
	rendered map[renderedPage]uint64 // the fingerprint of the lists that a page was rendered with
}

// A shownKey says what readers are shown of the lists, and in which language.
type shownKey struct {
	lists    string // the key of [Lists]
	language *locale.Language
}

// lists is what the sidebar shows. Apart from its cached patches it never changes.
type lists struct {
	language    *locale.Language // nil: English
	classes     []templates.ClassNav
	fingerprint uint64        // of all that is shown
	replaced    chan struct{} // closed when the next lists are there

	mu      sync.Mutex
	patches map[patchKey][]byte
	shown   map[shownKey]*lists // what readers are shown of these
}

// A patchKey is what a patch depends on: the lists that the reader has, by their
// fingerprint, and the page that it has open.
type patchKey struct {
	fingerprint    uint64
	class, session string
}

// A renderedPage is a page that was rendered with the list beside it.
type renderedPage struct {
	lists   string // the key of what its reader is shown
	session string
	cursor  classroom.Cursor
}

func newSidebar(opt Options) *sidebar {
	sb := &sidebar{read: opt.Lists, changed: opt.ListsChanged, logger: opt.Logger, rendered: map[renderedPage]uint64{}}
	sb.current.Store(newLists(nil))
	return sb
}

func newLists(classes []templates.ClassNav) *lists {
	return &lists{
		classes: classes, fingerprint: fingerprintOf(classes),
		replaced: make(chan struct{}), patches: map[patchKey][]byte{}, shown: map[shownKey]*lists{},
	}
}

// shownTo returns what a reader is shown of the lists.
func (l *lists) shownTo(reader *Lists, language *locale.Language) *lists {
	if l.classes == nil {
		return l
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := shownKey{reader.Key, language}
	if part := l.shown[key]; part != nil {
		return part
	}
	classes := make([]templates.ClassNav, 0, len(l.classes))
	for _, c := range l.classes {
		if reader.Shows(c.Class) {
			classes = append(classes, c)
		}
	}
	part := newLists(classes)
	part.replaced, part.language = l.replaced, language
	l.shown[key] = part
	return part
}

// fingerprintSeed differs from process to process: fingerprints are never stored.
var fingerprintSeed = maphash.MakeSeed()

// fingerprintOf returns a hash of what lists show.
func fingerprintOf(classes []templates.ClassNav) uint64 {
	var h maphash.Hash
	h.SetSeed(fingerprintSeed)
	for _, c := range classes {
		fmt.Fprintf(&h, "%q%q%d", c.Class.ID, c.Class.Title, c.ToReview)
		for _, s := range c.Sessions {
			fmt.Fprintf(&h, "%q%q%q%d", s.ID, s.Title, s.Status, s.Exchanges)
		}
	}
	return h.Sum64()
}

const maxRendered = 512

// noteRendered records the list that a page was rendered with, so that its stream
// need not send it again.
func (sb *sidebar) noteRendered(page renderedPage, classes []templates.ClassNav) {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	if len(sb.rendered) >= maxRendered {
		clear(sb.rendered) // those pages are sent the list once more
	}
	sb.rendered[page] = fingerprintOf(classes)
}

// addReader returns the reader of one page. The sidebar follows the lists for as
// long as it has readers; each leaves with [sidebar.removeReader].
func (sb *sidebar) addReader(c Client, class, session string, cursor classroom.Cursor) *sidebarReader {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	sb.readers++
	if sb.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		sb.stop = stop
		sb.current.Store(newLists(nil))
		sb.done.Go(func() { sb.follow(ctx) })
	}
	page := renderedPage{c.Lists.Key, session, cursor}
	has := &lists{fingerprint: sb.rendered[page], replaced: closedChan}
	return &sidebarReader{
		sidebar: sb, shown: c.Lists, language: c.Language, has: has, class: class, session: session,
	}
}

// closedChan has been closed. A reader that waits for it continues at once.
var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (sb *sidebar) removeReader() {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	sb.readers--
	if sb.readers == 0 {
		sb.stop()
		sb.stop = nil
	}
}

// close ends what follows the lists, also where a reader was left behind; wait for done
// afterwards.
func (sb *sidebar) close() {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	if sb.stop != nil {
		sb.stop()
	}
}

func (sb *sidebar) follow(ctx context.Context) {
	for {
		changed := sb.changed() // before the read, so that no change falls between
		classes, err := sb.read(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			sb.logger.Error("follow lists", slog.Any("error", err))
			changed = nil
		} else {
			sb.publish(ctx, classes)
		}
		if !waitForChange(ctx, changed) || !sleep(ctx, sidebarPause) {
			return
		}
	}
}

// publish replaces the lists where they changed. It does nothing once ctx has
// ended, since another goroutine may follow the lists by then.
func (sb *sidebar) publish(ctx context.Context, classes []templates.ClassNav) {
	sb.mu.Lock()
	defer sb.mu.Unlock()
	old := sb.current.Load()
	next := newLists(classes)
	if ctx.Err() != nil || old.classes != nil && old.fingerprint == next.fingerprint {
		return
	}
	sb.current.Store(next)
	close(old.replaced)
}

// A sidebarReader has the lists that one page shows.
type sidebarReader struct {
	sidebar        *sidebar
	shown          *Lists
	language       *locale.Language
	has            *lists
	class, session string
}

// changed is closed when [sidebarReader.patch] may have something to send.
func (r *sidebarReader) changed() <-chan struct{} { return r.has.replaced }

// patch returns the frame, without an id, that brings the page from the lists it
// shows to the current ones. Of the lists that a page was rendered with only the
// fingerprint is known: where that differs the whole list is sent.
func (r *sidebarReader) patch() []byte {
	now := r.sidebar.current.Load().shownTo(r.shown, r.language)
	if now == r.has {
		return nil
	}
	had := r.has
	r.has = now
	if now.classes == nil || now.fingerprint == had.fingerprint {
		return nil
	}
	return now.patchFrom(had, patchKey{had.fingerprint, r.class, r.session})
}

func (l *lists) patchFrom(had *lists, key patchKey) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	frame, ok := l.patches[key]
	if !ok {
		frame = appendHTML(nil, 0, []byte(l.diff(had, key)))
		l.patches[key] = frame
	}
	return frame
}

// diff returns the rows that changed, or the whole list where its order did.
func (l *lists) diff(had *lists, key patchKey) string {
	p := &patch{language: l.language}
	if !slices.EqualFunc(had.classes, l.classes, sameOrder) {
		nav := templates.Nav{Classes: l.classes, ClassID: key.class, SessionID: key.session}
		p.morph("#"+templates.NavID, p.render(templates.NavList(nav)))
		return p.String()
	}
	for i, class := range l.classes {
		for j, s := range class.Sessions {
			if !sameRow(s, had.classes[i].Sessions[j]) {
				p.sessionRow(s, s.ID == key.session)
			}
		}
	}
	return p.String()
}

func (p *patch) sessionRow(s classroom.Session, current bool) {
	p.morph("#"+templates.SessionRowID(s.ID), p.render(templates.SessionRow(s, current)))
}

// sameRow compares what a row shows.
func sameRow(a, b classroom.Session) bool {
	return a.ID == b.ID && a.Title == b.Title && a.Status == b.Status && a.Exchanges == b.Exchanges
}

func sameOrder(a, b templates.ClassNav) bool {
	return a.Class.ID == b.Class.ID && a.Class.Title == b.Class.Title &&
		slices.EqualFunc(a.Sessions, b.Sessions, func(x, y classroom.Session) bool { return x.ID == y.ID })
}

// A sidebarSource is the source of a page that shows no session: it never has
// anything, and the sidebar's patches are all that is sent.
type sidebarSource struct {
	sidebar *sidebar
	never   chan struct{}
}

func (src sidebarSource) next(_ context.Context, cursor classroom.Cursor) (step, error) {
	return step{to: cursor, more: src.never}, nil
}

func (src sidebarSource) leave() { src.sidebar.removeReader() }
