package main

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Whoever keeps the program running reads these files; each link in them leads
// somewhere.
func TestDocumentLinksLead(t *testing.T) {
	seen := 0
	for _, file := range files(t) {
		if !strings.HasSuffix(file, ".md") || !document(file) {
			continue
		}
		text := string(read(t, file))
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			seen++
			if why := dead(t, file, text, m[1]); why != "" {
				t.Errorf("%s links to %s: %s", file, m[1], why)
			}
		}
	}
	if seen == 0 {
		t.Error("no document links to anything")
	}
}

func document(file string) bool {
	return !strings.Contains(file, "/") || strings.HasPrefix(file, "docs/")
}

func dead(t *testing.T, file, text, target string) string {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		return "it is no address"
	}
	if u.Scheme != "" {
		return ""
	}
	if u.Path != "" {
		to := path.Join(path.Dir(file), u.Path)
		if _, err := os.Stat(filepath.Join(root(t), filepath.FromSlash(to))); err != nil {
			return "there is no " + to
		}
		if !strings.HasSuffix(to, ".md") {
			return ""
		}
		text = string(read(t, to))
	}
	if u.Fragment != "" && !anchors(text)[u.Fragment] {
		return "there is no heading for #" + u.Fragment
	}
	return ""
}

// anchors are the fragments that a page of Markdown has, one for each heading.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		title := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		id := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
				return r
			}
			return -1
		}, title)
		out[id] = true
	}
	return out
}
