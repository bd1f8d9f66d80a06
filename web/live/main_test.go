package live

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// The clock of the library that colours code ends by itself, a moment after its last use.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}
