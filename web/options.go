package web

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"

	"colloquy/classroom"
	"colloquy/web/live"

	"github.com/alexedwards/scs/v2"
	"github.com/prometheus/client_golang/prometheus"
)

// The small doors through which the server reaches what it does not hold
// itself. Package store has all that keep something, package agents those that
// do something. Errors that people may read are [classroom.Error]s.
type (
	// A Runner takes what a person says and carries out its exchanges. When
	// Send returns a receipt, the message is in the log.
	Runner interface {
		Send(ctx context.Context, sessionID string, post classroom.Post) (classroom.Receipt, error)
		Cancel(ctx context.Context, sessionID string) error
		Resume(ctx context.Context, sessionID string) error
	}

	// A Queue changes the messages that wait, and delivers them. An edit is
	// refused where a message waits that came after seen; a seen of 0 knows all.
	Queue interface {
		EditQueue(ctx context.Context, sessionID string, seen classroom.Cursor, steer, followUp []classroom.Queued) error
		Unqueue(ctx context.Context, sessionID string, at classroom.Cursor) error
		SendQueue(ctx context.Context, sessionID string) error
	}

	// Classes reads classes.
	Classes interface {
		Class(ctx context.Context, id string) (classroom.Class, error)
		Classes(ctx context.Context) ([]classroom.Class, error)
	}

	// A ClassEditor changes classes; deleting one deletes what it holds.
	ClassEditor interface {
		CreateClass(ctx context.Context, c classroom.Class) (classroom.Class, error)
		UpdateClass(ctx context.Context, c classroom.Class) error
		DeleteClass(ctx context.Context, id string) error
	}

	// Sessions reads the list entries of sessions, newest first; an empty class means all.
	Sessions interface {
		Session(ctx context.Context, id string) (classroom.Session, error)
		Sessions(ctx context.Context, classID string) ([]classroom.Session, error)
	}

	// A SessionEditor makes and removes sessions. A fork holds the log up to at.
	SessionEditor interface {
		CreateSession(ctx context.Context, s classroom.Session, roster []classroom.Agent) (classroom.Session, error)
		DeleteSession(ctx context.Context, id string) error
		ForkSession(ctx context.Context, id string, at classroom.Cursor) (classroom.Session, error)
	}

	// Materials reads a class's texts.
	Materials interface {
		Materials(ctx context.Context, classID string) ([]classroom.Material, error)
		Material(ctx context.Context, id string) (classroom.Material, string, error)
	}

	// A MaterialEditor adds and removes texts.
	MaterialEditor interface {
		AddMaterial(ctx context.Context, m classroom.Material, text string) (classroom.Material, error)
		DeleteMaterial(ctx context.Context, id string) error
	}

	// People knows who may sign in.
	People interface {
		Person(ctx context.Context, id string) (classroom.Person, error)
		Owner(ctx context.Context) (classroom.Person, bool, error)
	}

	// A PersonEditor keeps new people, and the names that people give themselves.
	PersonEditor interface {
		CreatePerson(ctx context.Context, p classroom.Person, passwordHash string) (classroom.Person, error)
		RenamePerson(ctx context.Context, id, name string) error
	}

	// Settings keeps small values by name.
	Settings interface {
		Setting(ctx context.Context, key string) (string, bool, error)
		SetSetting(ctx context.Context, key, value string) error
	}

	// Models reads the connected models, the oldest first. No key is among what it returns.
	Models interface {
		Model(ctx context.Context, id string) (classroom.Model, error)
		Models(ctx context.Context) ([]classroom.Model, error)
	}

	// A ModelEditor keeps models. A nil key leaves the one there is, unless the
	// address or the protocol changed; then there is none.
	ModelEditor interface {
		CreateModel(ctx context.Context, m classroom.Model, key string) (classroom.Model, error)
		UpdateModel(ctx context.Context, m classroom.Model, key *string) error
		DeleteModel(ctx context.Context, id string) error
	}

	// A Provider asks the servers of models: what they have, whether a kept model
	// answers, and which run on this machine. It finds the key of a model itself.
	Provider interface {
		List(ctx context.Context, m classroom.Model) ([]string, error)
		Try(ctx context.Context, m classroom.Model) (classroom.ModelTest, error)
		Local(ctx context.Context) ([]classroom.ModelServer, error)
	}

	// Spending sums what runs have used.
	Spending interface {
		SessionSpent(ctx context.Context, id string) (classroom.Spent, error)
		ClassSpent(ctx context.Context, id string) (classroom.Spent, error)
	}

	// Lists returns a channel that is closed at the next change of any list
	// of classes, sessions or materials: take it before reading.
	Lists interface {
		ListsChanged() <-chan struct{}
	}

	// A Generator answers one prompt, piece by piece; an error ends the sequence.
	Generator interface {
		Generate(ctx context.Context, prompt string) iter.Seq2[string, error]
	}
)

// Options are what a [Server] is made of. The interfaces, Logins and Slog are required.
type Options struct {
	Slog          *slog.Logger
	Log           live.Log
	Runner        Runner
	Queue         Queue
	Classes       Classes
	ClassEdits    ClassEditor
	Sessions      Sessions
	SessionEdits  SessionEditor
	Materials     Materials
	MaterialEdits MaterialEditor
	People        People
	PersonEdits   PersonEditor
	Settings      Settings
	Models        Models
	ModelEdits    ModelEditor
	Spending      Spending
	Lists         Lists
	Generator     Generator
	Logins        scs.Store

	Renamer    Renamer                     // nil means that sessions keep their titles
	Provider   Provider                    // nil means that no model can be connected
	Answers    Answers                     // nil means that pages do not say who answers
	FixedModel string                      // the model named at the start, with its server, which no choice on a page replaces; may be empty
	Ready      func(context.Context) error // whether the database answers; nil means always
	Indexing   Indexing                    // nil means that no index is ever rebuilt
	Collectors []prometheus.Collector      // shown with the server's own metrics
	Token      string                      // the owner's API token; empty means none
	Roster     []classroom.Agent           // of a class that is made without one
	Secure     bool                        // cookies for TLS only
	Heartbeat  time.Duration               // between the comments of a quiet stream; 0 means 15 s
	FrameLimit time.Duration               // for a reader to take a frame; 0 means 30 s
	BodyLimit  time.Duration               // for a request's body to come; 0 means 60 s
	Version    string
	Examples   []string
}

// Answers says which models answer in a class, by their titles and without
// their servers, and whether that is the built-in tutor alone. The zero class is
// one that chooses nothing.
type Answers func(ctx context.Context, class classroom.Class) (model string, tutor bool)

// Indexing says how far a rebuild of the search index is; false means that none is due.
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
	needed := []any{o.Slog, o.Log, o.Runner, o.Queue, o.Classes, o.ClassEdits, o.Sessions, o.SessionEdits,
		o.Materials, o.MaterialEdits, o.People, o.PersonEdits, o.Settings, o.Models, o.ModelEdits, o.Spending, o.Lists, o.Generator, o.Logins}
	for _, v := range needed {
		if v == nil || v == (*slog.Logger)(nil) {
			return errors.New("make web server: an option is missing")
		}
	}
	return nil
}
