// Package live sends sessions to their readers while they grow: as JSON events, as
// patches of a page, and as the list of sessions beside a page.
//
// # Order and delivery
//
// A stream carries a session's log to one reader. The JSON stream delivers each
// event after the reader's cursor exactly once and in order, and only events
// that the log already holds. The stream of a page brings it from the fold at
// the reader's cursor to the fold at the head; what it sends depends on the state
// alone and not on what the reader missed. A stream that ends says nothing about
// a run: a reader comes back with its cursor and goes on. The list of sessions
// has no cursor: a reader is sent what differs from the list that it has.
//
// # Slow readers
//
// A stream has no queue of its own. Readers at the head share the bytes of a
// bounded tail of recent frames, each encoded or rendered once. A reader that is
// older than the tail is read from the log (JSON) or brought up to date from the
// fold (page). A reader that takes no byte for [Options.FrameLimit] is cut off. No
// reader waits for another.
//
// # Concurrency
//
// A [Hub] is used by any number of goroutines. A [Stream] belongs to the
// goroutine of its request, which calls [Stream.Carry] once its handler has
// returned: an idle stream then needs little stack. [Hub.View] holds the lock of a
// [SessionView] while its function runs; afterwards the view must not be used. The
// goroutines that follow logs are the hub's; [Hub.Close] ends them and waits.
//
// # Not here
//
// Routes, forms and logins: package web decides who may read what, and reads the
// cursor of a request. A [Log] is read here and never written.
package live

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/templates/locale"
)

// Options are what a [Hub] is made of. All are required.
type Options struct {
	Log          Log
	Logger       *slog.Logger
	Lists        func(context.Context) ([]templates.ClassNav, error) // what the sidebar shows
	ListsChanged func() <-chan struct{}                              // closed at the next change: call it before Lists
	Meter        Meter

	// Decide decides again what the client of an open stream may do: at each heartbeat, and
	// when the client's [Client.Rights] is closed. RightsChanged returns the next such
	// channel: it is called before Decide.
	Decide        func(*http.Request) Decision
	RightsChanged func() <-chan struct{}

	Heartbeat  time.Duration // between the comments of a quiet stream
	FrameLimit time.Duration // for a reader to take a frame
}

// A Meter counts streams and what they send, by kind: json, html, replay, or the
// kind that was given to [Hub.Plain].
type Meter interface {
	StreamOpened(kind string)
	StreamClosed(kind string)
	EventsSent(kind string, n int)
}

// A Hub holds the open streams and what they share. Make one with [NewHub].
type Hub struct {
	opt       Options
	heartbeat *heartbeat
	feeds     *feeds
	views     *liveViews
	sidebar   *sidebar
	streams   *streams
}

// NewHub returns a hub. End it with [Hub.Close].
func NewHub(opt Options) *Hub {
	return &Hub{
		opt:       opt,
		heartbeat: newHeartbeat(opt.Heartbeat),
		feeds:     newFeeds(opt.Log, opt.Logger),
		views:     newLiveViews(opt.Log, opt.Logger),
		sidebar:   newSidebar(opt),
		streams:   newStreams(),
	}
}

// A Client is the reader of a stream.
type Client struct {
	Reader
	Writer  http.ResponseWriter
	Request *http.Request
	Login   string          // the stream ends with it; empty for a client without a login
	Expires time.Time       // the stream ends then; zero: never
	Rights  <-chan struct{} // closed when rights changed after the client's were decided; nil: never
	Lists   *Lists          // what it is shown of the lists; nil: nothing
}

// A Reader says how a session is shown. All readers that are equal are sent the same
// bytes.
type Reader struct {
	Audience classroom.Audience
	Language *locale.Language // nil: English
	ReadOnly bool             // the page has no forms and no buttons
}

// Lists says which classes a client's sidebar shows. Clients with the same key are
// shown the same.
type Lists struct {
	Key   string
	Shows func(classroom.Class) bool
}

// A Decision is what a client may do now.
type Decision struct {
	End   string // the reason for which its streams end; empty: they go on
	Lists *Lists
}

// Events opens the JSON stream of a session after a cursor.
func (h *Hub) Events(c Client, session classroom.Session, after classroom.Cursor) (*Stream, error) {
	st, err := h.openSession(c, "json", session, after)
	if err != nil {
		return nil, err
	}
	f := h.feeds.acquire(feedKey{session.ID, c.Audience, c.Language}, session.Head)
	st.source = &eventSource{log: h.opt.Log, feeds: h.feeds, feed: f, limit: pageEvents}
	return st, nil
}

