package web

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"time"

	"colloquy/classroom"
	"colloquy/web/live"

	"github.com/alexedwards/scs/v2"
	"github.com/prometheus/client_golang/prometheus"
)

// What the server needs of other packages, one interface for each noun. Package
// store keeps what has to be kept, package agents runs sessions, and package cmd
// joins them. An error for users is a [classroom.Error]; any other is logged.
type (
	// A Log reads the event logs of sessions. ListsChanged returns a channel that is
	// closed at the next change of a list of classes, sessions or materials: call it
	// before reading.
	Log interface {
		live.Log
		ListsChanged() <-chan struct{}
	}

	// A Runner receives messages, runs exchanges and edits the queue of waiting
	// messages. When Send returns a receipt, the message is in the log. EditQueue
	// refuses an edit where a message was queued after the cursor seen; 0 disables
	// that check.
	Runner interface {
		Send(ctx context.Context, session string, post classroom.Post) (classroom.Receipt, error)
		Cancel(ctx context.Context, session string) error
		Resume(ctx context.Context, session string) error
		EditQueue(ctx context.Context, session string, seen classroom.Cursor, steer, followUp []classroom.Queued) error
		Unqueue(ctx context.Context, session string, at classroom.Cursor) error
		SendQueue(ctx context.Context, session string) error
		Lift(ctx context.Context, session string, question classroom.Cursor, by string) error
	}

	// Classes keeps classes, and sums what their runs used. Deleting a class deletes
	// its sessions and materials.
	Classes interface {
		Class(ctx context.Context, id string) (classroom.Class, error)
		Classes(ctx context.Context) ([]classroom.Class, error)
		CreateClass(ctx context.Context, c classroom.Class) (classroom.Class, error)
		UpdateClass(ctx context.Context, c classroom.Class) error
		DeleteClass(ctx context.Context, id string) error
		ClassSpent(ctx context.Context, id string) (classroom.Spent, error)
	}

	// Reviews finds what the staff of a class looks at.
	Reviews interface {
		ReviewNotes(ctx context.Context, classID string, limit int) ([]classroom.ReviewNote, error)
		Unreviewed(ctx context.Context) (map[string]int, error)
		MarkReviewed(ctx context.Context, classID string) error
		Ledger(ctx context.Context, classID string, limit int) ([]classroom.LedgerEntry, error)
	}

	// Sessions keeps sessions, and sums what their runs used. Sessions lists those of
	// a class, or all for an empty class id, newest first. A fork copies the log up
	// to a cursor.
	Sessions interface {
		Session(ctx context.Context, id string) (classroom.Session, error)
		Sessions(ctx context.Context, classID string) ([]classroom.Session, error)
		CreateSession(ctx context.Context, s classroom.Session, roster []classroom.Agent) (classroom.Session, error)
		DeleteSession(ctx context.Context, id string) error
		ForkSession(ctx context.Context, id string, at classroom.Cursor) (classroom.Session, error)
		SessionSpent(ctx context.Context, id string) (classroom.Spent, error)
	}

	// Materials keeps the texts of classes.
	Materials interface {
		Material(ctx context.Context, id string) (classroom.Material, string, error)
		Materials(ctx context.Context, classID string) ([]classroom.Material, error)
		AddMaterial(ctx context.Context, m classroom.Material, text string) (classroom.Material, error)
		DeleteMaterial(ctx context.Context, id string) error
		NextPassages(ctx context.Context, materialID string, after, limit int, staff bool) ([]classroom.Passage, error)
		SearchMaterials(ctx context.Context, class string, q classroom.MaterialQuery) (classroom.Found, error)
	}

	// Memberships keeps what people are in the classes of others. RightsChanged returns a
	// channel that is closed at the next change that may take a right away: call it
	// before reading.
	Memberships interface {
		Memberships(ctx context.Context, personID string) ([]classroom.Membership, error)
		RightsChanged() <-chan struct{}
	}

	// Links keeps the links by which guests come, also those that have ended. Links lists
	// those of an object, newest first.
	Links interface {
		Link(ctx context.Context, id string) (classroom.GuestLink, error)
		LinkByToken(ctx context.Context, tokenHash string) (classroom.GuestLink, error)
		Links(ctx context.Context, kind classroom.ObjectKind, object string) ([]classroom.GuestLink, error)
		CreateLink(ctx context.Context, l classroom.GuestLink, tokenHash string) (classroom.GuestLink, error)
		RevokeLink(ctx context.Context, id string) error
	}

	// People keeps the people who may sign in.
	People interface {
		Person(ctx context.Context, id string) (classroom.Person, error)
		Owner(ctx context.Context) (classroom.Person, bool, error)
		CreatePerson(ctx context.Context, p classroom.Person, passwordHash string) (classroom.Person, error)
		RenamePerson(ctx context.Context, id, name string) error
	}

	// Models keeps the connected models, oldest first, and returns them without their
	// keys. UpdateModel keeps the key if it is given nil, unless the address or the
	// protocol changed: then the key is deleted.
	Models interface {
		Model(ctx context.Context, id string) (classroom.Model, error)
		Models(ctx context.Context) ([]classroom.Model, error)
		CreateModel(ctx context.Context, m classroom.Model, key string) (classroom.Model, error)
		UpdateModel(ctx context.Context, m classroom.Model, key *string) error
		DeleteModel(ctx context.Context, id string) error
	}

	// Settings keeps small values by name.
	Settings interface {
		Setting(ctx context.Context, key string) (string, bool, error)
		SetSetting(ctx context.Context, key, value string) error
	}

	// A Provider sends requests to the servers of models. List names the models of a
	// server, Try tests one, and Local finds the servers on this machine. It looks up
	// the key of a model itself.
	Provider interface {
		List(ctx context.Context, m classroom.Model) ([]string, error)
		Try(ctx context.Context, m classroom.Model) (classroom.ModelTest, error)
		Local(ctx context.Context) ([]classroom.ModelServer, error)
	}
)

