package templates

import (
	"time"

	"colloquy/classroom"
	"colloquy/templates/prose"
)

// Zone is the time zone in which pages show times. It is set at start, before
// anything is rendered.
var Zone = time.Local

// Prefs are the display settings of a browser.
type Prefs struct {
	Theme string // "", which follows the system, "light" or "dark"
	Text  string // "", "large" or "projector"

	Language string // a tag, or "" for the one that the browser asks for
}

// A Page holds what every page shows around its content.
type Page struct {
	Title   string
	Person  classroom.Person
	Prefs   Prefs
	Path    string // of this page, to return to
	Version string
	Notice  string // one sentence, shown once
	Model   string
	Tutor   bool // the built-in tutor answers, and the page says that it is not an AI
	Lists   bool // the person has classes and settings
}

// A ClassNav is a class with its sessions, newest first.
type ClassNav struct {
	Class    classroom.Class
	Sessions []classroom.Session
	ToReview int // messages of distress that its staff has not marked as seen
}

// A Nav is the list of classes and sessions beside every page.
type Nav struct {
	Classes   []ClassNav
	ClassID   string // of the page, or ""
	SessionID string // of the page, or ""
	Unlisted  bool   // the page is in no class, such as the settings
}

// A ProseFunc returns the rendered chunks of a text block of a message.
type ProseFunc func(w *classroom.Window, e *classroom.Entry, block int) []prose.Chunk

// A CardView is a card and how to show it.
type CardView struct {
	Session string
	Card    *classroom.Card
	Live    bool      // false in replay, print and export, which have no buttons
	Teaches bool      // its reader may give an answer free
	Prose   ProseFunc // nil: the card renders its texts itself
}

// A Composer is the form in which a person writes to a session.
type Composer struct {
	Session     string
	Mode        string
	Running     bool
	Barrier     bool // steer and follow-up are refused for now
	Interrupted bool // the last run can be continued
	Draft       string
	Error       string
	Roster      []classroom.Agent
}

// A Workbench is the page of a session.
type Workbench struct {
	Page      Page
	Nav       Nav
	Class     classroom.Class
	Session   classroom.Session
	Cards     []string // rendered [Card] components, oldest first
	Older     int      // exchanges before this number can be loaded; 0: none can
	Cursor    classroom.Cursor
	Queue     classroom.Queue
	Composer  Composer
	Speaking  string // the id of the agent who has the floor
	Materials []classroom.Material
	Examples  []string
	CanRename bool // sessions can be renamed
	Spent     classroom.Spent
	Audience  classroom.Audience
	ReadOnly  bool   // no forms and no buttons
	Teaches   bool   // the person may change the session, its class and its materials
	Share     *Share // nil: the person may not share the session
}

// A Share is the form that makes links to a session, with those that let guests in.
type Share struct {
	Session string
	Links   []classroom.GuestLink
	New     string // address of the link that was just made
	Error   string

	OnlyHere bool // addresses of this server work on its machine only
}

// A GuestLink is the page that a link opens.
type GuestLink struct {
	Page     Page
	Token    string
	Session  string // title
	AsksName bool
	Name     string // typed
	Error    string
}

// A Review is the Review page of a class.
type Review struct {
	Page     Page
	Nav      Nav
	Class    classroom.Class
	Notes    []classroom.ReviewNote // newest first
	Withheld []WithheldSentence     // sentences of the materials that are kept from the class
}

// A Home is the first page.
type Home struct {
	Page     Page
	Mode     string // chosen; "" is that of the class
	Nav      Nav
	Draft    string
	Error    string
	ClassID  string // the class that gets the question
	Examples []string
}

// A ClassPageView is the page of a class.
type ClassPageView struct {
	Page      Page
	Mode      string // chosen in the form for a new session; "" is that of the class
	Rounds    string // typed in the form for a new session
	Nav       Nav
	Class     classroom.Class
	Sessions  []classroom.Session
	Materials []classroom.Material
	Errors    []string // a sentence for each material that was refused
	Added     string   // names the materials that were just added
	Error     string   // about any other form
	DraftName string   // typed in the form for a pasted text
	Draft     string
	Back      string // id of the session to return to after pasting; may be empty
	Choice    ModelChoice
	Spent     classroom.Spent
	Reviews   bool                // the person may open the Review page
	Indexing  *classroom.Progress // of the rebuild of the search index; nil while none is due
}

// Settings is the settings page.
type Settings struct {
	Page       Page
	Nav        Nav
	Error      string
	Facts      []Fact // about the installation, such as the size of the data folder
	CanConnect bool   // the person may connect models
	Choice     ModelChoice
	Draft      ModelDraft // of a new model
	Local      LocalModels

	Name      *string // typed by the person; nil shows the present name
	NameError string  // why Name was refused
}

// A Fact is a label and its value.
type Fact struct{ Label, Value string }

// A Login is the page for a visitor who is not signed in.
type Login struct {
	Page      Page
	Return    string // path to open after signing in
	Error     string
	LinkHint  bool // explain where the sign-in link is
	Passwords bool // people with a password may use the form
}

// A Replay is a session as it was at a cursor.
type Replay struct {
	Page      Page
	Nav       Nav
	Session   classroom.Session
	Cards     []string
	At, Head  classroom.Cursor
	First     classroom.Cursor // where the first exchange ends
	Prev      classroom.Cursor
	Next      classroom.Cursor
	Last      classroom.Cursor
	Exchange  int // the newest exchange at At; 0 before the first
	Exchanges int
	Speed     int // 1, 2 or 4
	Playing   bool
	Stream    string // address of the stream that plays, without the cursor to start at
}

// A Problem is a page that says what went wrong.
type Problem struct {
	Page    Page
	Status  int
	Title   string // "" is the title for Status
	Message string
	Login   bool // the button leads to the login page
	Final   bool // there is no button, since nothing is left for the visitor
}
