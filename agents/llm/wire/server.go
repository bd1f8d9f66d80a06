package wire

import "net/http"

// A Server is a provider's door with the means to reach it.
type Server struct {
	Provider
	Base string // ends in a slash
	HTTP *http.Client
}

// Reach reads what people set about a server. It sends nothing.
func Reach(d Door, address, key string, c *http.Client, publicOnly bool, check string) (Server, error) {
	at, err := d.Parse(address)
	if err != nil {
		return Server{}, err
	}
	if err := Check(at.Base, !publicOnly); err != nil {
		return Server{}, err
	}
	if key, err = CheckKey(key); err != nil {
		return Server{}, err
	}
	held, err := Client(c, publicOnly)
	if err != nil {
		return Server{}, err
	}
	return Server{Provider: Provider{Name: at.Name, Key: key, Check: check}, Base: at.Base, HTTP: held}, nil
}
