// Package address says where an address leads, as far as its spelling shows: to this
// machine, to its network, or to the internet. The settings form, the dialler and the
// check of redirects all ask here.
//
// It resolves no name. A public name may resolve to a private address, so whoever
// connects checks the resolved address with [OfIP] as well.
package address

import (
	"net/netip"
	"strconv"
	"strings"
)

// A Place is where an address leads.
type Place int

// The places. What is neither loopback nor public is private: private networks, link-local
// and reserved addresses, groups, and hosts that no resolver should be asked about.
const (
	Public Place = iota
	Private
	Loopback
)

// Of returns the place of a host as it stands in a URL, with or without the brackets
// of an IPv6 address.
func Of(host string) Place {
	host = normalise(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		return OfIP(ip)
	}
	if ip, ok := oldIPv4(host); ok {
		return OfIP(ip)
	}
	return ofName(host)
}

// WithScheme returns an address as people write it, with http:// before it if it leads
// to this machine or its network, where certificates are rare, and with https:// if it
// leads to the internet. An address that has a scheme keeps it.
func WithScheme(address string) string {
	if strings.Contains(address, "://") {
		return address
	}
	host, _, _ := strings.Cut(address, "/")
	if inside, _, ok := strings.Cut(host, "]"); ok {
		host = inside
	} else {
		host, _, _ = strings.Cut(host, ":")
	}
	if Of(host) == Public {
		return "https://" + address
	}
	return "http://" + address
}

// normalise returns a host in lower case, without brackets and without the dot at the
// end. It replaces the wide forms of letters, digits and dots, as resolvers do.
func normalise(host string) string {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	host = strings.Map(func(r rune) rune {
		switch {
		case r == '。' || r == '．' || r == '｡':
			return '.'
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		}
		return r
	}, host)
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// localSuffixes end the names that are valid in one network only.
var localSuffixes = []string{".local", ".internal", ".lan", ".home", ".home.arpa"}

func ofName(host string) Place {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return Loopback
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == host || last == "" || isNumber(last) { // a name that ends in a number is no name
		return Private
	}
	for _, suffix := range localSuffixes {
		if strings.HasSuffix(host, suffix) {
			return Private
		}
	}
	return Public
}

// reserved lists the networks that are not public, beyond those that netip knows.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // between a provider and its customers
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"),        // contains an IPv4 address
	netip.MustParsePrefix("64:ff9b::/32"), // the same
	netip.MustParsePrefix("2002::/16"),    // the same
	netip.MustParsePrefix("fec0::/10"),
}

// OfIP returns the place of an IP address. An IPv4 address that is written as IPv6 is
// the same address.
func OfIP(ip netip.Addr) Place {
	ip = ip.Unmap().WithZone("")
	if ip.IsLoopback() {
		return Loopback
	}
	for _, p := range reserved {
		if p.Contains(ip) {
			return Private
		}
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return Private
	}
	return Public
}

// oldIPv4 reads the spellings of an IPv4 address that the C library accepts: one to
// four numbers, decimal, octal or hexadecimal, of which the last one fills the rest.
func oldIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var bits uint64
	for i, part := range parts {
		size := 8
		if i == len(parts)-1 {
			size = 8 * (5 - len(parts))
		}
		n, err := strconv.ParseUint(part, 0, size)
		if err != nil || !isNumber(part) {
			return netip.Addr{}, false
		}
		bits = bits<<size | n
	}
	return netip.AddrFrom4([4]byte{byte(bits >> 24), byte(bits >> 16), byte(bits >> 8), byte(bits)}), true
}

// isNumber reports whether s consists of digits, or of hexadecimal digits after 0x.
func isNumber(s string) bool {
	if rest, ok := strings.CutPrefix(s, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return s != "" && strings.Trim(s, "0123456789") == ""
}
