package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// An Endpoint says how to reach one kind of server.
type Endpoint struct {
	Protocol   string                   // the first half of a model's name
	DefaultURL string                   // if no address is given
	ExampleURL string                   // of a local server
	NormalPath func(path string) string // adds to a path what users leave out, and removes what follows the base
	AskPath    string                   // of a request, below the base URL
	ListPath   string                   // of the list of models
	Header     map[string]string        // of every request
	KeyHeader  string                   // a second field for the key, except at the default address
	Hint       string                   // a sentence for users, for an answer that cannot be parsed
}

// Options say which model to ask, and where.
type Options struct {
	BaseURL    string       // "" means the endpoint's default; a final "/v1" may be omitted
	Key        string       // "" for servers without keys
	Model      string       // as the provider names it
	HTTP       *http.Client // nil means a client for slow answers; see Client
	PublicOnly bool         // connect to no address of this machine or its network; see CheckBaseURL and Client
}

// errNoModel reports that the options name no model.
var errNoModel = errors.New("no model is named; set the model as its provider names it, " +
	"such as llama3.2 or claude-sonnet-5")

// A Server is a provider at an address, and what was observed about it.
type Server struct {
	Provider
	Official     bool // it is at the endpoint's default address
	Vendor       Vendor
	Capabilities Capabilities

	endpoint Endpoint
	base     string // ends in a slash
	client   *http.Client
}

// Resolve returns the server and model that the options describe. It sends nothing.
func Resolve(e Endpoint, o Options) (*Server, error) {
	s, err := resolve(e, o)
	if err == nil && s.Model == "" {
		return nil, errNoModel
	}
	return s, err
}

func resolve(e Endpoint, o Options) (*Server, error) {
	at, err := e.Parse(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := CheckBaseURL(at.Base, !o.PublicOnly); err != nil {
		return nil, err
	}
	key, err := checkKey(o.Key)
	if err != nil {
		return nil, err
	}
	client, err := Client(o.HTTP, o.PublicOnly)
	if err != nil {
		return nil, err
	}
	host := hostOf(at.Base)
	return &Server{
		Provider: Provider{Name: at.Name, Key: key, Model: strings.TrimSpace(o.Model), Hint: e.Hint},
		Official: host == hostOf(e.DefaultURL), Vendor: vendorAt(host),
		endpoint: e, base: at.Base, client: client,
	}, nil
}

// ModelName returns "protocol:model".
func (s *Server) ModelName() string { return s.endpoint.Protocol + ":" + s.Model }

// checkKey returns key as it is sent, or an error that does not contain it.
func checkKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("the model's key contains characters that no key has; copy it again")
	}
	return key, nil
}

// open sends a request and returns the body of the answer. body is nil for GET.
func (s *Server) open(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	var content io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		content = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, content)
	if err != nil {
		return nil, err
	}
	s.setHeader(req.Header)
	res, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	if err := s.checkResponse(res); err != nil {
		res.Body.Close()
		return nil, err
	}
	return res.Body, nil
}

func (s *Server) setHeader(h http.Header) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	h.Set("User-Agent", "colloquy")
	for name, value := range s.endpoint.Header {
		h.Set(name, value)
	}
	if s.Key == "" {
		return
	}
	h.Set("Authorization", "Bearer "+s.Key)
	if name := s.endpoint.KeyHeader; name != "" && !s.Official {
		h.Set(name, s.Key)
	}
}
