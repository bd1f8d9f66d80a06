package web

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"colloquy/classroom"
)

// TestStreamOverEveryProtocol: only over HTTP/1.1 is a stream's connection taken
// from net/http; a reader must not see a difference.
func TestStreamOverEveryProtocol(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	path := "/api/sessions/" + id + "/events"
	secure := httptest.NewUnstartedServer(w.web.Handler())
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	get := func(base string, client *http.Client) io.ReadCloser {
		r, err := http.NewRequest("GET", base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+testToken)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return resp.Body
	}
	old := httpOne(t, w.http.Listener.Addr(), path)
	defer old.Close()
	bodies := map[string]io.ReadCloser{
		"HTTP/1.1": get(w.http.URL, w.http.Client()), "HTTP/2": get(secure.URL, secure.Client()), "HTTP/1.0": old,
	}
	change := classroom.Draft{Payload: classroom.TitleChange{Title: "Later", By: "test"}}
	if _, err := w.store.Append(t.Context(), id, 0, change); err != nil {
		t.Fatal(err)
	}
	lines := map[string]*bufio.Scanner{}
	for protocol, body := range bodies {
		lines[protocol] = bufio.NewScanner(body)
		for lines[protocol].Scan() && !strings.Contains(lines[protocol].Text(), "Later") {
		}
	}
	w.web.CloseStreams("shutdown")
	for protocol, body := range bodies {
		last := ""
		for lines[protocol].Scan() {
			if text := lines[protocol].Text(); text != "" {
				last = text
			}
		}
		if err := lines[protocol].Err(); err != nil || last != `data: {"reason":"shutdown"}` {
			t.Errorf("%s: the stream ended with %q, %v", protocol, last, err)
		}
		body.Close()
	}
}

// httpOne asks for a path as an old proxy does, and returns what comes after the headers.
func httpOne(t *testing.T, to net.Addr, path string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", to.String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.0\r\nAuthorization: Bearer %s\r\n\r\n", path, testToken); err != nil {
		t.Fatal(err)
	}
	return conn
}
