package wire

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"colloquy/agents/llm"
	"colloquy/classroom/address"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var endpoint = Endpoint{DefaultURL: "https://api.openai.com/v1", ExampleURL: "http://localhost:11434/v1",
	NormalPath: func(path string) string {
		if path == "" {
			return "/v1"
		}
		return path
	}}

func TestAddresses(t *testing.T) {
	const gemini = "https://generativelanguage.googleapis.com/v1beta/openai/"
	for given, want := range map[string]Address{
		"":                         {"https://api.openai.com/v1/", "OpenAI"},
		"http://localhost:11434":   {"http://localhost:11434/v1/", "Ollama at localhost:11434"},
		"localhost:1234/v1/":       {"http://localhost:1234/v1/", "LM Studio at localhost:1234"},
		"192.168.1.5:8080":         {"http://192.168.1.5:8080/v1/", "the model server at 192.168.1.5:8080"},
		"[::1]:8080/v1":            {"http://[::1]:8080/v1/", "the model server at [::1]:8080"},
		"openrouter.ai/api/v1":     {"https://openrouter.ai/api/v1/", "OpenRouter"},
		" https://x.example/a/b/ ": {"https://x.example/a/b/", "the model server at x.example"},
		gemini:                     {gemini, "Google Gemini"},
	} {
		if got, err := endpoint.Parse(given); err != nil || got != want {
			t.Errorf("%q gives %+v, %v, want %+v", given, got, err, want)
		}
	}
	for _, bad := range []string{"ftp://x.example", "http://", "https://me:pw@x.example/v1", "http://x y/",
		"file:///etc", ":"} {
		if got, err := endpoint.Parse(bad); err == nil || strings.Contains(err.Error(), "pw") {
			t.Errorf("%q gives %+v, %v", bad, got, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, good := range []string{"https://api.openai.com/v1", "http://x.example:8080", "https://93.184.216.34/v1",
		"https://[2606:2800:220:1::1]/"} {
		if err := CheckBaseURL(good, false); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, own := range []string{
		"http://localhost/v1", "http://LOCALHOST.:1/", "http://printer.local", "http://db.internal",
		"http://a.localhost", "http://router",
		"http://127.0.0.1:11434", "http://127.8.8.8", "http://10.0.0.1", "http://172.16.0.1", "http://192.168.1.1",
		"http://169.254.169.254/latest",
		"http://0.0.0.0", "http://100.64.0.1", "http://[::1]", "http://[::]", "http://[fe80::1]", "http://[fd00::1]",
		"http://[::ffff:127.0.0.1]",
		"http://[64:ff9b::7f00:1]", "http://[2002:7f00:1::]", "http://224.0.0.1", "http://255.255.255.255",
		"http://2130706433",
	} {
		if err := CheckBaseURL(own, false); !errors.Is(err, errPrivate) {
			t.Errorf("%s: %v", own, err)
		}
		if err := CheckBaseURL(own, true); err != nil {
			t.Errorf("%s, allowed: %v", own, err)
		}
	}
	for _, bad := range []string{"", "x.example", "ftp://x.example", "file:///etc/passwd", "https://a:b@x.example",
		"https://a@x.example", "https://x.example/?q", "https://x.example?", "https://x.example#f", "http://",
		"unix:///x"} {
		if err := CheckBaseURL(bad, true); err == nil {
			t.Errorf("%q passed", bad)
		}
	}
}

// A host name that resolves to this machine is refused when it is dialled.
func TestPublicOnlyAtDialTime(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "secret")
	}))
	defer s.Close()
	t.Setenv("HTTP_PROXY", s.URL)
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	for name, c := range map[string]*http.Client{"own": nil,
		"given": {Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}}, "default": {}} {
		client, err := Client(c, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range []string{s.URL, "http://localhost" + port} {
			if _, err := client.Get(to); !errors.Is(err, errPrivate) {
				t.Errorf("%s client, %s: %v", name, to, err)
			}
		}
		client.CloseIdleConnections()
		open, err := Client(c, false)
		if err != nil {
			t.Fatal(err)
		}
		res, err := open.Get(s.URL)
		if err != nil {
			t.Fatalf("%s client, allowed: %v", name, err)
		}
		res.Body.Close()
		open.CloseIdleConnections()
	}
	if _, err := Client(&http.Client{Transport: tripper(nil)}, true); err == nil {
		t.Error("a transport that cannot be limited was accepted")
	}
	if address.OfIP(netip.MustParseAddr("fe80::1%eth0")) == address.Public ||
		address.OfIP(netip.MustParseAddr("8.8.8.8")) != address.Public {
		t.Error("public has it wrong")
	}
}

type tripper func(*http.Request) (*http.Response, error)

