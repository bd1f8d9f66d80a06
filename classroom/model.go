package classroom

// A Model is a connected language model: where it is asked, and what is known
// of it. Its key is kept apart; nobody who holds a Model has the key.
type Model struct {
	ID        string     `json:"id"`
	Title     string     `json:"title"`
	Provider  string     `json:"provider"` // the protocol it speaks: an id of package provider
	BaseURL   string     `json:"base_url"`
	Private   bool       `json:"private"` // the owner lets it be on this machine or in a private network
	Name      string     `json:"name"`    // as the provider names it; empty until it was chosen
	HasKey    bool       `json:"has_key"`
	Thinking  string     `json:"thinking"`   // "", "off", "low", "medium" or "high"; empty leaves it to the provider
	Context   int        `json:"context"`    // tokens that request and answer may hold together; 0 is unknown
	MaxOutput int        `json:"max_output"` // tokens of one answer; 0 leaves it to the provider
	Price     ModelPrice `json:"price"`
	Currency  string     `json:"currency"`
	Created   Stamp      `json:"created"`
}

// A ModelPrice is in millionths of the currency unit for a million tokens.
type ModelPrice struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
}

// TutorModel is the id by which a class or an agent chooses the built-in tutor,
// whatever the workbench's own choice is. No connected model has it.
const TutorModel = "tutor"

// DefaultModel is the setting that holds the id of the model that answers where
// class and agent choose none; empty means the built-in tutor.
const DefaultModel = "default_model"

// ModelFor is the id of the model that speaks for an agent of a class: the
// agent's, else the class's; empty means the workbench's.
func ModelFor(c Class, a Agent) string {
	if a.Model != "" {
		return a.Model
	}
	return c.Model
}

// A ModelTest is the result of testing a model with a request like a class's.
type ModelTest struct {
	Answer   string // the beginning of its answer
	AfterMS  int64  // milliseconds to the first of it
	Streamed bool   // the answer came in pieces
	Called   bool   // it called the tool that it was offered
	NoTools  bool   // it refused tools, and was asked again without
}

// A ModelServer is a server of models that was found on this machine.
type ModelServer struct {
	Title   string // "Ollama"
	BaseURL string
	Names   []string // of its models
}

// Spent is what the runs of a session or of a class have used up. Each attempt
// of a run counts.
type Spent struct {
	Usage    Usage  `json:"usage"`
	Cost     *int64 `json:"cost"`     // millionths of the currency unit; nil where no price was known
	Currency string `json:"currency"` // of the models' prices; may be empty
}
