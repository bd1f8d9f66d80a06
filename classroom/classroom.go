// Package classroom holds the nouns that every other package needs: classes,
// agents, sessions, events and their payloads, and the fold that turns a log
// into what a page shows.
//
// # Order
//
// A session has one log. Each event has a [Cursor], its place in that log,
// counted from 1 without gaps. Events of different sessions have no order
// between them.
//
// # The fold
//
// [Fold] is pure, total and idempotent: the same prefix of a log always gives
// the same fold, no event makes it fail (an unknown or malformed one moves only
// the cursor), and an event at or below the fold's cursor changes nothing. The
// fold of a slimmed log (see [Slim]) equals the fold of the full one.
//
// # Concurrency
//
// Values of this package are plain data. A Fold belongs to one goroutine, or
// to whoever holds the lock that guards it.
//
// # Not here
//
// No I/O, no clock, no chance. Package store keeps logs, package agents writes
// them, package web shows them.
package classroom

// A Role says what an agent is in its class.
type Role string

// The roles of docs/events.md; "student" is a classmate.
const (
	Teacher   Role = "teacher"
	Assistant Role = "assistant"
	Student   Role = "student"
)

// An Agent is a persona on a class's roster.
type Agent struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Role     Role     `json:"role"`
	Persona  string   `json:"persona,omitempty"`
	Color    string   `json:"color,omitempty"`  // a key of the page's palette, not a CSS value
	Avatar   string   `json:"avatar,omitempty"` // a key of the page's avatar shapes
	Tools    []string `json:"tools,omitempty"`  // names of allowed tools; empty means all
	Priority int      `json:"priority,omitempty"`
	Model    string   `json:"model,omitempty"` // id of the connected model that speaks for it; empty means the class's
}

// A Class is what a teacher owns.
type Class struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Mode    string  `json:"mode"` // the mode of its new sessions: see the Mode constants
	Rules   Rules   `json:"rules"`
	Roster  []Agent `json:"roster"`
	Model   string  `json:"model,omitempty"` // id of the connected model of its agents; empty means the workbench's
	Owner   string  `json:"owner,omitempty"` // id of the person; empty: the owner of the workbench
	Created Stamp   `json:"created"`
}

// A Status says whether a session is at work.
type Status string

// The statuses of a session. Interrupted means that its last run was cut off
// and has neither ended nor gone on.
const (
	Idle        Status = "idle"
	Running     Status = "running"
	Interrupted Status = "interrupted"
)

// A Session is one conversation of a class, as lists show it. Status, Head and
// Exchanges are kept by the store in step with the log.
type Session struct {
	ID        string `json:"id"`
	ClassID   string `json:"class_id"`
	Owner     string `json:"-"` // of its class; empty: the owner of the workbench
	Title     string `json:"title"`
	Mode      string `json:"mode"`
	Rounds    int    `json:"rounds,omitempty"` // asked for when it is made; kept in its log only
	Status    Status `json:"status"`
	Head      Cursor `json:"head"`
	Exchanges int    `json:"exchanges"`
	Created   Stamp  `json:"created"`
	Updated   Stamp  `json:"updated"`
}

// A Material is a text that a class's agents may search.
type Material struct {
	ID        string `json:"id"`
	ClassID   string `json:"class_id"`
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Bytes     int    `json:"bytes"`
	Pages     int    `json:"pages"`
	Created   Stamp  `json:"created"`
}

// A Passage is a stretch of a material that answers a search, best first.
type Passage struct {
	MaterialID string `json:"material_id"`
	Material   string `json:"material"`           // the material's name
	Section    string `json:"section,omitempty"`  // the headings above it, joined by " › "
	From       int    `json:"from"`               // its first byte in the material's text, which tells passages apart
	Language   string `json:"language,omitempty"` // of the material
	Staff      bool   `json:"staff,omitempty"`    // for teachers only
	Aside      bool   `json:"aside,omitempty"`    // of a section that only lists where to read more
	Text       string `json:"text"`
}

// A MaterialQuery is what somebody looks for in the materials of a class.
type MaterialQuery struct {
	Question string // any text
	Before   string // the question of the exchange before; empty if there is none
	Limit    int    // of passages; 0 means 3
	Staff    bool   // whoever asks may read what is for teachers only
	Topic    bool   // a topic to talk about and not a question: a part of it is enough
}

// Found is what the materials of a class hold about a question. Passages are those that
// answer it, best first; where there are none, Near holds some of its words.
type Found struct {
	Passages  []Passage        `json:"passages"`
	Near      []Passage        `json:"near,omitempty"`
	Repairs   []SpellingRepair `json:"repairs,omitempty"`
	Subject   []string         `json:"subject,omitempty"`   // words of the question before that were looked for too
	Mentioned []string         `json:"mentioned,omitempty"` // rare words of the question that the materials hold
	Unknown   []string         `json:"unknown,omitempty"`   // and those that they do not
	Languages []string         `json:"-"`                   // of the materials, the most frequent first
}

// A SpellingRepair says how a word that the materials do not hold was read.
type SpellingRepair struct {
	Typed string `json:"typed"`
	Read  string `json:"read"`
}

// A Progress says how much of a long piece of work is done, such as the rebuild of a search index.
type Progress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
}

// A Person is somebody who is signed in, with what decides about the person's rights:
// see [Can].
type Person struct {
	ID      string                `json:"id"`
	Name    string                `json:"name"`
	Role    PersonRole            `json:"role"` // in the workbench
	Classes map[string]PersonRole `json:"-"`    // by class: what the person is in classes of others
	Link    *GuestLink            `json:"-"`    // by which a guest came, while it is valid
}

// A PersonRole says what a person is in the workbench or in a class.
type PersonRole string

// The owner of the workbench is the first teacher. A guest came by a link and has no
// account.
const (
	Owner       PersonRole = "owner"
	TeacherRole PersonRole = "teacher"
	PupilRole   PersonRole = "pupil"
	GuestRole   PersonRole = "guest"
)

// MaxTextBytes is the longest message a person may send.
const MaxTextBytes = 64 << 10
