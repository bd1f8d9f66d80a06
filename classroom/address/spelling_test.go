package address

import (
	"fmt"
	"net/netip"
)

// spellings returns the ways to write an IPv4 address.
func spellings(bits uint32) []string {
	a, b, c, d := bits>>24, bits>>16&255, bits>>8&255, bits&255
	ip := netip.AddrFrom4([4]byte{byte(a), byte(b), byte(c), byte(d)})
	mapped := netip.AddrFrom16(ip.As16()).String()
	return []string{
		ip.String(), ip.String() + ".", mapped, "[" + mapped + "]",
		fmt.Sprint(bits), fmt.Sprintf("0x%x", bits), fmt.Sprintf("0%o", bits),
		fmt.Sprintf("%d.%d", a, bits&0xffffff), fmt.Sprintf("0X%X.%d.0%o", a, b, bits&0xffff),
		fmt.Sprintf("0%o.0x%x.%d.%d", a, b, c, d),
	}
}
