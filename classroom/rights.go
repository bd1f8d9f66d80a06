package classroom

import "slices"

// An Action is what a person does with an object.
type Action string

// The actions. Each route of package web names one.
const (
	Read   Action = "read"   // read a session, or what a class has for its pupils
	Take   Action = "take"   // take part in a session: ask, stop, continue, send what waits
	Teach  Action = "teach"  // change a class, its sessions and what waits in them, and see what they cost
	Review Action = "review" // read what only the staff may read
	Own    Action = "own"    // delete a class, share a session; of the workbench: its models and metrics
)

// An ObjectKind says what an object is.
type ObjectKind string

// The kinds of objects. A model belongs to the workbench.
const (
	WorkbenchObject ObjectKind = "workbench"
	ClassObject     ObjectKind = "class"
	SessionObject   ObjectKind = "session"
	MaterialObject  ObjectKind = "material"
)

// An Object is something that rights are asked about. Of a session or a material it
// names the class too, since a class decides.
type Object struct {
	Kind  ObjectKind
	ID    string // empty for the workbench
	Class string // id of its class
	Owner string // id of the owner of its class; empty: the owner of the workbench
}

// Workbench is the object that holds all others.
func Workbench() Object { return Object{Kind: WorkbenchObject} }

// Object returns the class as an object of rights.
func (c Class) Object() Object {
	return Object{Kind: ClassObject, ID: c.ID, Class: c.ID, Owner: c.Owner}
}

// Object returns the session as an object of rights.
func (s Session) Object() Object {
	return Object{Kind: SessionObject, ID: s.ID, Class: s.ClassID, Owner: s.Owner}
}

// Object returns the material as an object of rights; class is its class.
func (m Material) Object(class Class) Object {
	return Object{Kind: MaterialObject, ID: m.ID, Class: m.ClassID, Owner: class.Owner}
}

// allowed lists what a role may do in a class.
var allowed = map[PersonRole][]Action{
	Owner:       {Read, Take, Teach, Review, Own},
	TeacherRole: {Read, Take, Teach, Review},
	PupilRole:   {Read, Take},
}

// allowedInWorkbench lists what a role may do in the workbench itself. A guest may do
// nothing there.
var allowedInWorkbench = map[PersonRole][]Action{
	Owner:       {Read, Teach, Own},
	TeacherRole: {Read, Teach},
	PupilRole:   {Read},
}

// Can reports whether a person may do something with an object. What no rule allows is
// refused. A refusal is shown as [ErrNotFound].
func Can(p Person, a Action, o Object) bool {
	switch {
	case p.Role == GuestRole:
		return p.Link != nil && p.Link.allows(a, o)
	case o.Kind == WorkbenchObject:
		return slices.Contains(allowedInWorkbench[p.Role], a)
	case o.Class == "":
		return false
	}
	return slices.Contains(allowed[p.roleIn(o)], a)
}

// roleIn returns what a person is in the class of an object; empty where nothing.
func (p Person) roleIn(o Object) PersonRole {
	if p.ID != "" && p.ID == o.Owner || o.Owner == "" && p.Role == Owner {
		return Owner
	}
	return p.Classes[o.Class]
}

// allows reports whether a link gives its right to an object.
func (l GuestLink) allows(a Action, o Object) bool {
	if o.Kind != l.Kind || o.ID == "" || o.ID != l.Object {
		return false
	}
	return a == Read || a == Take && l.Right == Take
}

// A GuestLink lets guests in: whoever has its token may do Right with the object until it
// expires or is revoked. The token itself is not kept.
type GuestLink struct {
	ID        string     `json:"id"`
	Kind      ObjectKind `json:"kind"`
	Object    string     `json:"object"` // its id
	Right     Action     `json:"right"`  // Read or Take
	CreatedBy string     `json:"created_by"`
	Created   Stamp      `json:"created"`
	Expires   Stamp      `json:"expires"`
	Revoked   Stamp      `json:"revoked,omitzero"` // 0: not revoked
}

// Valid reports whether a link lets guests in at a time.
func (l GuestLink) Valid(at Stamp) bool { return l.Revoked == 0 && at < l.Expires }

// A Membership is what a person is in a class that somebody else owns.
type Membership struct {
	ClassID  string     `json:"class_id"`
	PersonID string     `json:"person_id"`
	Role     PersonRole `json:"role"` // TeacherRole or PupilRole
}
