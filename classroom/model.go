package classroom

// A Model is a connected language model: where it is asked, and what is known
// of it. Its key is kept apart; nobody who holds a Model has the key.
type Model struct {
	ID        string     `json:"id"`
	Title     string     `json:"title"`
	Provider  string     `json:"provider"` // ProviderOpenAI or ProviderAnthropic: the protocol it speaks
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

// The protocols that a connected model may speak.
const (
	ProviderOpenAI    = "openai"
	ProviderAnthropic = "anthropic"
)

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

// What may go wrong with models, in words for the person who connects one.
var (
	ErrModelAddress  = &Error{"model_address", "The address must begin with https:// or http:// and name a host, such as https://api.openai.com/v1."}
	ErrModelPrivate  = &Error{"model_private", "This address is on this machine or in a private network. Tick the box that allows it, if you trust what answers there."}
	ErrModelPlain    = &Error{"model_plain", "An address on the internet must begin with https://, or others could read the key and the questions on their way."}
	ErrModelProvider = &Error{"model_provider", "The protocol must be openai or anthropic."}
	ErrModelName     = &Error{"model_name", "Choose a model, or type its name as its provider writes it."}
	ErrModelKey      = &Error{"model_key", "A key has at most 4096 letters, digits and signs, and no spaces inside. Copy it again, whole."}
	ErrModelThinking = &Error{"model_thinking", "Thinking must be left empty, or be off, low, medium or high."}
	ErrModelPrice    = &Error{"model_price", "A price is a number such as 2.50, from 0 to 100000, for a million tokens."}
	ErrModelLimit    = &Error{"model_limit", "A number of tokens is a whole number from 0 to 100000000; 0 leaves it open."}
	ErrModelCurrency = &Error{"model_currency", "A currency has at most 8 letters or signs, such as EUR or $."}
	ErrModelUnknown  = &Error{"model_unknown", "This model is not connected. Choose one of those in the list."}
	ErrModelUnnamed  = &Error{"model_unnamed", "This connection has no model yet. Choose one on its page first."}
)

// DefaultBaseURL is where those who made a protocol answer themselves, or "" for one
// that is not known.
func DefaultBaseURL(provider string) string {
	switch provider {
	case ProviderOpenAI:
		return "https://api.openai.com/v1"
	case ProviderAnthropic:
		return "https://api.anthropic.com"
	}
	return ""
}