func (t tripper) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func TestClientTimeouts(t *testing.T) {
	c, err := Client(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	tr := c.Transport.(*http.Transport)
	if c.Timeout != 0 || tr.ResponseHeaderTimeout < 120e9 || tr.TLSHandshakeTimeout == 0 || tr.DialContext == nil {
		t.Errorf("limits: %+v", tr)
	}
	own := &http.Client{}
	if client, err := Client(own, false); err != nil || client == own || own.CheckRedirect != nil {
		t.Error("the caller's client was changed")
	}
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name, value string
			want        time.Duration
		}{
			{"Retry-After", "7", 7 * time.Second},
			{"Retry-After", "0.5", 500 * time.Millisecond},
			{"Retry-After", time.Now().Add(time.Minute).UTC().Format(http.TimeFormat), time.Minute},
			{"Retry-After", time.Now().Add(-time.Minute).UTC().Format(http.TimeFormat), 0},
			{"Retry-After-Ms", "250", 250 * time.Millisecond},
			{"X-RateLimit-Reset-After", "3", 3 * time.Second},
			{"X-RateLimit-Reset", "3", 3 * time.Second},
			{"X-RateLimit-Reset", "6m0s", 6 * time.Minute},
			{"X-RateLimit-Reset", "-1", 0},
			{"Retry-After", "-1", 0},
			{"Retry-After", "NaN", 0},
			{"Retry-After", "soon", 0},
			{"Retry-After", "1e300", 24 * time.Hour},
		} {
			h := http.Header{}
			h.Set(c.name, c.value)
			if got := retryAfter(h); got != c.want {
				t.Errorf("%s: %s gives %v, want %v", c.name, c.value, got, c.want)
			}
		}
	})
}

// An endless line ends with an error.
func TestEndlessLine(t *testing.T) {
	endless := &xs{}
	_, err := NewEventReader(endless).Next()
	if !errors.Is(err, errTooLarge) || endless.read > maxEvent+1<<20 {
		t.Errorf("%v after %d bytes", err, endless.read)
	}
}

// xs reads as the letter x, up to four times maxEvent.
type xs struct{ read int }

func (x *xs) Read(p []byte) (int, error) {
	if x.read > 4*maxEvent {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = 'x'
	}
	x.read += len(p)
	return len(p), nil
}

// A CR ends a line at once, even if no data follows.
func TestCRIsNotHeldBack(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, "data: {}\r\r")
	if event, err := NewEventReader(r).Next(); err != nil || string(event) != "{}" {
		t.Errorf("read %q, %v", event, err)
	}
}

func TestOverflowErrors(t *testing.T) {
	for _, text := range []string{
		// Anthropic
		"prompt is too long: 213462 tokens > 200000 maximum",
		"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
		"request_too_large Request exceeds the maximum size",
		// Bedrock
		"Input is too long for requested model.",
		// OpenAI
		"Your input exceeds the context window of this model. Please adjust your input and try again.",
		// OpenAI, vLLM, DeepSeek, OpenRouter
		"This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
		// OpenAI
		"context_length_exceeded",
		// Gemini
		"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
		// xAI
		"This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
		// Groq
		"Please reduce the length of the messages or completion.",
		// Copilot
		"prompt token count of 138546 exceeds the limit of 128000",
		// llama.cpp
		"the request exceeds the available context size, try increasing it",
		"exceed_context_size_error",
		// LM Studio
		"tokens to keep from the initial prompt is greater than the context length",
		// MiniMax
		"invalid params, context window exceeds limit",
		// Moonshot
		"Invalid request: Your request exceeded model token limit: 262144",
		// Mistral
		"Prompt contains 40014 tokens, too large for model with 32768 maximum context length",
		// Cohere
		"too many tokens: total number of tokens in the prompt cannot exceed 4081",
		// Qwen
		"Range of input length should be [1, 98304]",
		// Ollama
		"prompt too long; exceeded max context length by 12 tokens",
		// TGI
		"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
		// Z.ai
		"model_context_window_exceeded",
		// OpenAI
		"Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.",
		// others
		"token limit exceeded", "string_above_max_length", "request (9000 tokens) exceeds the available context size",
	} {
		if got := (apiError{status: 400, message: text}).fault(); got != llm.TooLong {
			t.Errorf("%q is %s", text, got)
		}
	}
	for _, text := range []string{
		"max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude",
		"max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
		"Too many tokens, please wait before trying again.",
		"Request exceeds the limit of 6000 tokens per minute (TPM)",
		"Unsupported parameter: 'max_tokens'", "messages: text content blocks must be non-empty",
		"tools.0.name: string should match",
	} {
		if got := (apiError{status: 400, message: text, codes: "invalid_request_error"}).fault(); got == llm.TooLong {
			t.Errorf("%q is too long", text)
		}
	}
	for _, c := range []apiError{{status: 413, message: "x"}, {status: 400}} {
		if c.fault() != llm.TooLong {
			t.Errorf("%+v is %s", c, c.fault())
		}
	}
}
