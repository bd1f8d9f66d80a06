package address

import (
	"net/netip"
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	for place, hosts := range map[Place][]string{
		Public: {
			"api.openai.com", "API.OpenAI.com.", "x.example", "8.8.8.8", "93.184.216.34", "[2606:2800:220:1::1]",
			"2606:2800:220:1::1", "::ffff:8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1", "192.169.0.1",
			"134744072", "0x08.0x08.0x08.0x08", "010.0.0.1", "homearpa.example", "local.example", "notlocalhost.org",
			"xn--bcher-kva.example", "bücher.example", "1.example", "127.0.0.1.example",
		},
		Loopback: {
			"localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "::ffff:127.0.0.1",
			"[::FFFF:7f00:1]", "::1%lo", "2130706433", "0x7f.1", "0x7F000001", "127.1", "017700000001", "0177.0.0.01",
			"127.0.0.1.", "１２７.０.０.１", "127。0。0。1", "ｌｏｃａｌｈｏｓｔ",
		},
		Private: {
			"", ".", "router", "printer.local", "Printer.LOCAL.", "db.internal", "nas.lan", "nas.home", "nas.home.arpa",
			"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "0.0.0.0", "0.1.2.3",
			"100.64.0.1", "100.127.255.254", "192.0.0.8", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
			"::", "fe80::1", "fe80::1%eth0", "[fe80::1%25eth0]", "fd00::1", "fc00::1", "fec0::1", "ff02::1",
			"::ffff:10.0.0.1", "::ffff:100.64.0.1", "::ffff:0.0.0.1", "fec0::1%eth0",
			"::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "0xa.1", "10.1", "3232235777",
			"0300.0250.1.1", "1.2.3.4.5", "999.1.1.1", "256.256.256.256", "x.example.0x1", "08.0.0.1", "a.b.9",
		},
	} {
		for _, host := range hosts {
			if got := Of(host); got != place {
				t.Errorf("%q is %d, want %d", host, got, place)
			}
		}
	}
}

func TestWithScheme(t *testing.T) {
	for given, want := range map[string]string{
		"a.example/v1": "https://a.example/v1", "a.example:8443": "https://a.example:8443",
		"8.8.8.8": "https://8.8.8.8", "[2606:2800:220:1::1]:1/v1": "https://[2606:2800:220:1::1]:1/v1",
		"localhost:11434/v1": "http://localhost:11434/v1", "[::1]:8080": "http://[::1]:8080",
		"10.0.0.1/v1": "http://10.0.0.1/v1", "nas.home.arpa": "http://nas.home.arpa", "router": "http://router",
		"http://a.example": "http://a.example", "https://10.0.0.1": "https://10.0.0.1", "": "http://",
	} {
		if got := WithScheme(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}

// FuzzOf: every spelling of an IP address has the place of the address, and the case,
// the brackets and a dot at the end make no difference.
func FuzzOf(f *testing.F) {
	f.Add("127.0.0.1", uint32(0x7f000001))
	f.Add("[::ffff:10.0.0.1]", uint32(0x0a000001))
	f.Add("0x7f.1", uint32(0x08080808))
	f.Add("a.Home.ARPA.", uint32(0))
	f.Fuzz(func(t *testing.T, host string, bits uint32) {
		want := Of(host)
		if want == Public && !strings.ContainsAny(normalise(host), ".:") && !isNumber(normalise(host)) {
			t.Errorf("%q has no dot and is public", host)
		}
		if got := Of(strings.ToLower(host)); got != want {
			t.Errorf("%q is %d, in lower case %d", host, want, got)
		}
		if !strings.HasSuffix(host, ".") && !strings.HasSuffix(host, "]") && host != "" {
			if got := Of(host + "."); got != want && !strings.Contains(host, ":") {
				t.Errorf("%q is %d, with a dot %d", host, want, got)
			}
		}
		ip := netip.AddrFrom4([4]byte{byte(bits >> 24), byte(bits >> 16), byte(bits >> 8), byte(bits)})
		place := OfIP(ip)
		for _, spelling := range spellings(bits) {
			if got := Of(spelling); got != place {
				t.Errorf("%s as %q is %d, want %d", ip, spelling, got, place)
			}
		}
	})
}
