package prose

import (
	"fmt"
	"strings"
)

// metering is put before Temml. It counts the steps of a formula and stops one that takes too many.
const metering = `var steps = 0, maxSteps = 0;
function spend(n) { steps += n; if (steps > maxSteps) throw "too many steps"; }
`

// meters are the places in Temml that all work passes through. A builder that makes an argument twice doubles the work
// at each level of nesting, and a macro may repeat its argument; both show as steps, which are the same on every
// machine. Measured over all commands, a step takes at most 5 µs of CPU on a small server.
var meters = []struct{ place, metered string }{
	{"lex(){", "lex(){spend(8);"}, // a regular expression for each token
	{"pushToken(e){", "pushToken(e){spend(1);"},
	{"pushTokens(e){", "pushTokens(e){spend(e.length);"},
	{"ge=function(t,r){", "ge=function(t,r){spend(1);"},                         // builds a group
	{"class C{constructor(e,t,r,n){", "class C{constructor(e,t,r,n){spend(1);"}, // an element
	{"class N{constructor(e){", "class N{constructor(e){spend(1+(e.length>>4));"},
	{`return e+="</"+this.type+">",e}`, `return e+="</"+this.type+">",spend(e.length>>4),e}`}, // writes an element
}

// metered returns Temml's source with its meters. A release of Temml in which a place is not found is refused.
func metered(source string) (string, error) {
	for _, m := range meters {
		if n := strings.Count(source, m.place); n != 1 {
			return "", fmt.Errorf("meter temml: %d places %q", n, m.place)
		}
		source = strings.Replace(source, m.place, m.metered, 1)
	}
	return metering + source, nil
}
