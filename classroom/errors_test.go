package classroom

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// allErrors is the closed list of errors.go.
var allErrors = []*Error{
	ErrNotFound, ErrSignIn, ErrLinkEnded, ErrLinkRight, ErrLinkValidity, ErrManyLinks, ErrHasAccount,
	ErrCrossSite, ErrUsedLink,
	ErrNoOwner, ErrOwnerExists, ErrPersonName,
	ErrNameTaken, ErrMethod, ErrBadRequest, ErrTooLarge, ErrClosing, ErrInternal, ErrEmptyText, ErrTextTooLong,
	ErrBadDelivery, ErrBadClientID, ErrBadOption, ErrClientIDReused, ErrBarrier, ErrNothingToResume, ErrQueueChanged,
	ErrLeaseLost, ErrBadCursor, ErrBadLimit, ErrBadFork, ErrBadTitle, ErrBadMode, ErrBadRounds, ErrFewAgents,
	ErrBadRoster, ErrAgentName, ErrAgentPersona, ErrAgentLook, ErrAgentTools, ErrAim, ErrWithheld, ErrManner,
	ErrDuplicateName, ErrFileTooLarge, ErrFilesTooLarge, ErrTooManyFiles, ErrFileType, ErrFileEmpty,
	ErrFileEncoding, ErrEmptyPaste, ErrModelAddress, ErrModelScheme, ErrModelPrivate, ErrModelPlain, ErrModelProvider,
	ErrModelName, ErrModelKey, ErrModelKeyLost, ErrModelThinking, ErrModelPrice, ErrModelLimit, ErrModelCurrency,
	ErrModelUnknown, ErrModelUnnamed, ErrRuleLine, ErrBadSpeakers, ErrNothingToLift,
}

// sharedCodes are those that several sentences share: a program acts on the code,
// a person on the sentence.
var sharedCodes = map[string]bool{"bad_roster": true, "bad_rules": true, "empty_text": true, "file_too_large": true}

// A code for programs is used once, and so is the key of a sentence; templates/locale
// checks that each key has one.
func TestErrorCodes(t *testing.T) {
	source, err := os.ReadFile("errors.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), "= &Error{Code:"); n != len(allErrors) {
		t.Errorf("errors.go has %d errors, %d are looked at", n, len(allErrors))
	}
	code := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	seen, keys := map[string]bool{}, map[string]bool{}
	for _, e := range allErrors {
		if !code.MatchString(e.Code) || seen[e.Code] && !sharedCodes[e.Code] || keys[e.Key()] {
			t.Errorf("the code %q is malformed or used twice", e.Code)
		}
		seen[e.Code], keys[e.Key()] = true, true
		if status := e.HTTPStatus(); status < 400 || status > 599 {
			t.Errorf("%s: %d is not the status of an error", e.Code, status)
		}
		if e.Message != "" || e.Error() != e.Code {
			t.Errorf("%s: as a Go error it is %q", e.Code, e.Error())
		}
	}
}
