package wire

import (
	"errors"
	"net/http"
	"strings"
)

// Options say which model to ask, and where.
type Options struct {
	BaseURL    string       // "" is the provider's own; "/v1" at its end may stand or not, where that is all of its path
	Key        string       // "" sends none, as local servers want it
	Model      string       // as the provider names it
	HTTP       *http.Client // nil is a client made for slow answers; any client's redirects are held to one host
	PublicOnly bool         // reach no address of this machine or its network; see Check and Client
}

// ErrNoModel says that the options name no model.
var ErrNoModel = errors.New("no model is named; set the model as its provider names it, such as llama3.2 or claude-sonnet-5")

// A Server is a provider with the means to reach it.
type Server struct {
	Provider
	Base string // ends in a slash
	HTTP *http.Client
}

// Reach reads what people set about a server. It sends nothing.
func Resolve(d Endpoint, o Options) (Server, error) {
	at, err := d.Parse(o.BaseURL)
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
	held, err := Client(o.HTTP, o.PublicOnly)
	if err != nil {
		return Server{}, err
	}
	p := Provider{Name: at.Name, Key: key, Model: strings.TrimSpace(o.Model), Hint: d.Hint}
	return Server{Provider: p, Base: at.Base, HTTP: held}, nil
}

// checkKey returns key as it is sent, or an error that does not hold it.
func checkKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("the model's key holds characters that no key has; copy it again")
	}
	return key, nil
}
