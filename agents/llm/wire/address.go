package wire

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// An Address is the base URL of a provider and the provider's name for users.
type Address struct {
	Base string // ends in a slash
	Name string // as written in the middle of a sentence
}

// An Endpoint says what the base URLs of one kind of provider look like.
type Endpoint struct {
	DefaultURL string                   // if no address is given
	ExampleURL string                   // of a local server
	NormalPath func(path string) string // removes what the SDK appends and adds what users leave out
	Hint       string                   // a sentence for users, for an answer that cannot be parsed
}

// Parse reads an address as users write it.
func (e Endpoint) Parse(text string) (Address, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		text = e.DefaultURL
	}
	if !strings.Contains(text, "://") {
		text = guessScheme(text) + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return Address{}, fmt.Errorf("the model's address must look like %s or %s", e.DefaultURL, e.ExampleURL)
	}
	u.RawQuery, u.Fragment, u.RawPath = "", "", ""
	u.Path = e.NormalPath(strings.TrimRight(u.Path, "/"))
	return Address{Base: strings.TrimRight(u.String(), "/") + "/", Name: providerName(u)}, nil
}

// guessScheme returns the scheme of an address without one. Local names and IP
// addresses rarely have certificates, so they get http.
func guessScheme(text string) string {
	host, _, _ := strings.Cut(text, "/")
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if _, err := netip.ParseAddr(host); err == nil || isLocalName(host) {
		return "http://"
	}
	return "https://"
}

// isLocalName reports whether a host name belongs to this machine or its network.
func isLocalName(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	for _, suffix := range []string{".local", ".localhost", ".internal"} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}

// CheckBaseURL returns an error for an address that users may not set: one that is
// not http or https, or has a user name, a password or a query; and, unless private
// is set, one of this machine or its network. It resolves no host name: [Client]
// checks the resolved address when it connects.
func CheckBaseURL(baseURL string, private bool) error {
	u, err := url.Parse(baseURL)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("a model's address must begin with http:// or https:// and name a host")
	case u.User != nil:
		return fmt.Errorf("a model's address must contain no user name and no password; the key has its own field")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return fmt.Errorf("a model's address must end before any ? or #")
	case private:
		return nil
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if err == nil && !isPublic(ip) || err != nil && isLocalName(u.Hostname()) {
		return errPrivate
	}
	return nil
}

var providerNames = map[string]string{
	"api.openai.com":                    "OpenAI",
	"openrouter.ai":                     "OpenRouter",
	"generativelanguage.googleapis.com": "Google Gemini",
	"api.mistral.ai":                    "Mistral",
	"api.groq.com":                      "Groq",
	"api.deepseek.com":                  "DeepSeek",
	"api.together.xyz":                  "Together",
	"api.anthropic.com":                 "Anthropic",
	"ollama.com":                        "Ollama",
}

var localPorts = map[string]string{"11434": "Ollama", "1234": "LM Studio"}

func providerName(u *url.URL) string {
	if name := providerNames[strings.ToLower(u.Hostname())]; name != "" {
		return name
	}
	if name := localPorts[u.Port()]; name != "" {
		return name + " at " + u.Host
	}
	return "the model server at " + u.Host
}
