package web

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestPlacesAreWholeNumbers(t *testing.T) {
	w := newWebServer(t)
	at := "/api/sessions/" + w.session(nil) + "/events?"
	for _, q := range []string{"after=%zz", "after=0&after=x", "after=-1"} {
		if code, _ := w.ask("GET", at+q, ""); code != http.StatusBadRequest {
			t.Error(q, code)
		}
	}
	r := w.open(at + "after=99999999999999999999")
	defer r.close()
	r.until("reset")
}

func TestWrongMethodNamesTheRight(t *testing.T) {
	w := newWebServer(t)
	for path, want := range map[string]string{"/ask": "POST", "/api/classes": "GET, HEAD, POST"} {
		resp := w.request("OPTIONS", path, "")
		resp.Body.Close()
		if resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != want {
			t.Error(path, resp.StatusCode, resp.Header.Get("Allow"))
		}
	}
	if code, _ := w.ask("OPTIONS", "/nowhere", ""); code != http.StatusNotFound {
		t.Error(code)
	}
}

func TestHalfSentBodyIsCut(t *testing.T) {
	w := newWebServer(t, func(o *Options) { o.BodyLimit = 50 * time.Millisecond })
	c, err := net.Dial("tcp", strings.TrimPrefix(w.http.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "POST /api/classes HTTP/1.1\r\nHost: x\r\n"+
		"Authorization: Bearer "+testToken+"\r\nContent-Length: 99\r\n\r\n{")
	b, _ := io.ReadAll(c) // for ever, where the server waited
	if !strings.HasPrefix(string(b), "HTTP/1.1 400 ") {
		t.Fatalf("%s", b)
	}
}
