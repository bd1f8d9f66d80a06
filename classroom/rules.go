package classroom

// Rules are a class's teaching rules; every agent follows them and the page shows them.
type Rules struct {
	Aim        string `json:"aim,omitempty"`
	FinishLine string `json:"finish_line,omitempty"` // what a pupil can do when the lesson is done
	Manner     string `json:"stance,omitempty"`      // a Manner constant; empty means explain
	Withheld   string `json:"withheld,omitempty"`
	// WithheldFree are sentences that the search found for Withheld, and that may be said.
	WithheldFree []string `json:"withheld_free,omitempty"`
	DeliverAll   bool     `json:"together,omitempty"` // waiting messages are sent together, not one at a time
	Speakers     string   `json:"speakers,omitempty"` // who answers: a Speak constant; empty: as the model is

	Year     string `json:"year,omitempty"`
	Subject  string `json:"subject,omitempty"`
	Level    string `json:"level,omitempty"`
	Language string `json:"language,omitempty"`

	Adult    string `json:"adult,omitempty"`     // to whom a pupil in distress is sent
	HelpLine string `json:"help_line,omitempty"` // for a pupil in distress, such as a telephone number
}

// The manners. Under hints and ask back a pupil gets hints before the answer.
const (
	MannerExplain  = "explain"
	MannerHints    = "hints"
	MannerSocratic = "socratic"
)

// Manners lists the manners in the order in which forms offer them.
func Manners() []string { return []string{MannerExplain, MannerHints, MannerSocratic} }

// Laddered reports whether pupils get hints before answers.
func (r Rules) Laddered() bool { return r.Manner == MannerHints || r.Manner == MannerSocratic }

// Who answers a question that names nobody.
const (
	SpeakTeacher   = "teacher"   // the teacher only
	SpeakAssistant = "assistant" // teacher and assistant
	SpeakAll       = "all"       // and a classmate
)

// Speakers lists who may answer, in the order in which forms offer them.
func Speakers() []string { return []string{SpeakTeacher, SpeakAssistant, SpeakAll} }

// MaxRuleLine is the longest line of the rules, in characters.
const MaxRuleLine = 200

// A RuleLine is one of the short lines of the rules.
type RuleLine struct {
	Key   string // its key in JSON and in forms
	Value *string
}

// Lines returns the short lines of r, to be read or changed.
func (r *Rules) Lines() []RuleLine {
	return []RuleLine{
		{"finish_line", &r.FinishLine}, {"year", &r.Year}, {"subject", &r.Subject}, {"level", &r.Level},
		{"language", &r.Language}, {"adult", &r.Adult}, {"help_line", &r.HelpLine},
	}
}
