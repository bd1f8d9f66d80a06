package static

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

func get(t *testing.T, address string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, address, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestHashedURLIsImmutable(t *testing.T) {
	address := URL("colloquy.css")
	if address == Prefix+"colloquy.css" || !strings.HasPrefix(address, Prefix+"colloquy.") {
		t.Fatalf("address %q has no hash", address)
	}
	r := get(t, address)
	if got, want := r.Header.Get("Cache-Control"), "public, max-age=31536000, immutable"; got != want {
		t.Errorf("Cache-Control %q, want %q", got, want)
	}
	if got := r.Header.Get("Content-Type"); got != "text/css; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	plain := get(t, Prefix+"colloquy.css")
	if plain.Header.Get("Cache-Control") != "no-cache" || plain.StatusCode != http.StatusOK {
		t.Errorf("plain name: status %d, Cache-Control %q", plain.StatusCode, plain.Header.Get("Cache-Control"))
	}
	if again := get(t, address, "If-None-Match", r.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("same ETag answered with %d, want 304", again.StatusCode)
	}
}

func TestGzipIsTheSameFile(t *testing.T) {
	address := URL("colloquy.js")
	zipped := get(t, address, "Accept-Encoding", "br, gzip")
	if got := zipped.Header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("Content-Encoding %q, want gzip", got)
	}
	r, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	plain := get(t, address)
	if body(t, r) != body(t, plain.Body) {
		t.Error("the compressed script is another than the plain one")
	}
	if zipped.Header.Get("ETag") == plain.Header.Get("ETag") {
		t.Error("both forms have the same ETag")
	}
	for _, refused := range []string{"gzip;q=0", "br", "identity"} {
		if got := get(t, address, "Accept-Encoding", refused).Header.Get("Content-Encoding"); got != "" {
			t.Errorf("Accept-Encoding %q answered with %q", refused, got)
		}
	}
	font := get(t, URL("vendor/atkinson/latin.woff2"), "Accept-Encoding", "gzip")
	if got := font.Header.Get("Content-Encoding"); got != "" {
		t.Errorf("a font was compressed again: %q", got)
	}
}

func TestNothingElseIsServed(t *testing.T) {
	names := []string{"", "js/stream.js", "vendor.sha256", "../go.mod", "static.go", "colloquy.000000000000.js"}
	for _, name := range names {
		if got := get(t, Prefix+name).StatusCode; got != http.StatusNotFound {
			t.Errorf("%q answered with %d, want 404", name, got)
		}
	}
}

// The compressed script and style sheet stay small, for slow networks in schools.
func TestWireBudget(t *testing.T) {
	for name, most := range map[string]int{"colloquy.js": 40_000, "colloquy.css": 16_000} {
		r := get(t, URL(name), "Accept-Encoding", "gzip")
		if n := len(body(t, r.Body)); n > most {
			t.Errorf("%s is %d bytes on the wire, want at most %d", name, n, most)
		}
	}
}

// Every file of the folders is in a bundle, and every listed file exists.
func TestBundlesAreWhole(t *testing.T) {
	for folder, listed := range map[string][]string{"js": scripts, "css": sheets} {
		names, err := fs.Glob(embedded, folder+"/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if !slices.Contains(listed, name) {
				t.Errorf("%s is in no bundle", name)
			}
		}
		for _, name := range listed {
			if _, err := embedded.ReadFile(name); err != nil {
				t.Errorf("%s is listed and missing", name)
			}
		}
	}
}

// A plain URL left in the bundle would break the caching of fonts.
func TestSheetHasHashedURLs(t *testing.T) {
	css := string(served.plain["colloquy.css"].body)
	for _, found := range plainURL.FindAllString(css, -1) {
		if _, ok := served.hashed[strings.TrimPrefix(found, Prefix)]; !ok {
			t.Errorf("the style sheet asks for %s, which is not there", found)
		}
	}
	for _, foreign := range []string{"http://", "https://", "//fonts"} {
		if strings.Contains(css, "url("+foreign) || strings.Contains(css, `url("`+foreign) {
			t.Errorf("the style sheet fetches from %s", foreign)
		}
	}
}

// Vendored files are the published ones, and each has its licence beside it.
func TestVendoredFiles(t *testing.T) {
	sums, err := os.Open("vendor.sha256")
	if err != nil {
		t.Fatal(err)
	}
	defer sums.Close()
	want := map[string]string{}
	for lines := bufio.NewScanner(sums); lines.Scan(); {
		sum, name, _ := strings.Cut(lines.Text(), "  ")
		want[path.Clean(name)] = sum
	}
	err = fs.WalkDir(embedded, "vendor", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(b)
		key := strings.TrimPrefix(name, "vendor/")
		if want[key] != hex.EncodeToString(sum[:]) {
			t.Errorf("%s is not what vendor.sha256 says", name)
		}
		if _, err := embedded.ReadFile(path.Join(path.Dir(name), "LICENSE")); err != nil {
			t.Errorf("%s has no LICENSE beside it", name)
		}
		delete(want, key)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		t.Errorf("vendor.sha256 names %s, which is missing", name)
	}
}

func TestSpriteHasEveryIcon(t *testing.T) {
	sprite := Sprite()
	if len(Icons()) < 20 {
		t.Fatalf("%d icons", len(Icons()))
	}
	for _, name := range Icons() {
		if !strings.Contains(sprite, `<symbol id="i-`+name+`"`) {
			t.Errorf("the sprite lacks %s", name)
		}
	}
	for _, bad := range []string{"<script", "style=", "onload", "<!--"} {
		if strings.Contains(sprite, bad) {
			t.Errorf("the sprite holds %q", bad)
		}
	}
}

func BenchmarkHandler(b *testing.B) {
	address := URL("colloquy.js")
	r := httptest.NewRequest(http.MethodGet, address, nil)
	r.Header.Set("Accept-Encoding", "gzip")
	for b.Loop() {
		Handler().ServeHTTP(httptest.NewRecorder(), r)
	}
}
