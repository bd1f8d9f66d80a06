package llmtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

func post(t *testing.T, u *Upstream) *http.Response {
	t.Helper()
	res, err := http.Post(u.URL+"/v1/x", "application/json", strings.NewReader(`{"q":1}`))
	if err != nil {
		t.Fatalf("post: %v", err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

func TestUpstreamWritesExactlyItsBytes(t *testing.T) {
	text := "a\r\n\x00\xff: \nb"
	for name, a := range map[string]Answer{
		"chunked":   {Body: Bytes(text[:3], "", text[3:])},
		"until EOF": {Framing: UntilEOF, Body: Bytes(text)},
		"dribbled":  {Status: 418, Header: http.Header{"X-A": {"b"}}, Body: EachByte(text)},
	} {
		t.Run(name, func(t *testing.T) {
			u := Serve(t, a)
			res := post(t, u)
			got, err := io.ReadAll(res.Body)
			if err != nil || string(got) != text {
				t.Errorf("read %q, %v", got, err)
			}
			if a.Status != 0 && (res.StatusCode != 418 || res.Header.Get("X-A") != "b") {
				t.Errorf("status %d, headers %v", res.StatusCode, res.Header)
			}
			r := u.Requests()[0]
			if r.Path != "/v1/x" || r.Method != "POST" || string(r.Body) != `{"q":1}` {
				t.Errorf("recorded %+v", r)
			}
		})
	}
}

func TestUpstreamEndsEarly(t *testing.T) {
	u := Serve(t, Answer{Body: Body(Bytes("a"), FIN())}, Answer{Body: Body(Bytes("a"), RST())},
		Answer{Framing: UntilEOF, Body: Body(Bytes("a"), FIN())})
	if _, err := io.ReadAll(post(t, u).Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("FIN in a chunked body: %v", err)
	}
	if _, err := io.ReadAll(post(t, u).Body); !errors.Is(err, syscall.ECONNRESET) &&
		!errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("RST: %v", err)
	}
	if got, err := io.ReadAll(post(t, u).Body); err != nil || string(got) != "a" {
		t.Errorf("FIN where the end of the connection is the end of the body: %q, %v", got, err)
	}
	if res := post(t, u); res.StatusCode != 599 {
		t.Errorf("without an answer left: %d", res.StatusCode)
	}
}

func TestUpstreamResets(t *testing.T) {
	u := Serve(t, Answer{Framing: NoHead, Body: RST()})
	c, err := net.Dial("tcp", strings.TrimPrefix(u.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
	if n, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("read %d bytes, %v, want a reset", n, err)
	}
}

func TestUpstreamNotesThatTheClientLeft(t *testing.T) {
	u := Serve(t, Answer{Body: Body(Bytes("a"), Until(nil))}, Answer{Body: Body(Bytes("a"), Sleep(time.Hour))})
	for n := 1; n <= 2; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		req, _ := http.NewRequestWithContext(ctx, "POST", u.URL, bytes.NewReader(nil))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.ReadFull(res.Body, make([]byte, 1))
		r, err := u.Wait(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-r.Closed():
			t.Fatal("closed before the client left")
		default:
		}
		cancel()
		<-r.Closed()
		res.Body.Close()
	}
}

func TestUpstreamClosesWithoutBlamingTheClient(t *testing.T) {
	u := Serve(t, Answer{Body: Bytes("a")})
	io.ReadAll(post(t, u).Body)
	u.Close()
	select {
	case <-u.Requests()[0].Closed():
		t.Error("the client was reported as gone after the end of the answer")
	default:
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	u := Serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := u.Wait(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
