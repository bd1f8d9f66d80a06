package classroom

// A LedgerEntry is a question of a person and what became of it.
type LedgerEntry struct {
	Session  string `json:"session"` // its id
	Title    string `json:"title"`   // of the session
	Exchange int    `json:"exchange"`
	Time     Stamp  `json:"time"`
	Author   string `json:"author"`
	Text     string `json:"text"`
	Fate     string `json:"fate"` // a Fate constant
}

// What became of a question.
const (
	FateAnswered  = "answered"  // with a source
	FateUnsourced = "unsourced" // nothing of the materials was cited: a text about it may be missing
	FateHint      = "hint"
	FateSafety    = "safety"
	FateFailed    = "failed"
	FateStopped   = "stopped"
	FateOpen      = "open"
)

// Fates lists what may become of a question, in the order in which pages offer them.
func Fates() []string {
	return []string{FateAnswered, FateUnsourced, FateHint, FateSafety, FateFailed, FateStopped, FateOpen}
}
