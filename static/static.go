// Package static serves what a browser fetches besides pages: the style sheet, the
// script, fonts and icons, all embedded in the program.
//
// # Addresses
//
// [URL] returns the address of an asset, which contains a hash of its content, so
// browsers may cache it for ever: a new version has a new address. The plain name is
// served too, with no-cache.
//
// # Bundles
//
// The page loads one style sheet (colloquy.css) and one script (colloquy.js);
// bundle.go lists their files.
//
// # Concurrency
//
// Everything is read at start and does not change.
//
// # Not here
//
// Nothing is fetched from a network. Files under vendor/ are copies of published
// releases with their licences; vendor.sha256 has their sums.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Prefix is the path under which [Handler] expects to be mounted.
const Prefix = "/static/"

// An asset is one file as it is served.
type asset struct {
	name   string // its plain name
	hashed string // its name with the hash of its content
	mime   string
	body   []byte
	zipped func() []byte // gzip of body, or nil where that does not help
}

// A library finds assets by plain and by hashed name.
type library struct {
	plain  map[string]*asset
	hashed map[string]*asset
}

var served = loadLibrary()

// URL returns the address of the asset of that name, such as "colloquy.css"
// or "vendor/atkinson/latin.woff2". It panics if there is no such
// asset, which is a bug.
func URL(name string) string {
	a, ok := served.plain[name]
	if !ok {
		panic("static: no asset named " + name)
	}
	return Prefix + a.hashed
}

// Handler serves the assets below [Prefix].
func Handler() http.Handler { return http.HandlerFunc(serve) }

func serve(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, Prefix)
	a, immutable := served.hashed[name]
	if !immutable {
		a = served.plain[name]
	}
	if a == nil {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.mime)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if immutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body, etag := a.body, `"`+a.hashed+`"`
	if zipped := a.zipped(); zipped != nil && acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body, etag = zipped, `"`+a.hashed+`.gz"`
	}
	h.Set("ETag", etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// acceptsGzip reports whether r accepts gzip. "gzip;q=0" refuses it.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if coding != "gzip" && coding != "*" {
			continue
		}
		weight = strings.TrimSpace(weight)
		return weight != "q=0" && !strings.HasPrefix(weight, "q=0.0")
	}
	return false
}

func (l *library) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	a := &asset{
		name:   name,
		hashed: strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext,
		mime:   contentType(ext),
		body:   body,
	}
	a.zipped = sync.OnceValue(func() []byte { return zip(a) })
	l.plain[name], l.hashed[a.hashed] = a, a
}

func contentType(ext string) string {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	case ".svg":
		return "image/svg+xml"
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "text/plain; charset=utf-8"
}

// zip compresses an asset. It returns nil for fonts, which are compressed already,
// and where gzip does not help.
func zip(a *asset) []byte {
	if strings.HasSuffix(a.name, ".woff2") {
		return nil
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := w.Write(a.body); err != nil {
		return nil
	}
	if err := w.Close(); err != nil || out.Len() >= len(a.body) {
		return nil
	}
	return out.Bytes()
}
