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

// scripts are the files of colloquy.js in the order in which they run. They are one
// deferred script because htmx looks for its extensions once, after the script that
// it is in.
var scripts = []string{
	"vendor/htmx/htmx.min.js",
	"vendor/htmx/hx-sse.min.js",
	"vendor/htmx/hx-upsert.min.js",
	"js/page.js",
	"js/folds.js",
	"js/tabs.js",
	"js/announcements.js",
	"js/stream.js",
	"js/composer.js",
	"js/mention.js",
	"js/scroll.js",
	"js/copy.js",
	"js/countdown.js",
}

// sheets are the files of colloquy.css. Each of ours names its cascade layer;
// code.css has the colours of code and comes last.
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

// loadLibrary reads the embedded files and builds the two bundles.
func loadLibrary() *library {
	l := &library{plain: map[string]*asset{}, hashed: map[string]*asset{}}
	err := fs.WalkDir(embedded, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !hasOwnURL(name) {
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
	l.add("colloquy.css", l.hashURLs(bundle(sheets, "\n")))
	return l
}

// hasOwnURL reports whether a file is served by itself and not in a bundle or a page.
func hasOwnURL(name string) bool {
	ext := path.Ext(name)
	return ext == ".woff2" || name == "favicon.svg"
}

var sourceMap = regexp.MustCompile(`(?m)^//# sourceMappingURL=.*$`)

// bundle joins files, without the source map comments of vendored ones.
func bundle(names []string, separator string) []byte {
	var out bytes.Buffer
	for _, name := range names {
		body, err := embedded.ReadFile(name)
		if err != nil {
			continue
		}
		out.Write(sourceMap.ReplaceAll(body, nil))
		out.WriteString(separator)
	}
	return out.Bytes()
}

var plainURL = regexp.MustCompile(`/static/[\w./-]+`)

// hashURLs replaces plain URLs by hashed ones in a style sheet.
func (l *library) hashURLs(css []byte) []byte {
	return plainURL.ReplaceAllFunc(css, func(plain []byte) []byte {
		if a, ok := l.plain[strings.TrimPrefix(string(plain), Prefix)]; ok {
			return []byte(Prefix + a.hashed)
		}
		return plain
	})
}
