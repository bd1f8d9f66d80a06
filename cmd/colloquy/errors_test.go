package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestErrorsForPeopleStandInOnePlace: every code, its status and its sentence
// are in classroom/errors.go.
func TestErrorsForPeopleStandInOnePlace(t *testing.T) {
	literal := regexp.MustCompile(`classroom\.Error\{(Code: )?"`)
	for _, file := range files(t) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		text := read(t, file)
		if at := literal.FindIndex(text); at != nil {
			t.Errorf("%s:%d makes an error for people; move it to classroom/errors.go", file,
				1+strings.Count(string(text[:at[0]]), "\n"))
		}
	}
}
