package static

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

//go:embed css/*.css js/*.js vendor favicon.svg
var embedded embed.FS

// scripts are the parts of colloquy.js, in the order they run. One deferred
// script keeps that order by itself: htmx looks for its extensions once, in a
// task of its own after the script that holds them.
var scripts = []string{
	"vendor/htmx/htmx.min.js",
	"vendor/htmx/hx-sse.min.js",
	"vendor/htmx/hx-upsert.min.js",
	"js/page.js",
	"js/folds.js",
	"js/tabs.js",
	"js/stream.js",
	"js/composer.js",
	"js/mention.js",
	"js/scroll.js",
	"js/copy.js",
	"js/countdown.js",
}

// sheets are the parts of colloquy.css. Every sheet of ours names its layer;
// code.css, generated from the highlighter's styles, comes last and may be absent.
var sheets = []string{
	"css/tokens.css",
	"css/base.css",
	"css/layout.css",
	"css/parts.css",
	"css/card.css",
	"css/prose.css",
	"css/composer.css",
	"css/pages.css",
	"css/models.css",
	"css/states.css",
	"css/print.css",
	"css/code.css",
}

func load() *library {
	l := &library{plain: map[string]*asset{}, hashed: map[string]*asset{}}
	err := fs.WalkDir(embedded, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !servedAlone(name) {
			return err
		}
		body, err := embedded.ReadFile(name)
		if err == nil {
			l.add(name, body)
		}
		return err
	})
	if err != nil { // an embedded tree is always readable
		panic(err)
	}
	l.add("colloquy.js", bundle(scripts, ";\n"))
	l.add("colloquy.css", l.addresses(bundle(sheets, "\n")))
	return l
}

// servedAlone reports whether a file has an address of its own; the rest
// reaches the browser in a bundle or in the page.
func servedAlone(name string) bool {
	ext := path.Ext(name)
	return ext == ".woff2" || name == "favicon.svg"
}

var sourceMap = regexp.MustCompile(`(?m)^//# sourceMappingURL=.*$`)

func bundle(names []string, between string) []byte {
	var out bytes.Buffer
	for _, name := range names {
		body, err := embedded.ReadFile(name)
		if err != nil {
			continue
		}
		out.Write(sourceMap.ReplaceAll(body, nil))
		out.WriteString(between)
	}
	return out.Bytes()
}

var address = regexp.MustCompile(`/static/[\w./-]+`)

// addresses puts hashed addresses in the place of plain ones in a style sheet.
func (l *library) addresses(css []byte) []byte {
	return address.ReplaceAllFunc(css, func(plain []byte) []byte {
		if a, ok := l.plain[strings.TrimPrefix(string(plain), Prefix)]; ok {
			return []byte(Prefix + a.hashed)
		}
		return plain
	})
}
