package main

import (
	"slices"
	"strings"
	"testing"
)

// mayImport lists the imports that are allowed; the longest matching prefix applies.
// Packages of one row may import each other.
var mayImport = map[string][]string{
	"classroom/address":  nil,
	"classroom/provider": nil,
	"classroom/text":     nil,
	"classroom/material": {"classroom/text"},
	"classroom/search":   {"classroom/text"},
	"classroom/citation": {"classroom", "classroom/text"},
	"classroom/withheld": {"classroom", "classroom/text"},

	"classroom":    {"classroom/provider"},
	"agents/llm":   {"classroom/address", "classroom/provider", "classroom/text"},
	"static":       nil,
	"store":        {"classroom", "classroom/material", "classroom/search", "classroom/text"},
	"agents/floor": {"classroom"},
	"agents": {
		"classroom", "classroom/citation", "classroom/text", "classroom/withheld", "agents/llm", "agents/floor",
		"agents/ladder",
	},
	"agents/ladder": {"classroom/text"},
	"templates":     {"classroom", "classroom/provider", "static"},
	"web/live":      {"classroom", "templates"},
	"web": {
		"classroom", "classroom/address", "classroom/provider", "classroom/withheld", "templates", "static", "web/live",
	},
	"cmd": {
		"classroom", "classroom/address", "classroom/citation", "classroom/provider", "agents/llm", "static", "store",
		"agents", "templates",
		"web",
	},
}

// testsMayImport is what the tests of a row may know beyond it: a promise is
// best shown against the real thing.
var testsMayImport = map[string][]string{
	"agents": {"store"},
	"web":    {"store", "agents", "agents/llm"},
}

// only says which rows may import what belongs to one layer.
var only = map[string][]string{
	"database/sql":                {"store"},
	"github.com/mattn/go-sqlite3": {"store"},
	"github.com/pressly/goose/":   {"store"},
	"github.com/alecthomas/kong":  {"cmd"},
	"flag":                        {"cmd"},
	"os/signal":                   {"cmd"},
	"net/http": {
		"web",
		"web/live",
		"static",
		"agents/llm",
		"cmd",
		"templates",
	}, // templates: the names of statuses
	"github.com/gorilla/":  {"web"},
	"github.com/a-h/templ": {"templates", "web", "web/live"},
}

// neverIn says what a row may not import at all: the nouns do no I/O, read no
// clock and draw no chance.
var neverIn = map[string][]string{
	"classroom": doesNothing, "classroom/address": doesNothing, "classroom/provider": doesNothing,
	"classroom/text": doesNothing, "classroom/material": doesNothing, "classroom/search": doesNothing,
}

var doesNothing = []string{
	"os", "io/fs", "io/ioutil", "net", "crypto/rand", "math/rand", "log", "database/", "sync", "context",
}

// exempt are imports below one of neverIn that do no I/O.
var exempt = map[string][]string{
	"classroom/address": {"net/netip"},
	"classroom/search":  {"sync"}, // for what is made once, when it is needed
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		row := rowOf(p.ImportPath)
		if row == "" {
			t.Errorf("package %s stands in no row of the import table", p.ImportPath)
			continue
		}
		for _, to := range p.Imports {
			if why := refused(p.ImportPath, to); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, to, why)
			}
		}
		for _, to := range slices.Concat(p.TestImports, p.XTestImports) {
			if why := refusedInTest(row, to); why != "" {
				t.Errorf("a test of %s imports %s: %s", p.ImportPath, to, why)
			}
		}
	}
}

// TestImportsRefuses tests the rule itself.
func TestImportsRefuses(t *testing.T) {
	for _, arrow := range [][2]string{
		{"web", "colloquy/store"}, {"store", "colloquy/web"}, {"agents", "colloquy/store"},
		{"web", "colloquy/agents/llm"},
		{"classroom", "colloquy/static"}, {"agents/llm", "colloquy/classroom"},
		{"agents/floor", "colloquy/agents/llm"}, {"agents/llm/tutor", "colloquy/agents"},
		{"templates/prose", "colloquy/web"}, {"web", "database/sql"}, {"cmd/colloquy", "database/sql"},
		{"classroom", "os"},
		{"classroom", "net/http"}, {"classroom", "net/netip"}, {"classroom", "math/rand/v2"},
		{"classroom/address", "net"}, {"classroom/address", "net/http"}, {"classroom/address", "net/netip/x"},
		{"classroom/address", "colloquy/classroom"}, {"classroom/provider", "net/netip"},
		{"agents", "colloquy/agents/llm/llmtest"},
		{"web", "github.com/mattn/go-sqlite3"},
		{"web/live", "colloquy/web"}, {"web/live", "colloquy/static"}, {"web/live", "colloquy/store"},
		{"cmd/colloquy", "colloquy/web/live"},
	} {
		if refused(arrow[0], arrow[1]) == "" {
			t.Errorf("%s may import %s", arrow[0], arrow[1])
		}
	}
	for _, arrow := range [][2]string{
		{"web", "colloquy/templates/prose"}, {"web", "colloquy/web/live"},
		{"web/live", "colloquy/templates/prose"}, {"agents", "colloquy/agents/floor"},
		{"agents/llm/tutor", "colloquy/agents/llm"}, {"cmd/colloquy", "colloquy/store"},
		{"store", "database/sql"}, {"store/storetest", "colloquy/classroom"}, {"classroom", "encoding/json"},
		{"classroom", "time"}, {"classroom/address", "net/netip"},
		{"agents/llm/wire", "colloquy/classroom/address"},
		{"web", "colloquy/classroom/address"}, {"templates", "colloquy/classroom/provider"},
	} {
		if why := refused(arrow[0], arrow[1]); why != "" {
			t.Errorf("%s may not import %s: %s", arrow[0], arrow[1], why)
		}
	}
}

// rowOf is the row of the table that a package stands in, or "".
func rowOf(path string) string {
	best := ""
	for row := range mayImport {
		if within(path, row) && len(row) > len(best) {
			best = row
		}
	}
	return best
}

func within(path, top string) bool { return path == top || strings.HasPrefix(path, top+"/") }

// testOnly reports whether a package exists for tests, by its name or by that of
// the one it lies in.
func testOnly(path string) bool {
	return strings.HasSuffix(path, "test") || strings.Contains(path, "test/")
}

// refused says why a package may not import another, or "".
func refused(from, to string) string {
	row, path := rowOf(from), ours(to)
	switch {
	case path == "":
		return refusedOutside(row, to)
	case testOnly(path) && !testOnly(from) && from != "cmd/bench":
		return "that package is for tests"
	case rowOf(path) != row && !slices.Contains(mayImport[row], rowOf(path)):
		return "the import table has no such arrow"
	}
	return ""
}

func refusedOutside(row, to string) string {
	for _, bad := range neverIn[row] {
		if under(to, bad) && !slices.Contains(exempt[row], to) {
			return "this package does no I/O, reads no clock, draws no chance and starts nothing"
		}
	}
	for what, rows := range only {
		if under(to, what) && !slices.Contains(rows, row) {
			return "that belongs to " + strings.Join(rows, ", ")
		}
	}
	return ""
}

// under reports whether an import path is what, or below it.
func under(path, what string) bool {
	return path == what || strings.HasPrefix(path, strings.TrimSuffix(what, "/")+"/")
}

func refusedInTest(row, to string) string {
	path := ours(to)
	allowed := slices.Concat(mayImport[row], testsMayImport[row], []string{row})
	if path == "" || testOnly(path) || slices.Contains(allowed, rowOf(path)) {
		return ""
	}
	return "the import table has no such arrow, for tests neither"
}
