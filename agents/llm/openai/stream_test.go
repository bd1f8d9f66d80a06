package openai

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

func TestPlainAnswer(t *testing.T) {
	body := llmtest.Data(delta(`{"role":"assistant","content":""}`), text("Leaves "), text("are green."), finish("stop"), usage, done)
	every(t, body, outcome{Text: "Leaves are green.", Usage: counted, Reason: llm.Stop}, noError)
}

// U01
func TestLongLines(t *testing.T) {
	for _, n := range []int{70_000, 1_200_000} {
		long := strings.Repeat("lång ", n/6)
		body := llmtest.Data(text(long), finish("stop"), done)
		got := listen(t, t.Context(), model(t, llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(body)})), question("q"))
		if got.Text != long || got.err != nil {
			t.Errorf("%d of %d bytes, %v", len(got.Text), len(long), got.err)
		}
	}
	args := `{"a":"` + strings.Repeat("x", 300_000) + `"}`
	body := llmtest.Data(delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":`+quote(args)+`}}]}`), finish("tool_calls"))
	got := listen(t, t.Context(), model(t, llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(body)})), question("q"))
	if len(got.Calls) != 1 || string(got.Calls[0].Args) != args || got.Reason != llm.ToolUse {
		t.Errorf("arguments of 300 KB: %d calls, %v, %v", len(got.Calls), got.Reason, got.err)
	}
}

// U01
func TestEventBeyondTheLimit(t *testing.T) {
	huge := "data: " + strings.Repeat("x", maxEvent+1)
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(llmtest.Data(text("kept")), huge)})
	got := listen(t, t.Context(), model(t, u), question("q"))
	e := trouble(t, got.err)
	if got.Text != "kept" || e.Fault != llm.BadAnswer || !errors.Is(e, errTooLarge) {
		t.Errorf("got %q, %+v", got.Text, e)
	}
}

// U01: a line that never ends is not read for ever.
func TestEndlessLine(t *testing.T) {
	endless := &xs{}
	_, err := io.ReadAll(newEventBody(io.NopCloser(endless)))
	if !errors.Is(err, errTooLarge) || endless.read > maxEvent+1<<20 {
		t.Errorf("%v after %d bytes", err, endless.read)
	}
}

// xs is x after x, up to four times what one event may hold.
type xs struct{ read int }

func (x *xs) Read(p []byte) (int, error) {
	if x.read > 4*maxEvent {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = 'x'
	}
	x.read += len(p)
	return len(p), nil
}

