package web

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A sse is one frame.
type sse struct{ event, id, data, comment string }

// A reader reads frames from one connection.
type reader struct {
	t    testing.TB
	resp *http.Response
	in   *bufio.Reader
	stop context.CancelFunc
	late atomic.Bool // nothing ended the stream within readLimit
}

// open connects to a stream; headers are "Name: value".
func (w *webServer) open(path string, headers ...string) *reader {
	w.t.Helper()
	client := &http.Client{Transport: w.http.Client().Transport}
	return w.openAs(client, path, append([]string{"Authorization: Bearer " + testToken}, headers...)...)
}

func (w *webServer) openAs(client *http.Client, path string, headers ...string) *reader {
	w.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", w.http.URL+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := client.Do(r)
	if err != nil {
		stop()
		w.t.Fatal(err)
	}
	rd := &reader{t: w.t, resp: resp, in: bufio.NewReader(resp.Body), stop: stop}
	limit := time.AfterFunc(readLimit, func() {
		rd.late.Store(true)
		stop()
	})
	w.t.Cleanup(func() {
		limit.Stop()
		rd.close()
	})
	return rd
}

// readLimit is how long a test may keep a stream open.
const readLimit = time.Minute

func (r *reader) close() {
	r.stop()
	r.resp.Body.Close()
}

// next returns the next frame; io.EOF at the stream's end.
func (r *reader) next() (sse, error) {
	var f sse
	data := false
	for {
		line, err := r.in.ReadString('\n')
		if r.late.Load() {
			r.t.Fatalf("the stream was neither ended nor closed within %v", readLimit)
		}
		if err != nil {
			return f, err
		}
		line = strings.TrimSuffix(line, "\n")
		if strings.Contains(line, "\r") {
			return f, fmt.Errorf("a carriage return in %q", line)
		}
		if line == "" {
			return f, nil
		}
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "" && ok:
			f.comment = ":" + value
		case name == "event":
			f.event = value
		case name == "id":
			f.id = value
		case name == "data":
			if data {
				f.data += "\n"
			}
			f.data, data = f.data+value, true
		default:
			return f, fmt.Errorf("the line %q is no field of a frame", line)
		}
	}
}

// until reads up to the control frame with a name, and returns the frames before it.
func (r *reader) until(name string) (met []sse, last sse) {
	r.t.Helper()
	for {
		f, err := r.next()
		if err != nil {
			r.t.Fatalf("the stream ended before %s: %v (after %d frames)", name, err, len(met))
		}
		if f.event == name && f.id == "" {
			return met, f
		}
		met = append(met, f)
	}
}

// withID keeps the frames that have an id.
func withID(frames []sse) []sse {
	var out []sse
	for _, f := range frames {
		if f.id != "" {
			out = append(out, f)
		}
	}
	return out
}
