package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"colloquy/classroom"
)

// The documents name what there is, and all of it. Each test compares one of
// them with the thing itself.

func TestDocumentsNameTheRoutes(t *testing.T) {
	route := regexp.MustCompile(`"((?:GET|POST|PATCH|DELETE) (?:/api/|/healthz|/readyz|/metrics)[^"]*)"`)
	named := regexp.MustCompile(`(?:GET|POST|PATCH|DELETE) (?:/api/[\w/{}]*|/healthz|/readyz|/metrics)`)
	compare(t, "docs/api.md", "web/routes.go",
		found(named, string(read(t, "docs/api.md"))), found(route, string(read(t, "web/routes.go"))))
}

func TestDocumentsNameTheEvents(t *testing.T) {
	doc := string(read(t, "docs/events.md"))
	for _, kind := range classroom.Types() {
		if !strings.Contains(doc, "`"+string(kind)+"`") {
			t.Errorf("docs/events.md does not speak of %s", kind)
		}
	}
}

func TestDocumentsNameTheTargets(t *testing.T) {
	targets := found(regexp.MustCompile(`(?m)^([a-z]+):`), string(read(t, "Makefile")))
	for _, doc := range []string{"README.md", "CONTRIBUTING.md", "docs/operating.md", "docs/api.md"} {
		for _, target := range found(regexp.MustCompile("(?m)(?:^|`)make ([a-z]+)"), string(read(t, doc))) {
			if !slices.Contains(targets, target) {
				t.Errorf("%s names make %s, which does nothing", doc, target)
			}
		}
	}
	ci, readme := string(read(t, ".ci/run")), string(read(t, "README.md"))
	if !strings.Contains(ci, "COLLOQUY_BROWSER=required make test") || !strings.Contains(readme, "\nmake test\n") {
		t.Error(".ci/run does not run the README's test command")
	}
}

func TestDocumentsNameTheSettings(t *testing.T) {
	clearEnv(t)
	help, _, err := say(t, "serve", "--help")
	if err != nil {
		t.Fatal(err)
	}
	help = strings.ReplaceAll(help, "--[no-]", "--")
	table, _, _ := strings.Cut(string(read(t, "docs/operating.md")), "## The data folder")
	setting := regexp.MustCompile(`(--[a-z]+|(?:COLLOQUY|OPENAI|ANTHROPIC)_[A-Z_]+)`)
	compare(t, "docs/operating.md", "serve --help", found(setting, table), found(setting, help))
}

// compare reports what one side has and the other has not.
func compare(t *testing.T, doc, thing string, named, real []string) {
	t.Helper()
	if len(real) == 0 {
		t.Fatalf("nothing was found in %s", thing)
	}
	for _, x := range real {
		if !slices.Contains(named, x) {
			t.Errorf("%s does not speak of %s", doc, x)
		}
	}
	for _, x := range named {
		if !slices.Contains(real, x) {
			t.Errorf("%s speaks of %s, which %s does not have", doc, x, thing)
		}
	}
}

// found returns the distinct matches of a pattern, or of its first group.
func found(pattern *regexp.Regexp, text string) []string {
	set := map[string]bool{}
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		set[m[len(m)-1]] = true
	}
	return slices.Sorted(maps.Keys(set))
}