// Options are what a [Server] is made of. The first group is required.
type Options struct {
	Logger      *slog.Logger
	Log         Log
	Runner      Runner
	Classes     Classes
	Reviews     Reviews
	Sessions    Sessions
	Materials   Materials
	People      People
	Memberships Memberships
	Links       Links
	Models      Models
	Settings    Settings
	Generate    Generate
	Logins      scs.Store

	Provider   Provider                    // nil: no model can be connected
	Rename     Rename                      // nil: sessions keep their titles
	Answers    Answers                     // nil: pages do not name the model that answers
	Indexing   Indexing                    // nil: the search index is never rebuilt
	Ready      func(context.Context) error // whether the database answers; nil: always
	FixedModel string                      // the model given by --model, with its server; may be empty
	Collectors []prometheus.Collector      // exported beside the server's own metrics
	Token      string                      // the owner's API token; empty: none
	Roster     []classroom.Agent           // of a class that is created without one
	Secure     bool                        // cookies are sent over TLS only
	Heartbeat  time.Duration               // between two comments of a quiet stream; 0: 15 s
	FrameLimit time.Duration               // for a reader to receive a frame; 0: 30 s
	BodyLimit  time.Duration               // for a request's body to arrive; 0: 60 s
	Version    string
	Examples   []string // questions that an empty page suggests
}

// Generate answers one prompt outside any session, from the materials of a class and
// piece by piece; an error ends the sequence. The zero class has none.
type Generate func(ctx context.Context, class classroom.Class, prompt string) iter.Seq2[string, error]

// Rename changes the title of a session; by is the id of the person who does.
type Rename func(ctx context.Context, sessionID, title, by string) error

// Answers names the models that answer in a class, by their titles and without
// their servers, and reports whether that is only the built-in tutor. The zero
// class is one that chooses no model.
type Answers func(ctx context.Context, class classroom.Class) (model string, tutor bool)

// Indexing returns the progress of a rebuild of the search index; false if none is
// due.
type Indexing func() (classroom.Progress, bool)

func (o Options) withDefaults() Options {
	if o.Heartbeat == 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.FrameLimit == 0 {
		o.FrameLimit = 30 * time.Second
	}
	if o.BodyLimit == 0 {
		o.BodyLimit = time.Minute
	}
	if o.Answers == nil {
		o.Answers = func(context.Context, classroom.Class) (string, bool) { return "", false }
	}
	if o.Ready == nil {
		o.Ready = func(context.Context) error { return nil }
	}
	if o.Indexing == nil {
		o.Indexing = func() (classroom.Progress, bool) { return classroom.Progress{}, false }
	}
	if len(o.Roster) == 0 {
		o.Roster = []classroom.Agent{{ID: "teacher", Name: "Teacher", Role: classroom.Teacher}}
	}
	return o
}

func (o Options) check() error {
	interfaces := []any{
		o.Log, o.Runner, o.Classes, o.Sessions, o.Materials, o.People, o.Memberships, o.Links,
		o.Models, o.Settings, o.Logins,
	}
	if o.Logger == nil || o.Generate == nil || slices.Contains(interfaces, nil) {
		return errors.New("make web server: a required option is missing")
	}
	return nil
}
