package web

import (
	"net/url"
	"slices"
	"strings"

	"colloquy/classroom"
	"colloquy/classroom/address"
	"colloquy/classroom/provider"
)

// A modelChange holds the fields of a model that a request changes; nil keeps one. It
// holds the key, which no answer contains.
type modelChange struct {
	Title     *string               `json:"title"`
	Provider  *string               `json:"provider"`
	BaseURL   *string               `json:"base_url"`
	Private   *bool                 `json:"private"`
	Name      *string               `json:"name"`
	Key       *string               `json:"key"`
	Thinking  *string               `json:"thinking"`
	Context   *int                  `json:"context"`
	MaxOutput *int                  `json:"max_output"`
	Price     *classroom.ModelPrice `json:"price"`
	Currency  *string               `json:"currency"`
	Default   *bool                 `json:"default"`
}

// apply changes m, and checks the result.
func (ch modelChange) apply(m *classroom.Model) error {
	setIfGiven(&m.Title, ch.Title)
	setIfGiven(&m.Provider, ch.Provider)
	setIfGiven(&m.BaseURL, ch.BaseURL)
	setIfGiven(&m.Private, ch.Private)
	setIfGiven(&m.Name, ch.Name)
	setIfGiven(&m.Thinking, ch.Thinking)
	setIfGiven(&m.Context, ch.Context)
	setIfGiven(&m.MaxOutput, ch.MaxOutput)
	setIfGiven(&m.Price, ch.Price)
	setIfGiven(&m.Currency, ch.Currency)
	m.Title, m.Name, m.Currency = plainName(m.Title), plainName(m.Name), plainName(m.Currency)
	if m.Provider == "" {
		m.Provider = provider.All()[0].ID
	}
	m.BaseURL = completeAddress(m.BaseURL, m.Provider)
	if err := checkModel(*m); err != nil {
		return err
	}
	return checkAddress(*m)
}

func setIfGiven[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// completeAddress adds the parts of an address that people leave out.
func completeAddress(baseURL, protocol string) string {
	given := strings.TrimSpace(baseURL)
	if given == "" {
		p, _ := provider.Find(protocol) // checkModel refuses an unknown one
		return p.DefaultURL
	}
	if baseURL = strings.TrimRight(given, "/"); baseURL == "" || strings.HasSuffix(baseURL, ":") {
		return baseURL // only a scheme or slashes: checkAddress refuses it
	}
	return address.WithScheme(baseURL)
}

const (
	maxModelName = 200
	maxAddress   = 500
	maxTokens    = 100_000_000
	maxPrice     = 100_000_000_000 // millionths
	maxKey       = 4096
)

func checkModel(m classroom.Model) error {
	p := m.Price
	_, known := provider.Find(m.Provider)
	switch {
	case !known:
		return classroom.ErrModelProvider
	case len([]rune(m.Title)) > maxModelName:
		return classroom.ErrBadTitle
	case len(m.Name) > maxModelName:
		return classroom.ErrModelName
	case !slices.Contains([]string{"", "off", "low", "medium", "high"}, m.Thinking):
		return classroom.ErrModelThinking
	case min(m.Context, m.MaxOutput) < 0 || max(m.Context, m.MaxOutput) > maxTokens:
		return classroom.ErrModelLimit
	case min(p.Input, p.Output, p.CacheRead, p.CacheWrite) < 0,
		max(p.Input, p.Output, p.CacheRead, p.CacheWrite) > maxPrice:
		return classroom.ErrModelPrice
	case len([]rune(m.Currency)) > 8:
		return classroom.ErrModelCurrency
	}
	return nil
}

// checkAddress refuses a malformed address, a private one that the owner has not
// allowed, and a public one without TLS. A name that resolves to a private address is
// refused when a request is sent.
func checkAddress(m classroom.Model) error {
	u, err := url.Parse(m.BaseURL)
	if err == nil && (strings.HasSuffix(u.Host, ":") || slices.Contains([]string{"http", "https"}, u.Hostname())) {
		return classroom.ErrModelScheme // such as htp:/host or http//host
	}
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return classroom.ErrModelAddress
	}
	if u.Scheme != "http" && u.Scheme != "https" || len(m.BaseURL) > maxAddress {
		return classroom.ErrModelAddress
	}
	switch private := address.Of(u.Hostname()) != address.Public; {
	case private && !m.Private:
		return classroom.ErrModelPrivate
	case !private && !m.Private && u.Scheme == "http":
		return classroom.ErrModelPlain
	}
	return nil
}

// plainKey trims a key and checks it; nil stays nil.
func plainKey(key *string) (*string, error) {
	if key == nil {
		return nil, nil
	}
	plain := strings.TrimSpace(*key)
	if len(plain) > maxKey || strings.ContainsFunc(plain, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, classroom.ErrModelKey
	}
	return &plain, nil
}
