package openai

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

var eventLine = regexp.MustCompile(`(?s)^data: (\{.*\}?|\[DONE\].*)$`)

func normal(t *testing.T, r io.Reader) string {
	t.Helper()
	out, err := io.ReadAll(newEventBody(io.NopCloser(r)))
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return string(out)
}

// U03, U04: whatever comes, the SDK sees one data line an event; how it comes,
// and which line ends it uses, makes no difference.
func FuzzEventBody(f *testing.F) {
	f.Add([]byte(llmtest.Data(text("a"), finish("stop"), done)))
	f.Add([]byte("\xef\xbb\xbfdata:{\"a\":1}\r\rdata: {\r\ndata: }\r\n\r\n: x\n\nevent: error\ndata: no\n\n{\"error\":\"x\"}\n{\n \"a\": [\n]}\n"))
	f.Add([]byte("data: {\"error\":null}\ndata: [DONE]"))
	f.Add([]byte("event: error\ndata: no\n\ndata: {\"a\":\ndata: 1}\n\n{\n \"b\": 1\n}\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		out := normal(t, bytes.NewReader(body))
		for _, event := range strings.Split(strings.TrimSuffix(out, "\n\n"), "\n\n") {
			if out != "" && (!eventLine.MatchString(event) || strings.ContainsAny(event, "\r\n")) {
				t.Errorf("event %q", event)
			}
		}
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
		if got := normal(t, strings.NewReader("\xef\xbb\xbf"+string(body))); got != out && !bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
			t.Errorf("with a BOM: %q, without: %q", got, out)
		}
	})
}

// U02: however a text is cut into JSON strings, escaped or not, it comes out whole.
func FuzzLetters(f *testing.F) {
	f.Add("課🌍é\n\"\\\u2028", uint8(1), true)
	f.Add("a🌍🌍", uint8(3), false)
	f.Fuzz(func(t *testing.T, s string, size uint8, escaped bool) {
		if !utf8.ValidString(s) {
			return
		}
		var whole, pieces letters
		if got := whole.read(quote(s)); got != s {
			t.Errorf("at once: %q, want %q", got, s)
		}
		got := ""
		for _, piece := range cuts(s, int(size)+1, escaped) {
			part := pieces.read(piece)
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

// cuts makes JSON strings of the units of s: its bytes, or its UTF-16 escapes.
func cuts(s string, size int, escaped bool) []string {
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

// Any bytes in place of a JSON string: no panic, and valid text.
func FuzzLettersOfAnything(f *testing.F) {
	f.Add(`"\ud83c"`, `"\u12"`)
	f.Add("\"\xf0\x9f\"", `"\`)
	f.Fuzz(func(t *testing.T, a, b string) {
		var l letters
		if got := l.read(a) + l.read(b); !utf8.ValidString(got) {
			t.Errorf("got %q", got)
		}
	})
}

// V09: where an answer is cut makes no difference, and nothing is lost.
func FuzzThinker(f *testing.F) {
	f.Add(" <think>plan</think>\nvisible", uint8(0))
	f.Add("<thinking", uint8(2))
	f.Fuzz(func(t *testing.T, s string, size uint8) {
		split := func(size int) (thinking, answer string) {
			var th thinker
			for i := 0; i < len(s); i += size {
				a, b := th.split(s[i:min(i+size, len(s))])
				thinking, answer = thinking+a, answer+b
			}
			a, b := th.flush()
			return thinking + a, answer + b
		}
		a, b := split(len(s) + 1)
		// Line breaks after the closing tag are cut off as far as they come with it.
		c, d := split(int(size) + 1)
		if a != c || strings.TrimLeft(b, "\r\n") != strings.TrimLeft(d, "\r\n") {
			t.Errorf("at once: %q and %q, in pieces: %q and %q", a, b, c, d)
		}
		if !strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), openTag) && b != s {
			t.Errorf("%q became %q", s, b)
		}
	})
}

// V04: any fragments give calls that are numbered without gaps and named once.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 1, 0, 3, 3, 255, 0, 0, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		c := newCalls(llm.Request{})
		ids, named := map[string]bool{}, 0
		take := func(events []llm.Event) {
			for _, e := range events {
				switch {
				case e.ID != "" && (ids[e.ID] || e.Index != named):
					t.Errorf("call %d with id %s after %d calls", e.Index, e.ID, named)
				case e.ID != "":
					ids[e.ID] = true
					named++
				case e.Index >= named:
					t.Errorf("arguments for call %d of %d", e.Index, named)
				}
			}
		}
		for ; len(script) >= 4; script = script[4:] {
			take(c.add(fragment{
				number: int(script[0]%4) - 1,
				id:     []string{"", "a", "b", "c d"}[script[1]%4],
				name:   []string{"", "f", "g"}[script[2]%3],
				args:   []string{"", `""`, `"{}"`, `"{\"a\""`, `":1}"`, `null`, `{"a":1}`}[script[3]%7],
			}))
		}
		take(c.release(true))
		if named != len(c.list) {
			t.Errorf("%d calls, %d made known", len(c.list), named)
		}
	})
}

// V14: any body of a refusal gives an error for people, without the key.
func FuzzComplaint(f *testing.F) {
	f.Add(429, []byte(`{"error":{"message":"slow down `+testKey+`","code":429}}`))
	f.Add(0, []byte(`[{"error":"x"}]`))
	f.Add(302, []byte("<html>"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		m, err := New(Options{BaseURL: "http://127.0.0.1:1", Key: testKey, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		c := complaintOf(body)
		if status != 0 {
			c.status = 300 + status&255
		}
		e := trouble(t, m.explain(c))
		if len(e.Message) > 300 || len(e.Error()) > 300+4*maxReason+100 {
			t.Errorf("%d bytes: %s", len(e.Error()), e)
		}
	})
}
