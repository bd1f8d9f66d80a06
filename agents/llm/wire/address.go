package wire

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"colloquy/classroom/address"
)

// An Address is the base URL of a provider and the provider's name for users.
type Address struct {
	Base string // ends in a slash
	Name string // as written in the middle of a sentence
}

// Parse reads an address as users write it.
func (e Endpoint) Parse(text string) (Address, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		text = e.DefaultURL
	}
	u, err := url.Parse(address.WithScheme(text))
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return Address{}, fmt.Errorf("the model's address must look like %s or %s", e.DefaultURL, e.ExampleURL)
	}
	u.RawQuery, u.Fragment, u.RawPath = "", "", ""
	u.Path = e.NormalPath(strings.TrimRight(u.Path, "/"))
	return Address{Base: strings.TrimRight(u.String(), "/") + "/", Name: serverName(u)}, nil
}

// CheckBaseURL returns an error for an address that users may not set: one that is
// not http or https, or has a user name, a password or a query; and, unless private
// is set, one of this machine or its network. It resolves no host name: [Client]
// checks the resolved address when it connects.
func CheckBaseURL(baseURL string, private bool) error {
	u, err := url.Parse(baseURL)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("a model's address must begin with http:// or https:// and name a host")
	case u.User != nil:
		return errors.New("a model's address must contain no user name and no password; the key has its own field")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return errors.New("a model's address must end before any ? or #")
	case !private && address.Of(u.Hostname()) != address.Public:
		return errPrivate
	}
	return nil
}
