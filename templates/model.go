package templates

import (
	"context"
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

func modelSubtitle(ctx context.Context, m classroom.Model) string {
	if m.Name == "" {
		return t(ctx, "model.choose_or_cancel")
	}
	if m.Title == "" { // the title is the name
		return t(ctx, "model.at", "Host", hostOf(m))
	}
	return t(ctx, "model.name_at", "Name", m.Name, "Host", hostOf(m))
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

func thinkingLabel(ctx context.Context, level string) string {
	switch level {
	case "off", "low", "medium", "high":
		return t(ctx, "model.thinking_"+level)
	}
	return t(ctx, "model.provider_default_option")
}

// A ModelTestView is the outcome of testing a model.
type ModelTestView struct {
	Done bool
	classroom.ModelTest
	Error string
}

// modelTestText says what worked in a test.
func modelTestText(ctx context.Context, v ModelTestView) string {
	works := "model.test_works"
	if v.NoTools {
		works = "model.test_no_tools"
	}
	answer, after := shorten(v.Answer, maxLineBytes), formatDuration(ctx, v.AfterMS)
	sentences := []string{t(ctx, works), t(ctx, "model.test_said", "Answer", answer, "Time", after)}
	if v.Streamed {
		sentences = append(sentences, t(ctx, "model.test_streamed"))
	} else {
		sentences = append(sentences, t(ctx, "model.test_not_streamed"))
	}
	switch {
	case v.NoTools:
	case v.Called:
		sentences = append(sentences, t(ctx, "model.test_called"))
	default:
		sentences = append(sentences, t(ctx, "model.test_not_called"))
	}
	return strings.Join(sentences, " ")
}

// ModelTestID is the id of the element that shows the outcome of a test.
func ModelTestID(model string) string { return "tried-" + model }

// providerTitles lists the providers.
func providerTitles(ctx context.Context) string {
	var titles []string
	for _, p := range provider.All() {
		titles = append(titles, p.Title)
	}
	return joinAnd(ctx, titles)
}
