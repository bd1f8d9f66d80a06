// Package provider describes the providers of models: what the settings page, doctor,
// the flags and the errors say about each. It only holds data: the protocols are below
// agents/llm, and cmd/colloquy joins both.
package provider

import "strings"

// A Provider is the maker of a protocol. Other servers may speak the protocol too. What
// the settings page says about it is in templates/locale, under provider.
type Provider struct {
	ID         string // stored with a connected model, and the first half of --model
	Title      string
	DefaultURL string // the address at which the maker serves it
	ExampleURL string // of a server on this machine
	Env        string // the beginning of its environment variables
}

// The providers.
var (
	OpenAI = Provider{
		ID: "openai", Title: "OpenAI",
		DefaultURL: "https://api.openai.com/v1",
		ExampleURL: "http://127.0.0.1:11434/v1",
		Env:        "OPENAI",
	}
	Anthropic = Provider{
		ID: "anthropic", Title: "Anthropic",
		DefaultURL: "https://api.anthropic.com",
		ExampleURL: "http://127.0.0.1:8080",
		Env:        "ANTHROPIC",
	}
)

// IDs returns the ids, with commas between them.
func IDs() string {
	var ids []string
	for _, p := range All() {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, ", ")
}

// All returns the providers. The first one is used where none is chosen.
func All() []Provider { return []Provider{OpenAI, Anthropic} }

// Find returns the provider with that id.
func Find(id string) (Provider, bool) {
	for _, p := range All() {
		if p.ID == id {
			return p, true
		}
	}
	return Provider{}, false
}

// String returns the title.
func (p Provider) String() string { return p.Title }

// KeyVariable is the environment variable of its key.
func (p Provider) KeyVariable() string { return p.Env + "_API_KEY" }

// URLVariable is the environment variable of its address.
func (p Provider) URLVariable() string { return p.Env + "_BASE_URL" }

// Either returns a text about each provider as an alternative: "openai or anthropic".
func Either(text func(Provider) string) string {
	var texts []string
	for _, p := range All() {
		texts = append(texts, text(p))
	}
	return strings.Join(texts, " or ")
}
