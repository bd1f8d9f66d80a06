package main

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// unwanted is what no file of ours may say. The patterns are put together from
// halves, so that this file does not say it either.
var unwanted = map[string]*regexp.Regexp{
	"a path of somebody's machine": regexp.MustCompile(
		`(?m)(^|[\s"'=(` + "`" + `:])/(wor` + `k|roo` + `t|hom` + `e/[a-z]|User` + `s/[A-Za-z]|tm` + `p/[a-z])[/\w]`,
	),
	"the host of a package registry": regexp.MustCompile(
		`(?i)(prox` + `y\.golang|su` + `m\.golang|registr` + `y\.(npmjs|yarnpkg)|` +
			`deb\.debia` + `n|pyp` + `i\.org|crate` + `s\.io)`,
	),
	"a note to come back later":      regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`),
	"a conflict that was not solved": regexp.MustCompile(`(?m)^(<<<<` + `<<< |>>>>` + `>>> |====` + `===$)`),
	"text that stands in for text":   regexp.MustCompile(`(?i)lore` + `m ips` + `um`),
	"a key": regexp.MustCompile(
		`\bsk-[A-Za-z0-9_-]{24,}|-----BEGI` + `N [A-Z ]*PRIVAT` + `E KEY`,
	),
	"who wrote it": regexp.MustCompile(
		`(?i)co-author` + `ed-by|generated (by|with) (an? )?(ai|llm|claud` + `e|copilo` + `t|chatgp` + `t)\b`,
	),
	"a file outside the repository": regexp.MustCompile(`\.\./share` + `d\b`),
}

func TestTextSaysNothingItMustNot(t *testing.T) {
	t.Parallel()
	for _, file := range files(t) {
		text := read(t, file)
		if vendored(file) || bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		if !utf8.Valid(text) && !strings.Contains(file, "testdata/") {
			t.Errorf("%s is not UTF-8", file)
		}
		for what, pattern := range unwanted {
			if strings.HasSuffix(file, "_test.go") && what == "text that stands in for text" {
				continue
			}
			for _, hit := range pattern.FindAllIndex(text, -1) {
				line := 1 + bytes.Count(text[:hit[0]], []byte("\n"))
				t.Errorf("%s:%d holds %s: %q", file, line, what, text[hit[0]:hit[1]])
			}
		}
	}
}

// TestUnwantedFinds holds the patterns to what they are for.
func TestUnwantedFinds(t *testing.T) {
	for what, line := range map[string]string{
		"a path of somebody's machine":   `x := "/wor` + `k/main/go.mod"`,
		"the host of a package registry": `see https://registr` + `y.npmjs.org/htmx`,
		"a note to come back later":      `// TO` + `DO: more`,
		"a conflict that was not solved": `<<<<` + `<<< HEAD`,
		"text that stands in for text":   `Lore` + `m ips` + `um dolor`,
		"a key":                          `key = sk-` + strings.Repeat("a", 30),
		"who wrote it":                   `Co-author` + `ed-by: X`,
		"a file outside the repository":  `see ../share` + `d/x.md`,
	} {
		if !unwanted[what].MatchString(line) {
			t.Errorf("%s is not found in %q", what, line)
		}
	}
	if len(unwanted) != 8 {
		t.Errorf("%d patterns, 8 are tried", len(unwanted))
	}
}

// vendored reports whether a file is somebody else's, kept as it came.
func vendored(file string) bool {
	return strings.Contains(file, "/vendor/") || strings.Contains(file, "/temml/") || strings.Contains(file, "/axe/") ||
		path.Base(file) == "go.sum"
}