// Page opens the stream of a session's page, which shows the session up to a cursor.
func (h *Hub) Page(c Client, session classroom.Session, after classroom.Cursor) (*Stream, error) {
	st, err := h.openSession(c, "html", session, after)
	if err != nil {
		return nil, err
	}
	lv := h.views.acquire(viewKey{session.ID, c.Reader})
	h.views.addReader(lv)
	if c.Lists != nil {
		st.sidebar = h.sidebar.addReader(c, session.ClassID, session.ID, after)
	}
	st.source = &pageSource{hub: h, live: lv, listed: c.Lists != nil}
	return st, nil
}

// Sidebar opens the stream of a page that shows no session: it keeps the list of
// sessions up to date.
func (h *Hub) Sidebar(c Client, class string, after classroom.Cursor) (*Stream, error) {
	st, err := h.openSession(c, "html", classroom.Session{}, after)
	if err != nil {
		return nil, err
	}
	st.sidebar = h.sidebar.addReader(c, class, "", 0)
	st.source = sidebarSource{h.sidebar, make(chan struct{})}
	return st, nil
}

// Replay opens a stream that plays a session, at its own pace or faster, as the
// patches that a live page would have been sent.
func (h *Hub) Replay(c Client, session classroom.Session, p Playback) (*Stream, error) {
	past, err := h.ViewAt(c.Request.Context(), session.ID, c.Reader, p.From)
	if err != nil {
		return nil, err
	}
	session.Status = classroom.Idle // what is played has been over for long
	st, err := h.openSession(c, "replay", session, p.After)
	if err != nil {
		return nil, err
	}
	st.cursor = p.From
	st.source = &replaySource{log: h.opt.Log, view: past, head: session.Head, speed: max(1, p.Speed)}
	return st, nil
}

// Plain opens a stream whose frames its handler makes: it sends them with
// [Stream.Relay] and ends with [Stream.Close].
func (h *Hub) Plain(c Client, kind string) (*Stream, error) { return h.openStream(c, kind, "") }

// View brings the view of a session that a reader is shown to the head of its log, and
// calls f with it.
func (h *Hub) View(ctx context.Context, session string, r Reader, f func(*SessionView)) error {
	lv := h.views.acquire(viewKey{session, r})
	defer h.views.release(lv)
	return lv.update(ctx, h.opt.Log, f)
}

// NoteSidebar notes with which list of sessions a session's page was rendered at a
// cursor for clients with a key, so that its stream need not send the list again.
func (h *Hub) NoteSidebar(key, session string, at classroom.Cursor, list []templates.ClassNav) {
	h.sidebar.noteRendered(renderedPage{key, session, at}, list)
}

// EndLogin ends the streams of a login.
func (h *Hub) EndLogin(login string) { h.streams.endLogin(login) }

// EndSession ends the streams of a session that was deleted.
func (h *Hub) EndSession(id string) { h.streams.endSession(id) }

// Open returns how many streams are open.
func (h *Hub) Open() int { return h.streams.count() }

// Close ends every stream with a bye frame that gives the reason, and waits until
// they and the goroutines that feed them have ended. What does not end in time is
// logged and left behind. Streams that are opened afterwards are refused with
// [classroom.ErrClosing].
func (h *Hub) Close(reason string) {
	if left := h.streams.closeAll(reason); len(left) > 0 {
		h.opt.Logger.Error("streams did not end", slog.Duration("waited", closeLimit), slog.Any("sessions", left))
	}
	h.feeds.close()
	h.views.close()
	h.sidebar.close()
	followers := map[string]*sync.WaitGroup{"feeds": &h.feeds.done, "views": &h.views.done, "sidebar": &h.sidebar.done}
	var waits sync.WaitGroup // at once, so that one that does not end takes no time from the others
	for name, done := range followers {
		waits.Go(func() {
			if !waitAtMost(done, closeLimit) {
				h.opt.Logger.Error("readers of the log did not end",
					slog.Duration("waited", closeLimit), slog.String("readers", name))
			}
		})
	}
	waits.Wait()
	h.heartbeat.stop()
}
