package openai

import (
	"strings"
	"testing"

	"colloquy/agents/llm"
)

// The chunking of an answer makes no difference, and only tags are removed.
func FuzzThinkParser(f *testing.F) {
	f.Add(" <think>plan</think>\nvisible", uint8(0), false)
	f.Add("<thinking", uint8(2), false)
	f.Add("plan</think>\n\nvisible", uint8(1), true)
	f.Add("plan `</think>` </think>\n\nvisible </think>", uint8(1), false)
	f.Add("a\n```go\n</think>\n``` x\n```\nb <think>c</think> ``d` </think>``\r\n </think> \n\ne", uint8(3), true)
	f.Add(strings.Repeat("plan ", 100)+"so.</think>grün", uint8(7), true)
	f.Fuzz(func(t *testing.T, s string, cut uint8, hold bool) {
		s = strings.ToValidUTF8(s, "?")
		split := func(size int) (thinking, answer string) {
			th := thinkParser{holdBack: hold}
			take := func(events []llm.Event) {
				for _, e := range events {
					switch e.Kind {
					case llm.ThinkingDelta:
						thinking += e.Text
					case llm.TextDelta:
						answer += e.Text
					case llm.Rethink:
						thinking, answer = thinking+answer, ""
					}
				}
			}
			for runes := []rune(s); len(runes) > 0; {
				n := min(size, len(runes))
				take(th.feed(string(runes[:n])))
				runes = runes[n:]
			}
			take(th.flush(true))
			return thinking, answer
		}
		a, b := split(len(s) + 1)
		c, d := split(int(cut) + 1)
		if a != c || b != d {
			t.Errorf("at once: %q and %q, in pieces: %q and %q", a, b, c, d)
		}
		if !strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), openTag) && !strings.Contains(s, closeTag) && b != s {
			t.Errorf("%q became %q", s, b)
		}
		if len(a)+len(b) > len(s) {
			t.Errorf("%q became %q and %q", s, a, b)
		}
	})
}

// Any fragments become calls that are numbered without gaps and named once.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 1, 0, 3, 3, 255, 0, 0, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		c := newCallAssembler(llm.Request{})
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
