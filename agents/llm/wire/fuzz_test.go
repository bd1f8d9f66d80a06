package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// normal returns the events of a body, one a line, and the error event that ends them.
func normal(t *testing.T, r io.Reader) string {
	t.Helper()
	events := NewEventReader(r)
	for out := ""; ; {
		event, err := events.Next()
		var reported *eventError
		switch {
		case err == io.EOF:
			return out
		case errors.As(err, &reported):
			return out + "{error " + string(reported.data) + "}\n"
		case err != nil:
			t.Fatalf("read: %v", err)
		case len(event) == 0 || event[0] != '{' || bytes.ContainsAny(event, "\r\n"):
			t.Errorf("event %q", event)
		}
		out += string(event) + "\n"
	}
}

// Any body has the same events for every chunking and line ending.
func FuzzEventBody(f *testing.F) {
	f.Add([]byte("data: {\"a\":\"b\"}\n\ndata: {}\n\ndata: [DONE]\n\n"))
	f.Add([]byte("\xef\xbb\xbfdata:{\"a\":1}\r\rdata: {\r\ndata: }\r\n\r\n: x\n\nevent: error\ndata: no\n\n" +
		"{\"error\":\"x\"}\n{\n \"a\": [\n]}\n"))
	f.Add([]byte("data: {\"error\":null}\ndata: [DONE]"))
	f.Add([]byte("event: error\ndata: no\n\ndata: {\"a\":\ndata: 1}\n\n{\n \"b\": 1\n}\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		out := normal(t, bytes.NewReader(body))
		if got := normal(t, iotest.OneByteReader(bytes.NewReader(body))); got != out {
			t.Errorf("byte by byte: %q, at once: %q", got, out)
		}
		if bytes.ContainsRune(body, '\r') {
			return
		}
		for _, end := range []string{"\r", "\r\n"} {
			if got := normal(t, bytes.NewReader(bytes.ReplaceAll(body, []byte("\n"), []byte(end)))); got != out {
				t.Errorf("with %q: %q, with LF: %q", end, got, out)
			}
		}
		if got := normal(t, strings.NewReader("\xef\xbb\xbf"+string(body))); got != out &&
			!bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
			t.Errorf("with a BOM: %q, without: %q", got, out)
		}
	})
}

// A text that is split into JSON strings anywhere, escaped or not, is decoded
// completely.
func FuzzJSONTextDecoder(f *testing.F) {
	f.Add("課🌍é\n\"\\\u2028", uint8(1), true)
	f.Add("a🌍🌍", uint8(3), false)
	f.Add(`a\ud83c`, uint8(20), false)
	f.Add(`a\\ud83c🌍`, uint8(0), true)
	f.Fuzz(func(t *testing.T, s string, size uint8, escaped bool) {
		if !utf8.ValidString(s) {
			return
		}
		var whole, pieces JSONTextDecoder
		if got := whole.Decode(quote(s)); got != s {
			t.Errorf("at once: %q, want %q", got, s)
		}
		got := ""
		for _, piece := range split(s, int(size)+1, escaped) {
			part := pieces.Decode(piece)
			if !utf8.ValidString(part) {
				t.Errorf("piece %q gives %q", piece, part)
			}
			got += part
		}
		if got != s {
			t.Errorf("in pieces: %q, want %q", got, s)
		}
	})
}

// split returns JSON strings of the units of s: its bytes or its UTF-16 escapes.
func split(s string, size int, escaped bool) []string {
	var units []string
	if escaped {
		for _, r := range s {
			units = append(units, escapes(r)...)
		}
	} else {
		for i := range len(s) {
			unit := s[i : i+1]
			if unit[0] < ' ' || unit == `"` || unit == `\` {
				unit = strings.Trim(quote(unit), `"`)
				if s[i] == '"' {
					unit = `\"`
				}
			}
			units = append(units, unit)
		}
	}
	var out []string
	for i := 0; i < len(units); i += size {
		out = append(out, `"`+strings.Join(units[i:min(i+size, len(units))], "")+`"`)
	}
	return out
}

const hex = "0123456789abcdef"

func escapes(r rune) []string {
	one := func(v rune) string {
		return `\u` + string([]byte{hex[v>>12&15], hex[v>>8&15], hex[v>>4&15], hex[v&15]})
	}
	if r < 0x10000 {
		return []string{one(r)}
	}
	r -= 0x10000
	return []string{one(0xd800 + r>>10), one(0xdc00 + r&0x3ff)}
}

// Any bytes instead of a JSON string: no panic, and valid text.
func FuzzJSONTextDecoderBytes(f *testing.F) {
	f.Add(`"\ud83c"`, `"\u12"`)
	f.Add("\"\xf0\x9f\"", `"\`)
	f.Fuzz(func(t *testing.T, a, b string) {
		var l JSONTextDecoder
		if got := l.Decode(a) + l.Decode(b); !utf8.ValidString(got) {
			t.Errorf("got %q", got)
		}
	})
}

// Any error response becomes an error for users without the key.
func FuzzAPIError(f *testing.F) {
	f.Add(429, []byte(`{"error":{"message":"slow down sk-test-5ecret-key","code":429}}`))
	f.Add(0, []byte(`[{"error":"x"}]`))
	f.Add(302, []byte("<html>"))
	p := Provider{Name: "the model server at 127.0.0.1:1", Key: "sk-test-5ecret-key", Model: "m"}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		c := parseAPIError(body)
		if status != 0 {
			c.status = 300 + status&255
		}
		e := p.explainAPIError(c)
		if e.Fault == "" || !strings.HasPrefix(e.Message, "The model server at ") ||
			strings.Contains(e.Error(), p.Key) {
			t.Errorf("%s: %s", e.Fault, e)
		}
		if len(e.Message) > 300 || len(e.Error()) > 300+4*maxDetail+100 {
			t.Errorf("%d bytes: %s", len(e.Error()), e)
		}
	})
}
