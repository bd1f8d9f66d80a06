package wire

import (
	"errors"
	"net/http"
	"strings"
)

// Options say which model to ask, and where.
type Options struct {
	BaseURL    string       // "" means the endpoint's default; a final "/v1" may be omitted
	Key        string       // "" for servers without keys
	Model      string       // as the provider names it
	HTTP       *http.Client // nil means a client for slow answers; see Client
	PublicOnly bool         // connect to no address of this machine or its network; see CheckBaseURL and Client
}

// ErrNoModel reports that the options name no model.
var ErrNoModel = errors.New("no model is named; set the model as its provider names it, " +
	"such as llama3.2 or claude-sonnet-5")

// A Server is a provider with its base URL and an HTTP client for it.
type Server struct {
	Provider
	Base string // ends in a slash
	HTTP *http.Client
}

// Resolve returns the server that the options describe. It sends nothing.
func Resolve(e Endpoint, o Options) (Server, error) {
	at, err := e.Parse(o.BaseURL)
	if err != nil {
		return Server{}, err
	}
	if err := CheckBaseURL(at.Base, !o.PublicOnly); err != nil {
		return Server{}, err
	}
	key, err := checkKey(o.Key)
	if err != nil {
		return Server{}, err
	}
	client, err := Client(o.HTTP, o.PublicOnly)
	if err != nil {
		return Server{}, err
	}
	p := Provider{Name: at.Name, Key: key, Model: strings.TrimSpace(o.Model), Hint: e.Hint}
	return Server{Provider: p, Base: at.Base, HTTP: client}, nil
}

// checkKey returns key as it is sent, or an error that does not contain it.
func checkKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("the model's key contains characters that no key has; copy it again")
	}
	return key, nil
}
