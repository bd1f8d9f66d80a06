package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"colloquy/classroom/address"
)

var errPrivate = errors.New("a model's address must not be one of this machine or its network; " +
	"whoever runs the server can allow it")

// Client returns a copy of c that follows redirects only on the same host. Where c
// is nil it returns a client for slow answers: a model on a small machine may take
// minutes to its first byte, so only the steps before that have short timeouts.
//
// With publicOnly the client connects to no address of this machine or its network,
// whatever a host name resolves to, and uses no proxy, which would resolve names
// itself. The transport of c must be nil or an *http.Transport then.
func Client(c *http.Client, publicOnly bool) (*http.Client, error) {
	client := http.Client{}
	if c != nil {
		client = *c
	} else {
		client.Transport = newTransport(http.ProxyFromEnvironment, nil)
	}
	client.CheckRedirect = followSameHost
	if !publicOnly {
		return &client, nil
	}
	switch t := client.Transport.(type) {
	case nil:
		client.Transport = newTransport(nil, refuseNonPublic)
	case *http.Transport:
		t = t.Clone()
		t.Proxy, t.DialTLSContext, t.DialContext = nil, nil, dialWith(refuseNonPublic)
		client.Transport = t
	default:
		return nil, errors.New("this HTTP client cannot be limited to public addresses")
	}
	return &client, nil
}

type dialControl = func(network, address string, _ syscall.RawConn) error

func newTransport(proxy func(*http.Request) (*url.URL, error), c dialControl) *http.Transport {
	return &http.Transport{
		Proxy:                 proxy,
		DialContext:           dialWith(c),
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 5 * time.Minute,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConnsPerHost:   16,
		ForceAttemptHTTP2:     true,
	}
}

func dialWith(c dialControl) func(ctx context.Context, network, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Control: c}).DialContext
}

// refuseNonPublic checks each resolved address just before it is dialled.
func refuseNonPublic(_, dialled string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(dialled)
	if err != nil || address.OfIP(at.Addr()) != address.Public {
		return errPrivate
	}
	return nil
}

// followSameHost follows a redirect only to the same host, which may receive the
// key, and with the same method, so that the body is sent again. Any other redirect
// is returned as the answer.
func followSameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	same := next.URL.Scheme == first.URL.Scheme && next.URL.Host == first.URL.Host
	if !same || next.Method != first.Method || len(via) > 3 {
		return http.ErrUseLastResponse
	}
	return nil
}
