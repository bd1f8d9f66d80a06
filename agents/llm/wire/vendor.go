package wire

import (
	"net/url"
	"strings"

	"colloquy/classroom/provider"
)

// A Vendor is a known provider on the internet. The zero Vendor is an unknown server.
type Vendor struct {
	Title        string
	NineCharIDs  bool // it accepts only call ids of nine letters and digits
	NewTokenName bool // it prefers max_completion_tokens to max_tokens
}

// vendors are the known vendors, by host.
var vendors = map[string]Vendor{
	"openrouter.ai":                     {Title: "OpenRouter"},
	"generativelanguage.googleapis.com": {Title: "Google Gemini"},
	"api.mistral.ai":                    {Title: "Mistral", NineCharIDs: true},
	"api.groq.com":                      {Title: "Groq"},
	"api.deepseek.com":                  {Title: "DeepSeek"},
	"api.together.xyz":                  {Title: "Together"},
	"ollama.com":                        {Title: "Ollama"},
	hostOf(provider.OpenAI.DefaultURL):  {Title: provider.OpenAI.Title, NewTokenName: true},
}

// vendorAt returns the vendor at a host. A provider is one at its default address.
func vendorAt(host string) Vendor {
	if v, ok := vendors[host]; ok {
		return v
	}
	for _, p := range provider.All() {
		if host == hostOf(p.DefaultURL) {
			return Vendor{Title: p.Title}
		}
	}
	return Vendor{}
}

// localPorts are the default ports of local servers, for their names in errors only.
var localPorts = map[string]string{"11434": "Ollama", "1234": "LM Studio"}

// hostOf returns the host of a URL in lower case, without its port.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// serverName returns a server's name for users.
func serverName(u *url.URL) string {
	if v := vendorAt(hostOf(u.String())); v != (Vendor{}) {
		return v.Title
	}
	if name := localPorts[u.Port()]; name != "" {
		return name + " at " + u.Host
	}
	return "the model server at " + u.Host
}
