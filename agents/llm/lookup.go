package llm

// A Lookup is what the runtime found in a class's materials for one turn, and where in the
// exchange the turn stands. Only scripted models use it; others read the passages in the
// messages.
type Lookup struct {
	Question  string // what is to be answered or treated
	Said      string // what the person said now, where that is not the question: on a ladder of hints
	Passages  []Passage
	Near      []Passage    // of a miss: passages that hold some words of the question
	Repairs   []Repair     // how misspelt words were read
	Subject   []string     // words of the question before that were looked for too
	Mentioned []string     // rare words of the question that the materials hold
	Unknown   []string     // and those that they do not
	Terms     []Definition // of the words in Passages that the materials define elsewhere
	Materials []string     // the names of the class's materials; empty if it has none
	Languages []string     // of the materials, the most frequent first
	Preparing bool         // the index is being rebuilt

	Turn   int       // how many agents spoke before in this exchange
	Part   []Passage // of a lecture: what this part reads
	Parts  int       // of a lecture: how many parts there are
	Titles []string  // of a lecture: the headings of all parts
}

// A Passage is a stretch of a material.
type Passage struct {
	Material string // its name
	Heading  string // joined by " › "; may be empty
	Text     string // Markdown
	Language string // of the material; empty where it is not known
}

// A Repair says how a misspelt word was read.
type Repair struct{ Typed, Read string }

// A Definition is a sentence in which a material explains a term.
type Definition struct {
	Term, Sentence string
	Source         Passage
}

// RoundsOf returns how many rounds of a debate the materials fill, if m is a scripted model
// that tells.
func RoundsOf(m Model, req Request) (rounds int, ok bool) {
	c, ok := m.(interface{ Rounds(Request) int })
	if !ok {
		return 0, false
	}
	return c.Rounds(req), true
}
