package wire

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// An Address is where a provider listens, and what to call it.
type Address struct {
	Base string // ends in a slash
	Name string // fits in the middle of a sentence
}

// A Door says what a provider's addresses look like.
type Endpoint struct {
	DefaultURL string                   // where no address is given
	ExampleURL string                   // of a server of one's own
	NormalPath func(path string) string // the path without what the SDK adds, and with what people leave out
	Hint       string                   // what to look at when an answer cannot be read, as a sentence
}

// Parse reads an address as people write it.
func (d Endpoint) Parse(text string) (Address, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		text = d.DefaultURL
	}
	if !strings.Contains(text, "://") {
		text = guessScheme(text) + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return Address{}, fmt.Errorf("the model's address must look like %s or %s", d.DefaultURL, d.ExampleURL)
	}
	u.RawQuery, u.Fragment, u.RawPath = "", "", ""
	u.Path = d.NormalPath(strings.TrimRight(u.Path, "/"))
	return Address{Base: strings.TrimRight(u.String(), "/") + "/", Name: providerName(u)}, nil
}

// scheme guesses what somebody left out: names without a dot, local names and
// numbers are machines of one's own, which rarely have certificates.
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

// own reports whether a name is one that only a machine or a network of one's own has.
func isLocalName(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal")
}

// Check refuses a model's address that people may not set: one that is not
// http or https, or holds a name, a password or a query; and, unless private,
// one of this machine or its network. It looks no name up: where a name leads
// is looked at when it is dialled, see [Client].
func CheckBaseURL(baseURL string, private bool) error {
	u, err := url.Parse(baseURL)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("a model's address must begin with http:// or https:// and name a host")
	case u.User != nil:
		return fmt.Errorf("a model's address must hold no name and no password; the key has its own field")
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
