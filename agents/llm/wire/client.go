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
)

var errPrivate = errors.New("a model's address must not be one of this machine or its network; whoever runs the server can allow it")

// Client returns c with its redirects held to one host, or, where c is nil, a
// client for slow answers: a model on a small machine may think for minutes
// before its first byte, so only the steps before that have short limits.
//
// With publicOnly it connects to no address of this machine or its network,
// whatever a name leads to at that moment, and asks no proxy, which would look
// names up by itself. c's transport has to be nil or an *http.Transport then.
func Client(c *http.Client, publicOnly bool) (*http.Client, error) {
	held := http.Client{}
	if c != nil {
		held = *c
	} else {
		held.Transport = newTransport(http.ProxyFromEnvironment, nil)
	}
	held.CheckRedirect = followSameHost
	if !publicOnly {
		return &held, nil
	}
	switch t := held.Transport.(type) {
	case nil:
		held.Transport = newTransport(nil, refuseNonPublic)
	case *http.Transport:
		t = t.Clone()
		t.Proxy, t.DialTLSContext, t.DialContext = nil, nil, dialWith(refuseNonPublic)
		held.Transport = t
	default:
		return nil, errors.New("this HTTP client cannot be held to public addresses")
	}
	return &held, nil
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

// onlyPublic looks at each address that a name led to, just before it is dialled.
func refuseNonPublic(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !isPublic(at.Addr()) {
		return errPrivate
	}
	return nil
}

// kept are the networks that are not public, beyond those that netip knows.
var nonPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // between a provider and its customers
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/32"), // an IPv4 address inside
	netip.MustParsePrefix("2002::/16"),    // the same
	netip.MustParsePrefix("fec0::/10"),
}

func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	for _, p := range nonPublic {
		if p.Contains(ip) {
			return false
		}
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate()
}

// sameHost follows a redirect only where the key may go and the question goes
// along; any other is shown as the answer it is.
func followSameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	same := next.URL.Scheme == first.URL.Scheme && next.URL.Host == first.URL.Host
	if !same || next.Method != first.Method || len(via) > 3 {
		return http.ErrUseLastResponse
	}
	return nil
}
