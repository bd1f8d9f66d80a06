package web

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"colloquy/classroom"
)

// A modelChange holds the fields of a model that a request gives; nil leaves one
// as it is. The key is among them and in no answer.
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

// apply changes m, and says what is not right in the end.
func (ch modelChange) apply(m *classroom.Model) error {
	set(&m.Title, ch.Title)
	set(&m.Provider, ch.Provider)
	set(&m.BaseURL, ch.BaseURL)
	set(&m.Private, ch.Private)
	set(&m.Name, ch.Name)
	set(&m.Thinking, ch.Thinking)
	set(&m.Context, ch.Context)
	set(&m.MaxOutput, ch.MaxOutput)
	set(&m.Price, ch.Price)
	set(&m.Currency, ch.Currency)
	m.Title, m.Name, m.Currency = plainName(m.Title), plainName(m.Name), plainName(m.Currency)
	if m.Provider == "" {
		m.Provider = classroom.ProviderOpenAI
	}
	m.BaseURL = fullAddress(m.BaseURL, m.Provider)
	if err := checkModel(*m); err != nil {
		return err
	}
	return checkAddress(*m)
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// fullAddress adds to an address what people leave out.
func fullAddress(address, provider string) string {
	given := strings.TrimSpace(address)
	if given == "" {
		return classroom.DefaultBaseURL(provider)
	}
	address = strings.TrimRight(given, "/")
	if address == "" || strings.Contains(given, "://") {
		return address // slashes alone are no address, and are refused as none
	}
	if u, err := url.Parse("//" + address); err == nil && privateHost(u.Hostname()) {
		return "http://" + address
	}
	return "https://" + address
}

const (
	maxModelName = 200
	maxTokens    = 100_000_000
	maxPrice     = 100_000_000_000 // millionths
	maxKey       = 4096
)

func checkModel(m classroom.Model) error {
	p := m.Price
	switch {
	case classroom.DefaultBaseURL(m.Provider) == "":
		return classroom.ErrModelProvider
	case len([]rune(m.Title)) > maxModelName:
		return classroom.ErrBadTitle
	case len(m.Name) > maxModelName:
		return classroom.ErrModelName
	case !slices.Contains([]string{"", "off", "low", "medium", "high"}, m.Thinking):
		return classroom.ErrModelThinking
	case min(m.Context, m.MaxOutput) < 0 || max(m.Context, m.MaxOutput) > maxTokens:
		return classroom.ErrModelLimit
	case min(p.Input, p.Output, p.CacheRead, p.CacheWrite) < 0 || max(p.Input, p.Output, p.CacheRead, p.CacheWrite) > maxPrice:
		return classroom.ErrModelPrice
	case len([]rune(m.Currency)) > 8:
		return classroom.ErrModelCurrency
	}
	return nil
}

// checkAddress refuses what is no address, a private one that the owner has not
// allowed, and one on the internet that would be asked in the clear. Names that
// turn out to be private are refused when they are called.
func checkAddress(m classroom.Model) error {
	u, err := url.Parse(m.BaseURL)
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || len(m.BaseURL) > 500 ||
		u.Scheme != "http" && u.Scheme != "https" {
		return classroom.ErrModelAddress
	}
	switch private := privateHost(u.Hostname()); {
	case private && !m.Private:
		return classroom.ErrModelPrivate
	case !private && !m.Private && u.Scheme == "http":
		return classroom.ErrModelPlain
	}
	return nil
}

// privateHost reports whether a name or number is of this machine or of a network
// of one's own, as far as can be told by looking at it.
func privateHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return !ip.IsGlobalUnicast() || ip.IsPrivate() || carrier.Contains(ip)
	}
	for _, end := range []string{".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}

var carrier = netip.MustParsePrefix("100.64.0.0/10") // addresses shared inside a provider's network

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
