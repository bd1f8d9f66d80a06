package classroom

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// allErrors is the closed list of errors.go.
var allErrors = []*Error{
	ErrNotFound, ErrSignIn, ErrForbidden, ErrCrossSite, ErrEmptyText, ErrTextTooLong, ErrBadRequest, ErrBadDelivery, ErrBadClientID,
	ErrBadCursor, ErrBadLimit, ErrBadFork, ErrClientIDReused, ErrBarrier, ErrNothingToResume, ErrQueueChanged, ErrLeaseLost, ErrClosing,
	ErrDuplicateName, ErrFileTooLarge, ErrFileType, ErrFileEmpty, ErrFileEncoding, ErrBadMode, ErrBadRounds, ErrFewAgents, ErrBadTitle, ErrBadRoster, ErrInternal,
}

// TestErrorsSpeakToPeople: a stable code for programs that is used once, and
// whole sentences for people.
func TestErrorsSpeakToPeople(t *testing.T) {
	source, err := os.ReadFile("errors.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), "= &Error{"); n != len(allErrors) {
		t.Errorf("errors.go has %d errors, %d are looked at", n, len(allErrors))
	}
	code, seen := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`), map[string]bool{}
	for _, e := range allErrors {
		if !code.MatchString(e.Code) || seen[e.Code] {
			t.Errorf("the code %q is malformed or used twice", e.Code)
		}
		seen[e.Code] = true
		if !strings.HasSuffix(e.Message, ".") || len(e.Message) < 20 {
			t.Errorf("%s: %q is no sentence", e.Code, e.Message)
		}
		if got := e.Error(); got != e.Code+": "+e.Message {
			t.Errorf("as a Go error it is %q", got)
		}
	}
}
