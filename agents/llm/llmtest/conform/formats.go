package conform

import (
	"reflect"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

func plain(t *testing.T, d Dialect) {
	EveryChunking(t, d, d.Body([]Block{Text("Leaves ", "are green.")}, llm.Stop),
		Outcome{Text: "Leaves are green.", Usage: d.WantUsage, Reason: llm.Stop}, NoError)
	both := d.Body([]Block{Thinking("I wo", "nder"), Text("a")}, llm.Stop)
	got := collectOne(t, d, llmtest.Answer{Body: llmtest.EachByte(both)})
	if got.Thinking != "I wonder" || got.Text != "a" || got.Reason != llm.Stop {
		t.Errorf("with thinking: %+v", got)
	}
}

// usage: the total is reported.
func usage(t *testing.T, d Dialect) {
	if d.WantUsage.Input == 0 || d.WantUsage.Output == 0 || d.WantUsage.CacheRead == 0 || d.WantUsage.Reasoning == 0 {
		t.Fatalf("a count of the dialect's usage is 0: %+v", d.WantUsage)
	}
	got := collectOne(t, d, llmtest.Answer{Body: llmtest.Bytes(d.Body([]Block{Text("a")}, llm.Length))})
	if got.Usage != d.WantUsage || got.Reason != llm.Length {
		t.Errorf("got %+v", got)
	}
}

// empty: an answer without text is an answer if it ends with a finish reason; an empty
// body is not.
func empty(t *testing.T, d Dialect) {
	EveryChunking(t, d, d.Body(nil, llm.Stop), Outcome{Usage: d.WantUsage, Reason: llm.Stop}, NoError)
	for _, nothing := range []string{"", "\n\n", ": hello\n\n"} {
		EveryChunking(t, d, nothing, Outcome{}, isIncomplete)
	}
}

func finishReasons(t *testing.T, d Dialect) {
	call := []Block{Text("Look: "), Call("c1", "f", `{"a":1}`)}
	want := Outcome{Text: "Look: ", Calls: TwoCalls[:1], Usage: d.WantUsage}
	for _, r := range []llm.Reason{llm.ToolUse, llm.Length} {
		want.Reason = r
		EveryChunking(t, d, d.Body(call, r), want, NoError)
	}
}

// The limit of package wire is 16 MB per event.
func longLines(t *testing.T, d Dialect) {
	for _, n := range []int{70_000, 1_200_000} {
		long := strings.Repeat("lång ", n/6)
		got := collectOne(t, d, llmtest.Answer{Body: llmtest.Bytes(d.Body([]Block{Text(long)}, llm.Stop))})
		if got.Text != long || got.Err != nil {
			t.Errorf("%d of %d bytes, %v", len(got.Text), len(long), got.Err)
		}
	}
	args := `{"a":"` + strings.Repeat("x", 300_000) + `"}`
	got := collectOne(t, d, llmtest.Answer{Body: llmtest.Bytes(d.Body([]Block{Call("c", "f", args)}, llm.ToolUse))})
	if len(got.Calls) != 1 || string(got.Calls[0].Args) != args || got.Reason != llm.ToolUse {
		t.Errorf("arguments of 300 KB: %d calls, %v, %v", len(got.Calls), got.Reason, got.Err)
	}
}

func characters(t *testing.T, d Dialect) {
	const source = "课🌍é"
	EveryChunking(t, d, d.Body([]Block{Text(source)}, llm.Stop),
		Outcome{Text: source, Usage: d.WantUsage, Reason: llm.Stop}, NoError)
	for name, pieces := range map[string][]string{
		"escapes": {`"课\ud83c"`, `""`, `"\udf0d\u00e9"`},
		"bytes":   {"\"\xe8\"", "\"\xaf\xbe\xf0\x9f\"", "\"\x8c\x8d\xc3\"", "\"\xa9\""},
	} {
		t.Run(name, func(t *testing.T) {
			text := d.Body([]Block{{Kind: llm.TextDelta, Pieces: pieces}}, llm.Stop)
			EveryChunking(t, d, text, Outcome{Text: source, Usage: d.WantUsage, Reason: llm.Stop}, NoError)
			args := append(append([]string{`"{\"q\":\""`}, pieces...), `"\"}"`)
			call := d.Body([]Block{{Kind: llm.CallDelta, ID: "c", Name: "f", Pieces: args}}, llm.ToolUse)
			want := []llm.Call{{ID: "c", Name: "f", Args: raw(`{"q":"` + source + `"}`)}}
			EveryChunking(t, d, call, Outcome{Calls: want, Usage: d.WantUsage, Reason: llm.ToolUse}, NoError)
			body := d.Body([]Block{{Kind: llm.ThinkingDelta, Pieces: pieces}, Text("a")}, llm.Stop)
			thought := collectOne(t, d, llmtest.Answer{Body: llmtest.Bytes(body)})
			if thought.Thinking != source {
				t.Errorf("thinking: %q", thought.Thinking)
			}
		})
	}
}

func lineEndings(t *testing.T, d Dialect) {
	lf := d.Body([]Block{Text("one ", "two")}, llm.Stop)
	want := Outcome{Text: "one two", Usage: d.WantUsage, Reason: llm.Stop}
	for name, body := range map[string]string{
		"a CRLF":               strings.ReplaceAll(lf, "\n", "\r\n"),
		"b CR":                 strings.ReplaceAll(lf, "\n", "\r"),
		"d BOM":                "\xef\xbb\xbf" + lf,
		"e no space":           strings.ReplaceAll(lf, "data: ", "data:"),
		"f no last blank line": strings.TrimSuffix(lf, "\n"),
		"g end unterminated":   strings.TrimSuffix(lf, "\n\n"),
		"no blank lines":       strings.ReplaceAll(lf, "\n\n", "\n"),
		"id and retry":         strings.ReplaceAll(lf, "data: ", "id: 7\nretry: 1\ndata: "),
	} {
		t.Run(name, func(t *testing.T) { EveryChunking(t, d, body, want, NoError) })
	}
	t.Run("c CR flush LF", func(t *testing.T) {
		pieces := strings.SplitAfter(strings.ReplaceAll(lf, "\n", "\r\n"), "\r")
		if got := collectOne(t, d, llmtest.Answer{Body: llmtest.Bytes(pieces...)}); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v", got)
		}
	})
}

