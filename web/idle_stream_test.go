//go:build !race

package web

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"strings"
	"testing"
)

// An idle stream costs at most 30 KiB, with net/http's own buffers and stacks.
func TestIdleStreamIsSmall(t *testing.T) {
	w := newWebServer(t)
	id := w.session(nil)
	address := strings.TrimPrefix(w.http.URL, "http://")
	w.dial(address, id).Close() // what the first stream makes, it makes for all
	before := held()
	const streams = 500
	for range streams {
		defer w.dial(address, id).Close()
	}
	if each := int64(held()-before) / streams; each > 30<<10 {
		t.Errorf("an idle stream holds %.1f KiB, at most 30 may be", float64(each)/1024)
	} else {
		t.Logf("an idle stream holds %.1f KiB", float64(each)/1024)
	}
}

// dial opens a stream by hand and reads to its caught_up.
func (w *webServer) dial(address, id string) net.Conn {
	w.t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		w.t.Fatal(err)
	}
	fmt.Fprintf(c, "GET /api/sessions/%s/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", id, testToken)
	in := bufio.NewReaderSize(c, 512)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			w.t.Fatal(err)
		}
		if bytes.Contains(line, []byte("caught_up")) {
			return c
		}
	}
}
