package templates

import (
	"net/url"
	"strconv"
	"strings"

	"colloquy/classroom"
	"colloquy/classroom/provider"
)

// A ModelDraft holds the values of a model's forms. It has no key: a key is never
// shown again.
type ModelDraft struct {
	Provider, BaseURL                    string
	Private, Default                     bool
	KeyTyped                             bool // a key was typed
	Title, Name, Thinking                string
	Context, MaxOutput                   string
	Input, Output, CacheRead, CacheWrite string
	Currency                             string
}

// DraftOf returns the form values of a model.
func DraftOf(m classroom.Model) ModelDraft {
	return ModelDraft{
		Provider: m.Provider, BaseURL: m.BaseURL, Private: m.Private,
		Title: m.Title, Name: m.Name, Thinking: m.Thinking,
		Context: inputNumber(m.Context), MaxOutput: inputNumber(m.MaxOutput),
		Input: inputPrice(m.Price.Input), Output: inputPrice(m.Price.Output),
		CacheRead: inputPrice(m.Price.CacheRead), CacheWrite: inputPrice(m.Price.CacheWrite),
		Currency: m.Currency,
	}
}

// inputNumber shows n as the value of a number field; 0 is empty.
func inputNumber(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// inputPrice shows millionths as the value of a number field; 0 is empty.
func inputPrice(millionths int64) string {
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

// hostOf is the host name of the model's server.
func hostOf(m classroom.Model) string {
	if u, err := url.Parse(m.BaseURL); err == nil && u.Host != "" {
		return u.Host
	}
	return m.BaseURL
}

// modelTitle is the title of a model, or else its name or its host.
func modelTitle(m classroom.Model) string {
	switch {
	case m.Title != "":
		return shorten(m.Title, 80)
	case m.Name != "":
		return shorten(m.Name, 80)
	}
	return hostOf(m)
}

func modelSubtitle(m classroom.Model) string {
	if m.Name == "" {
		return "Choose which of its models to use, or cancel."
	}
	if m.Title == "" { // the title is the name
		return "at " + hostOf(m)
	}
	return m.Name + " at " + hostOf(m)
}

// protocolTitle is the title of a provider, or its id if this program does not know it.
func protocolTitle(id string) string {
	p, ok := provider.Find(id)
	if !ok {
		return id
	}
	return p.Title
}

// chosenProvider is the provider of a draft; a new draft has the first one.
func chosenProvider(d ModelDraft) provider.Provider {
	if p, ok := provider.Find(d.Provider); ok {
		return p
	}
	return provider.All()[0]
}

func thinkingLabel(level string) string {
	switch level {
	case "off":
		return "Off"
	case "low":
		return "Low"
	case "medium":
		return "Medium"
	case "high":
		return "High"
	}
	return "Provider's default"
}

// A ModelTestView is the outcome of testing a model.
type ModelTestView struct {
	Done bool
	classroom.ModelTest
	Error string
}

// modelTestText says what worked in a test.
func modelTestText(t ModelTestView) string {
	text := "It works."
	if t.NoTools {
		text = "It answers, but cannot use tools: it will be given passages from the materials instead."
	}
	text += " It said “" + shorten(t.Answer, maxLineBytes) + "”, the first of it after " +
		formatDuration(t.AfterMS) + "."
	if t.Streamed {
		text += " Its answer came word by word."
	} else {
		text += " Its answer came in one piece."
	}
	switch {
	case t.NoTools:
	case t.Called:
		text += " It looked into the materials with the search tool."
	default:
		text += " It takes tools, and did not use the search tool this time."
	}
	return text
}

// ModelTestID is the id of the element that shows the outcome of a test.
func ModelTestID(model string) string { return "tried-" + model }