func keepAlives(t *testing.T, d Dialect) {
	body := d.Body([]Block{Text("a", "b")}, llm.Stop)
	first, rest, _ := strings.Cut(body, "\n\n")
	noise := ": PROCESSING\n\n: PROCESSING\n\n:\n\ndata:\n\nevent: ping\n\nevent: ping\ndata: " +
		"{\"type\":\"ping\"}\n\ndata: : PROCESSING\n\ndata: ping\n\n"
	i := strings.LastIndex(strings.TrimSuffix(rest, "\n\n"), "\n\n") + 2
	EveryChunking(t, d, noise+first+"\n\n"+noise+rest[:i]+": bye\n"+noise+rest[i:],
		Outcome{Text: "ab", Usage: d.WantUsage, Reason: llm.Stop}, NoError)
	broken := d.Body([]Block{Text("a")}, "") + "data: {\"type\":\"content_block_delta\",\"choices\":[{\"delta\":\n\n"
	EveryChunking(t, d, broken, Outcome{Text: "a"}, func(t *testing.T, err error) {
		if e := UserError(t, err); e.Fault != llm.BadAnswer {
			t.Errorf("half an event with a blank line after it: %+v", e)
		}
	})
}

func oneSpace(t *testing.T, d Dialect) {
	EveryChunking(t, d, d.Body([]Block{Text(" ", "a", " ")}, llm.Stop),
		Outcome{Text: " a ", Usage: d.WantUsage, Reason: llm.Stop}, NoError)
	EveryChunking(t, d, d.Body([]Block{Text(" ")}, llm.Stop), Outcome{Text: " ", Usage: d.WantUsage, Reason: llm.Stop},
		NoError)
}

// jsonLines: the same events as JSON lines, the last one without a line ending.
func jsonLines(t *testing.T, d Dialect) {
	var lines []string
	for line := range strings.Lines(d.Body([]Block{Text("one ", "two")}, llm.Stop)) {
		if data, ok := strings.CutPrefix(line, "data: {"); ok {
			lines = append(lines, "{"+data)
		}
	}
	body := strings.TrimSuffix(strings.Join(lines, ""), "\n")
	EveryChunking(t, d, body, Outcome{Text: "one two", Usage: d.WantUsage, Reason: llm.Stop}, NoError)
}
