package templates

import (
	"time"

	"colloquy/classroom"
	"colloquy/templates/prose"
)

// Zone is the time zone in which pages show times of day. It is set once, at
// start, before anything is rendered.
var Zone = time.Local

// Prefs are what this browser prefers.
type Prefs struct {
	Theme string // "" follows the system; "light" or "dark"
	Text  string // "", "large" or "projector"
}

// A Page is what every page shows around its content.
type Page struct {
	Title   string
	Person  classroom.Person
	Prefs   Prefs
	Path    string // of this page, to come back to
	Version string
	Notice  string // one sentence, shown once
	Model   string
	Tutor   bool // the built-in tutor answers; the page says that it is no AI
}

// A ClassNav is a class with its sessions, newest first.
type ClassNav struct {
	Class    classroom.Class
	Sessions []classroom.Session
}

// A Nav is the list of classes and sessions beside every page.
type Nav struct {
	Classes   []ClassNav
	ClassID   string // of the page, or ""
	SessionID string // of the page, or ""
	Apart     bool   // the page is none of the list's, such as the settings
}

// A ProseFunc returns the rendered blocks of one text part of a message.
type ProseFunc func(w *classroom.Window, e *classroom.Entry, part int) []prose.Chunk

// A CardView is a card in its surroundings.
type CardView struct {
	Session string
	Card    *classroom.Card
	Live    bool      // false in replay, print and export: nothing to press
	Prose   ProseFunc // nil renders the text here
}

// A Composer is the box in which a person writes into a session.
type Composer struct {
	Session     string
	Mode        string
	Running     bool
	Barrier     bool // steer and follow-up are refused for now
	Interrupted bool // the last run waits to be continued
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
	Older     int      // older exchanges than this one can be loaded; 0 says there are none
	Cursor    classroom.Cursor
	Queue     classroom.Queue
	Composer  Composer
	Speaking  string // the id of the agent who has the floor
	Materials []classroom.Material
	Examples  []string
	Renames   bool // sessions can be renamed
	Spent     classroom.Spent
}

// A Home is the first page.
type Home struct {
	Page     Page
	Mode     string // chosen; "" is the class's
	Nav      Nav
	Draft    string
	Error    string
	ClassID  string // the class that a question goes to
	Examples []string
}

// A ClassPageView is the page of a class.
type ClassPageView struct {
	Page      Page
	Mode      string // chosen in the form for a new session; "" is the class's
	Rounds    string // typed there
	Nav       Nav
	Class     classroom.Class
	Sessions  []classroom.Session
	Materials []classroom.Material
	Errors    []string // what was wrong with added materials, a sentence each
	Added     string   // which materials are new, for the list by itself
	Error     string   // what was wrong with anything else
	DraftName string   // what was typed into the form for a pasted material
	Draft     string
	Back      string // the id of the session that a text is pasted for; may be empty
	Choice    ModelChoice
	Spent     classroom.Spent
	Indexing  *classroom.Progress // of the rebuild of the search index; nil while none is due
}

// Settings is the settings page.
type Settings struct {
	Page     Page
	Nav      Nav
	Error    string
	Facts    []Fact // what an operator may want to know, such as the data folder's size
	Connects bool   // the person may connect models
	Choice   ModelChoice
	Draft    ModelDraft // of a new model
	Local    LocalModels

	Name      *string // typed by the person as their own; nil is the present one
	NameError string  // what was wrong with it
}

// A Fact is a label and its value.
type Fact struct{ Label, Value string }

// A Login is the page for a visitor who is not signed in.
type Login struct {
	Page      Page
	Return    string // the path to go to afterwards
	Error     string
	LinkHint  bool // say where the sign-in link is
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
	Stream    string // the address of the stream that plays on from At, without its cursor
}

// A Problem is a page that says what went wrong.
type Problem struct {
	Page    Page
	Status  int
	Title   string // "" is that of the status
	Message string
	Login   bool // the way on is the login page
}
