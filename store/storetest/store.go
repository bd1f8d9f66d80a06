package storetest

import (
	"context"
	"testing"

	"colloquy/classroom"
)

// A Store is all that packages web and agents use of a store.
type Store interface {
	Log
	Rights
	Classes
	SessionLists
	Materials
	People
	Models
	Settings
	ListsChanged() <-chan struct{}
}

// Classes keeps classes.
type Classes interface {
	Class(ctx context.Context, id string) (classroom.Class, error)
	Classes(ctx context.Context) ([]classroom.Class, error)
	UpdateClass(ctx context.Context, c classroom.Class) error
	DeleteClass(ctx context.Context, id string) error
	ClassSpent(ctx context.Context, id string) (classroom.Spent, error)
	ReviewNotes(ctx context.Context, classID string, limit int) ([]classroom.ReviewNote, error)
	Unreviewed(ctx context.Context) (map[string]int, error)
	MarkReviewed(ctx context.Context, classID string) error
	Ledger(ctx context.Context, classID string, limit int) ([]classroom.LedgerEntry, error)
}

// SessionLists finds, lists and copies sessions.
type SessionLists interface {
	Session(ctx context.Context, id string) (classroom.Session, error)
	Sessions(ctx context.Context, classID string) ([]classroom.Session, error)
	Unfinished(ctx context.Context) ([]string, error)
	ForkSession(ctx context.Context, id string, at classroom.Cursor) (classroom.Session, error)
	SessionSpent(ctx context.Context, id string) (classroom.Spent, error)
}

// Materials keeps and searches the texts of classes.
type Materials interface {
	Material(ctx context.Context, id string) (classroom.Material, string, error)
	Materials(ctx context.Context, classID string) ([]classroom.Material, error)
	AddMaterial(ctx context.Context, m classroom.Material, text string) (classroom.Material, error)
	DeleteMaterial(ctx context.Context, id string) error
	SearchMaterials(ctx context.Context, classID string, q classroom.MaterialQuery) (classroom.Found, error)
	NextPassages(ctx context.Context, materialID string, after, limit int, staff bool) ([]classroom.Passage, error)
	IndexProgress() (classroom.Progress, bool)
}

// People keeps the people who may sign in.
type People interface {
	Person(ctx context.Context, id string) (classroom.Person, error)
	PersonByName(ctx context.Context, name string) (p classroom.Person, passwordHash string, err error)
	Owner(ctx context.Context) (classroom.Person, bool, error)
	People(ctx context.Context) ([]classroom.Person, error)
	CreatePerson(ctx context.Context, p classroom.Person, passwordHash string) (classroom.Person, error)
	RenamePerson(ctx context.Context, id, name string) error
	SetPassword(ctx context.Context, id, passwordHash string) error
	DeletePerson(ctx context.Context, id string) error
}

// Models keeps models and their keys.
type Models interface {
	Model(ctx context.Context, id string) (classroom.Model, error)
	Models(ctx context.Context) ([]classroom.Model, error)
	ModelKey(ctx context.Context, m classroom.Model) (string, error)
	CreateModel(ctx context.Context, m classroom.Model, key string) (classroom.Model, error)
	UpdateModel(ctx context.Context, m classroom.Model, key *string) error
	DeleteModel(ctx context.Context, id string) error
}

// Settings keeps small values by name.
type Settings interface {
	Setting(ctx context.Context, key string) (string, bool, error)
	SetSetting(ctx context.Context, key, value string) error
}

// TestStore runs every suite. open opens the store in dir, and closes it when t ends
// unless the suite has closed it.
func TestStore(t *testing.T, open func(t *testing.T, dir string) Store) {
	t.Run("log", func(t *testing.T) {
		TestLog(t, func(t *testing.T, dir string) Log { return open(t, dir) })
	})
	for name, test := range map[string]func(*testing.T, Store){
		"classes":                             testClasses,
		"what to review":                      testReviewNotes,
		"what became of questions":            testLedger,
		"what is not reviewed yet":            testUnreviewed,
		"a session begins its log":            testSessionStart,
		"sessions follow their logs":          testSessionsFollowTheLog,
		"sessions are listed newest first":    testSessionsNewestFirst,
		"a fork has the log up to its cursor": testFork,
		"a fork keeps mode and class":         testForkKeepsModeAndClass,
		"every change of a list is told":      testEveryChangeOfAListIsTold,
		"what runs used is summed":            testSpent,
		"materials":                           testMaterials,
		"a search keeps to its class":         testSearchKeepsToItsClass,
		"a search keeps what is for teachers": testSearchKeepsTeachersTexts,
		"a search follows changes":            testSearchFollowsChanges,
		"a search returns each text once":     testSearchReturnsEachTextOnce,
		"a library finds what it has":         testLibrary,
		"what the runtime reads of classes":   testRunClasses,
		"a new index is whole":                testIndexIsWhole,
		"people":                              testPeople,
		"there is one owner":                  testOneOwner,
		"the owner is no other person":        testOwnerIsNoOtherPerson,
		"settings":                            testSettings,
		"models":                              testModelComesBack,
		"a key is bound to its model":         testModelKeyIsBound,
		"a key is dropped when it moves":      testKeyIsDroppedWhenItsModelMoves,
		"a deleted model is chosen by nobody": testDeletedModelIsChosenByNobody,
		"models have one currency":            testModelsHaveOneCurrency,
		"links":                               testLinks,
		"memberships":                         testMemberships,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t, t.TempDir()))
		})
	}
}

func newClass(t *testing.T, s Store) string {
	t.Helper()
	c, err := s.CreateClass(t.Context(), classroom.Class{
		Title:  "Biology 7b",
		Roster: []classroom.Agent{{ID: "ada", Name: "Ada", Role: classroom.Teacher}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c.ID
}

func mustSession(t *testing.T, s Store, id string) classroom.Session {
	t.Helper()
	session, err := s.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return session
}
