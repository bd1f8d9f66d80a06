package main

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

// errorRules are what only some files may contain: every error for people has its code,
// its status and the key of its sentence in classroom/errors.go, those of model servers
// are mapped there by package agents, and web answers with what it is given.
var errorRules = []struct {
	what    *regexp.Regexp
	in      string // the folder that the rule is for; empty: all
	allowed func(file string) bool
	instead string
}{
	{
		regexp.MustCompile(`classroom\.Error\{|new\(classroom\.Error\)`), "",
		func(string) bool { return false },
		"makes an error for people; move it to classroom/errors.go",
	},
	{
		regexp.MustCompile(`classroom\.Model(Server|Answer)Error\(`), "",
		func(file string) bool { return path.Dir(file) == "agents" },
		"maps an error of a model's server; package agents does that",
	},
	{
		regexp.MustCompile(`http\.Error\(|http\.Status(Bad|Unauthorized|Forbidden|NotFound|Method|Conflict|Gone|` +
			`Precondition|RequestEntity|Unsupported|Unprocessable|TooMany|Internal|Service|Gateway)`), "web",
		func(file string) bool { return file == "web/health.go" }, // read by programs that watch this one
		"chooses the status of an error; take one from classroom/errors.go",
	},
}

// TestErrorsForPeopleStandInOnePlace checks the rules.
func TestErrorsForPeopleStandInOnePlace(t *testing.T) {
	for _, file := range files(t) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		text := read(t, file)
		for _, rule := range errorRules {
			if !strings.HasPrefix(file, rule.in) || rule.allowed(file) {
				continue
			}
			if at := rule.what.FindIndex(text); at != nil {
				t.Errorf("%s:%d %s", file, 1+strings.Count(string(text[:at[0]]), "\n"), rule.instead)
			}
		}
	}
}
