package openai

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// An address is where a provider listens, and what to call it.
type address struct {
	base string
	name string // fits in the middle of a sentence
}

var errAddress = errors.New("the model's address must look like https://api.openai.com/v1 or http://localhost:11434/v1")

func parseAddress(text string) (address, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		text = "https://api.openai.com/v1"
	}
	if !strings.Contains(text, "://") {
		text = scheme(text) + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return address{}, errAddress
	}
	u.RawQuery, u.Fragment = "", ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	u.RawPath = ""
	if u.Path == "" {
		u.Path = "/v1"
	}
	return address{base: u.String() + "/", name: providerName(u)}, nil
}

// scheme guesses what somebody left out: names without a dot, local names and
// numbers are machines of one's own, which rarely have certificates.
func scheme(text string) string {
	host, _, _ := strings.Cut(text, "/")
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if net.ParseIP(strings.Trim(host, "[]")) != nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") {
		return "http://"
	}
	return "https://"
}

var providers = map[string]string{
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
	if name := providers[strings.ToLower(u.Hostname())]; name != "" {
		return name
	}
	if name := localPorts[u.Port()]; name != "" {
		return name + " at " + u.Host
	}
	return "the model server at " + u.Host
}

// client returns c with its redirects held to one host, or a client for slow
// answers: a model on a small machine may think for minutes before its first
// byte, so only the steps before that have short limits.
func client(c *http.Client) *http.Client {
	held := http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 5 * time.Minute,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConnsPerHost:   16,
		ForceAttemptHTTP2:     true,
	}}
	if c != nil {
		held = *c
	}
	held.CheckRedirect = sameHost
	return &held
}

// sameHost follows a redirect only where the key may go and the question goes
// along; any other is shown as the answer it is.
func sameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	same := next.URL.Scheme == first.URL.Scheme && next.URL.Host == first.URL.Host
	if !same || next.Method != first.Method || len(via) > 3 {
		return http.ErrUseLastResponse
	}
	return nil
}