// U02
func TestCharactersCutAnywhere(t *testing.T) {
	const source = "课🌍é"
	every(t, llmtest.Data(text(source), finish("stop"), done), outcome{Text: source, Reason: llm.Stop}, noError)
	halves := llmtest.Data(delta(`{"content":"a\ud83c"}`), delta(`{"content":""}`), delta(`{"content":"\udf0db"}`), finish("stop"))
	every(t, halves, outcome{Text: "a🌍b", Reason: llm.Stop}, noError)
	bytes := llmtest.Data(delta("{\"content\":\"\xe8\"}"), delta("{\"content\":\"\xaf\xbe\xc3\"}"), delta("{\"content\":\"\xa9\"}"), finish("stop"))
	every(t, bytes, outcome{Text: "课é", Reason: llm.Stop}, noError)
	args := llmtest.Data(
		delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"q\":\"\ud83c"}}]}`),
		delta(`{"tool_calls":[{"index":0,"function":{"arguments":"\udf0d\"}"}}]}`), finish("tool_calls"))
	every(t, args, outcome{Calls: []llm.Call{{ID: "c", Name: "f", Args: []byte(`{"q":"🌍"}`)}}, Reason: llm.ToolUse}, noError)
}

// U03
func TestLineEndings(t *testing.T) {
	lf := llmtest.Data(delta(`{"role":"assistant","content":null}`), text("one "), text("two"), finish("stop"), usage, done)
	want := outcome{Text: "one two", Usage: counted, Reason: llm.Stop}
	for name, body := range map[string]string{
		"CRLF":               strings.ReplaceAll(lf, "\n", "\r\n"),
		"CR":                 strings.ReplaceAll(lf, "\n", "\r"),
		"BOM":                "\xef\xbb\xbf" + lf,
		"no space":           strings.ReplaceAll(lf, "data: ", "data:"),
		"no last blank line": strings.TrimSuffix(lf, "\n"),
		"DONE unterminated":  strings.TrimSuffix(lf, "\n\n"),
		"no blank lines":     strings.ReplaceAll(lf, "\n\n", "\n"),
		"event and id":       strings.ReplaceAll(lf, "data: ", "id: 7\nevent: message\nretry: 1\ndata: "),
	} {
		t.Run(name, func(t *testing.T) { every(t, body, want, noError) })
	}
	t.Run("CR flush LF", func(t *testing.T) {
		pieces := strings.SplitAfter(strings.ReplaceAll(lf, "\n", "\r\n"), "\r")
		got := listen(t, t.Context(), model(t, llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(pieces...)})), question("q"))
		if got.Text != want.Text || got.Reason != want.Reason {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("last chunk unterminated", func(t *testing.T) {
		every(t, strings.TrimSuffix(llmtest.Data(text("one "), text("two"), finish("stop")), "\n\n"), outcome{Text: "one two", Reason: llm.Stop}, noError)
	})
}

// U03: a CR ends a line at once, also while the connection stays open.
func TestCRIsNotHeldBack(t *testing.T) {
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Body(llmtest.Bytes("data: "+text("now")+"\r\r"), llmtest.Until(nil))})
	for e, err := range model(t, u).Stream(t.Context(), question("q")) {
		if err != nil || e.Text != "now" {
			t.Errorf("got %+v, %v", e, err)
		}
		break
	}
}

// U04
func TestKeepAlives(t *testing.T) {
	every(t, ": PROCESSING\n\n: PROCESSING\n\n:\n\ndata:\n\nevent: ping\n\ndata: : PROCESSING\n\ndata: ping\n\n"+
		llmtest.Data(text("a"))+": x\ndata\n\n"+llmtest.Data(text("b"), finish("stop"))+": bye\n"+llmtest.Data(done),
		outcome{Text: "ab", Reason: llm.Stop}, noError)
}

// U04
func TestBrokenJSON(t *testing.T) {
	every(t, llmtest.Data(text("a"), `{"choices":[{"delta":`, text("b")), outcome{Text: "a"}, func(t *testing.T, err error) {
		if e := trouble(t, err); e.Fault != llm.BadAnswer {
			t.Errorf("got %+v", e)
		}
	})
}

// U05
func TestChunksWithoutChoices(t *testing.T) {
	every(t, llmtest.Data(`{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}`, text("a"), `{"id":"x"}`, `{"choices":null}`, `{}`, finish("stop"), usage, done),
		outcome{Text: "a", Usage: counted, Reason: llm.Stop}, noError)
}

// U06
func TestDeltasWithoutContent(t *testing.T) {
	every(t, llmtest.Data(delta(`{"role":"assistant","content":null}`), delta(`{}`), delta(`null`), text(" "), text("a"), text(" "), delta(`{"content":null,"tool_calls":null}`), finish("stop"), done),
		outcome{Text: " a ", Reason: llm.Stop}, noError)
	every(t, llmtest.Data(text(" "), finish("stop"), done), outcome{Text: " ", Reason: llm.Stop}, noError)
}

func TestUsageWhereverItStands(t *testing.T) {
	inChoice := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":2}}]}`
	every(t, llmtest.Data(text("a"), inChoice, done), outcome{Text: "a", Usage: llm.Usage{Input: 3, Output: 2}, Reason: llm.Stop}, noError)
	withFinish := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
	every(t, llmtest.Data(text("a"), withFinish, done), outcome{Text: "a", Usage: llm.Usage{Input: 3, Output: 2}, Reason: llm.Stop}, noError)
}

func TestFinishReasons(t *testing.T) {
	for reason, want := range map[string]llm.Reason{
		"stop": llm.Stop, "length": llm.Length, "max_tokens": llm.Length, "MAX_TOKENS": llm.Length, "eos": llm.Stop, "STOP": llm.Stop, "tool_calls": llm.Stop,
	} {
		t.Run(reason, func(t *testing.T) {
			every(t, llmtest.Data(text("a"), finish(reason), done), outcome{Text: "a", Reason: want}, noError)
		})
	}
	call := delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]}`)
	calls := []llm.Call{{ID: "c", Name: "f", Args: []byte(`{}`)}}
	for reason, want := range map[string]llm.Reason{"stop": llm.ToolUse, "tool_calls": llm.ToolUse, "function_call": llm.ToolUse, "length": llm.Length} {
		t.Run("call "+reason, func(t *testing.T) {
			every(t, llmtest.Data(call, finish(reason), done), outcome{Calls: calls, Reason: want}, noError)
		})
	}
	for reason, want := range map[string]llm.Fault{"content_filter": llm.Refused, "error": llm.Overloaded, "abort": llm.Unreachable} {
		t.Run(reason, func(t *testing.T) {
			every(t, llmtest.Data(text("a"), finish(reason), done), outcome{Text: "a"}, func(t *testing.T, err error) {
				if e := trouble(t, err); e.Fault != want {
					t.Errorf("got %+v", e)
				}
			})
		})
	}
}

func TestThinking(t *testing.T) {
	for _, field := range []string{"reasoning_content", "reasoning", "reasoning_text"} {
		every(t, llmtest.Data(delta(`{"`+field+`":"I wo","content":""}`), delta(`{"`+field+`":"nder","content":null}`), delta(`{"`+field+`":null,"content":"a"}`), finish("stop")),
			outcome{Thinking: "I wonder", Text: "a", Reason: llm.Stop}, noError)
	}
	every(t, llmtest.Data(delta(`{"reasoning_content":"","reasoning":"x","reasoning_text":"x"}`), text("a"), finish("stop")),
		outcome{Thinking: "x", Text: "a", Reason: llm.Stop}, noError)
}

// V09, as far as an opening tag is there.
func TestInlineThinking(t *testing.T) {
	for name, c := range map[string]struct {
		pieces         []string
		thinking, text string
	}{
		"split":        {[]string{"<th", "ink>plan-7</thin", "k>visible-7"}, "plan-7", "visible-7"},
		"after spaces": {[]string{"\n", "<think>", "plan-7", "</think>\n\nvisible-7"}, "plan-7", "visible-7"},
		"never closed": {[]string{"<think>plan-7 </thi"}, "plan-7 </thi", ""},
		"in code":      {[]string{"Write `<think>x</think>`."}, "", "Write `<think>x</think>`."},
		"less than":    {[]string{"3 < 5"}, "", "3 < 5"},
		"other tag":    {[]string{"<thi", "s>"}, "", "<this>"},
		"only a start": {[]string{"<thi"}, "", "<thi"},
		"second block": {[]string{"<think>a</think>b<think>c</think>"}, "a", "b<think>c</think>"},
	} {
		t.Run(name, func(t *testing.T) {
			var chunks []string
			for _, p := range c.pieces {
				chunks = append(chunks, text(p))
			}
			every(t, llmtest.Data(append(chunks, finish("stop"), done)...), outcome{Thinking: c.thinking, Text: c.text, Reason: llm.Stop}, noError)
		})
	}
}

func TestServersThatDoNotStream(t *testing.T) {
	completion := `{"id":"1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"whole","reasoning_content":"hm",
 "tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
 "finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
	want := outcome{Text: "whole", Thinking: "hm", Calls: []llm.Call{{ID: "c", Name: "f", Args: []byte(`{}`)}}, Usage: llm.Usage{Input: 3, Output: 2}, Reason: llm.ToolUse}
	every(t, completion, want, noError)
	every(t, strings.ReplaceAll(completion, "\n", ""), want, noError)
	every(t, strings.ReplaceAll(text("a")+"\n"+finish("stop"), "\n\n", "\n"), outcome{Text: "a", Reason: llm.Stop}, noError)
	a := llmtest.Answer{Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: llmtest.Bytes("<html>Welcome to the school's Wi-Fi")}
	got := listen(t, t.Context(), model(t, llmtest.Serve(t, a)), question("q"))
	if e := trouble(t, got.err); e.Fault != llm.BadAnswer {
		t.Errorf("a web page: %+v", e)
	}
}
