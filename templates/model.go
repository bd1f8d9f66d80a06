package templates

import (
	"net/url"
	"strconv"
	"strings"

	"colloquy/classroom"
)

// A ModelDraft is what stands in the fields of a model's forms. There is no key
// in it: a key is never shown again.
type ModelDraft struct {
	Provider, BaseURL                    string
	Private, Default                     bool
	Keyed                                bool // a key was typed
	Title, Name, Thinking                string
	Context, MaxOutput                   string
	Input, Output, CacheRead, CacheWrite string
	Currency                             string
}

// DraftOf is what a model's forms show of it.
func DraftOf(m classroom.Model) ModelDraft {
	return ModelDraft{
		Provider: m.Provider, BaseURL: m.BaseURL, Private: m.Private, Title: m.Title, Name: m.Name, Thinking: m.Thinking,
		Context: count(m.Context), MaxOutput: count(m.MaxOutput), Currency: m.Currency,
		Input: price(m.Price.Input), Output: price(m.Price.Output), CacheRead: price(m.Price.CacheRead), CacheWrite: price(m.Price.CacheWrite),
	}
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// price shows millionths as a number to be edited; none is empty.
func price(millionths int64) string {
	if millionths == 0 {
		return ""
	}
	text := strconv.FormatFloat(float64(millionths)/1e6, 'f', 6, 64)
	text = strings.TrimRight(text, "0")
	for dot := strings.IndexByte(text, '.'); len(text)-dot-1 < 2; {
		text += "0"
	}
	return text
}

// hostOf is where a model is asked, as people say it.
func hostOf(m classroom.Model) string {
	if u, err := url.Parse(m.BaseURL); err == nil && u.Host != "" {
		return u.Host
	}
	return m.BaseURL
}

// modelTitle is a model's title, or what stands for one.
func modelTitle(m classroom.Model) string {
	switch {
	case m.Title != "":
		return short(m.Title, 80)
	case m.Name != "":
		return short(m.Name, 80)
	}
	return hostOf(m)
}

func modelAt(m classroom.Model) string {
	if m.Name == "" {
		return "Choose which of its models to use, or cancel."
	}
	if m.Title == "" { // the name stands above it already
		return "at " + hostOf(m)
	}
	return m.Name + " at " + hostOf(m)
}

func protocolWord(provider string) string {
	if provider == classroom.ProviderAnthropic {
		return "Anthropic"
	}
	return "OpenAI"
}

func thinkingWord(level string) string {
	switch level {
	case "off":
		return "Does not think first"
	case "low":
		return "A little"
	case "medium":
		return "Some"
	case "high":
		return "Long"
	}
	return "As its provider has it"
}

// Tried is what came of asking a model for a word.
type Tried struct {
	Done  bool
	Said  string
	After int64 // milliseconds to the first of it
	Error string
}

// TriedID is the id of where the outcome of a try is told.
func TriedID(model string) string { return "tried-" + model }
