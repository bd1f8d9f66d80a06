package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

var goText = regexp.MustCompile(`dial tcp|invalid character|EOF|http:|json|context|goroutine|%!|unmarshal|connection re`)

// trouble checks what holds of every error for people.
func trouble(t *testing.T, err error) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("ended with %v (%T), want an llm.Error", err, err)
	}
	if e.Fault == "" || !strings.HasPrefix(e.Message, "The model server at 127.0.0.1:") || !strings.HasSuffix(e.Message, ".") || goText.MatchString(e.Message) {
		t.Errorf("not for people: %s: %q", e.Fault, e.Message)
	}
	if strings.Contains(e.Error(), testKey) {
		t.Errorf("the key is in %q", e.Error())
	}
	return e
}

// V01
func TestErrorInsideAStream(t *testing.T) {
	said := llmtest.Data(text("one "), text("two"))
	for name, c := range map[string]struct {
		frame string
		fault llm.Fault
	}{
		"OpenAI":             {llmtest.Data(`{"error":{"message":"The server had an error","type":"server_error","code":null}}`), llm.Overloaded},
		"Anthropic":          {"event: error\n" + llmtest.Data(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), llm.Overloaded},
		"Ollama":             {`{"error":"model runner has unexpectedly stopped"}` + "\n", llm.Overloaded},
		"string":             {llmtest.Data(`{"error":"out of memory"}`), llm.Overloaded},
		"OpenRouter":         {llmtest.Data(`{"id":"x","error":{"code":429,"message":"Rate limited"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`), llm.Overloaded},
		"named, bare object": {"event: error\n" + llmtest.Data(`{"message":"Invalid API key","type":"authentication_error"}`), llm.Credentials},
		"named, plain text":  {"event: error\n" + llmtest.Data("Overloaded"), llm.Overloaded},
		"context":            {llmtest.Data(`{"error":{"message":"This model's maximum context length is 4096 tokens","code":"context_length_exceeded"}}`), llm.TooLong},
		"filter":             {llmtest.Data(`{"error":{"message":"no","type":"invalid_request_error","code":"content_filter"}}`), llm.Refused},
		"pretty JSON":        {"{\n  \"error\": {\n    \"message\": \"no\",\n    \"code\": 503\n  }\n}\n", llm.Overloaded},
	} {
		t.Run(name, func(t *testing.T) {
			check := func(t *testing.T, err error) {
				if e := trouble(t, err); e.Fault != c.fault {
					t.Errorf("got %s: %s", e.Fault, e)
				}
			}
			every(t, said+c.frame, outcome{Text: "one two"}, check)
			every(t, c.frame, outcome{}, check) // as the very first frame
		})
	}
}

func TestErrorThatSaysNothingIsNone(t *testing.T) {
	for _, nothing := range []string{"null", `""`, "{}", "false"} {
		chunk := `{"error":` + nothing + `,"choices":[{"index":0,"delta":{"content":"a \"error\" b"}}]}`
		every(t, llmtest.Data(chunk, finish("stop")), outcome{Text: `a "error" b`, Reason: llm.Stop}, noError)
	}
}

// V02
func TestStreamThatBreaksOff(t *testing.T) {
	thirty := make([]string, 30)
	for i := range thirty {
		thirty[i] = text("word ")
	}
	said, call := llmtest.Data(thirty...), llmtest.Data(delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":"}}]}`))
	for name, a := range map[string]llmtest.Answer{
		"FIN":                       {Framing: llmtest.UntilEOF, Body: llmtest.Body(llmtest.Bytes(said), llmtest.FIN())},
		"FIN in a chunked body":     {Body: llmtest.Body(llmtest.Bytes(said), llmtest.FIN())},
		"whole body, no end":        {Body: llmtest.Bytes(said)},
		"in the middle of an event": {Body: llmtest.Bytes(said, `data: {"choices":[{"delta":{"content":"lost`)},
		"byte by byte":              {Body: llmtest.Body(llmtest.Dribble(said), llmtest.FIN())},
		"DONE in a call":            {Body: llmtest.Bytes(said, call, llmtest.Data(done))},
	} {
		t.Run(name, func(t *testing.T) {
			got := listen(t, t.Context(), model(t, llmtest.Serve(t, a)), question("q"))
			e := trouble(t, got.err)
			if !errors.Is(got.err, llm.ErrCut) || !e.Retryable() {
				t.Errorf("ended with %+v", e)
			}
			if name == "FIN in a chunked body" && !errors.Is(got.err, io.ErrUnexpectedEOF) {
				t.Errorf("operators are not told how: %v", e)
			}
			if got.Text != strings.Repeat("word ", 30) {
				t.Errorf("kept %q", got.Text)
			}
		})
	}
}

// V02: a reset throws away what the reader has not read yet, so it waits for the reader.
func TestStreamThatIsReset(t *testing.T) {
	read := make(chan struct{})
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(llmtest.Data(text("a"), text("b"))), llmtest.Until(read), llmtest.RST())})
	n := 0
	for e, err := range model(t, u).Stream(t.Context(), question("q")) {
		switch n++; {
		case n <= 2 && (err != nil || e.Kind != llm.TextDelta):
			t.Fatalf("step %d: %+v, %v", n, e, err)
		case n == 2:
			close(read)
		case n == 3:
			if e := trouble(t, err); !errors.Is(err, llm.ErrCut) || !e.Retryable() {
				t.Errorf("ended with %+v", e)
			}
		}
	}
	if n != 3 {
		t.Errorf("%d steps, want two texts and an error", n)
	}
}

// V02, EVENTS.md rule 6
func TestDoneWithoutAFinishReason(t *testing.T) {
	every(t, llmtest.Data(text("a"), done), outcome{Text: "a", Reason: llm.Stop}, noError)
	cut := func(t *testing.T, err error) {
		if !errors.Is(err, llm.ErrCut) {
			t.Errorf("ended with %v", err)
		}
	}
	every(t, llmtest.Data(done), outcome{}, cut)
	every(t, "", outcome{}, cut)
	every(t, llmtest.Data(delta(`{"reasoning":"hm"}`), done), outcome{Thinking: "hm"}, cut)
}

// V14
func TestRefusals(t *testing.T) {
	jsonType, plain := http.Header{"Content-Type": {"application/json"}}, http.Header{"Content-Type": {"text/plain"}}
	soon := http.Header{"Content-Type": {"application/json"}, "Retry-After": {"20"}}
	for name, c := range map[string]struct {
		status int
		header http.Header
		body   string
		fault  llm.Fault
		says   string
	}{
		"gone":          {502, plain, "upstream gone", llm.Overloaded, "502"},
		"no body":       {503, plain, "", llm.Overloaded, "503"},
		"web page":      {504, http.Header{"Content-Type": {"text/html"}}, "<html>nginx", llm.Overloaded, "504"},
		"limited":       {429, soon, `{"error":{"message":"slow down","type":"rate_limit_error"}}`, llm.Overloaded, "20 seconds"},
		"overloaded":    {529, jsonType, `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`, llm.Overloaded, "529"},
		"key":           {401, jsonType, `{"error":{"message":"Incorrect API key provided: ` + testKey + `. sk-ab**5ecret","code":"invalid_api_key"}}`, llm.Credentials, "401"},
		"forbidden":     {403, jsonType, `{"error":"no"}`, llm.Credentials, "403"},
		"no model":      {404, jsonType, `{"error":{"message":"model not found"}}`, llm.Refused, "fake-model"},
		"bad request":   {400, jsonType, `{"error":{"message":"json: cannot unmarshal array","type":"invalid_request_error"}}`, llm.Refused, "400"},
		"a list":        {400, jsonType, `[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]`, llm.Refused, "400"},
		"too long":      {400, jsonType, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, llm.TooLong, "400"},
		"too long, 413": {413, plain, "", llm.TooLong, "413"},
		"no money":      {429, jsonType, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}`, llm.Refused, "credit"},
		"no money, 402": {402, jsonType, `{"error":{"message":"x"}}`, llm.Refused, "credit"},
		"moved":         {302, http.Header{"Location": {"http://127.0.0.2:1/v1"}}, "", llm.Refused, "302"},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t, llmtest.Answer{Status: c.status, Header: c.header, Body: llmtest.Bytes(c.body)})
			got := listen(t, t.Context(), model(t, u), question("q"))
			e := trouble(t, got.err)
			if e.Fault != c.fault || e.Status != c.status || !strings.Contains(e.Message, c.says) {
				t.Errorf("got %s, status %d: %s", e.Fault, e.Status, e)
			}
			if strings.Contains(e.Error(), "5ecret") {
				t.Errorf("a part of the key is in %q", e.Error())
			}
			if c.header.Get("Retry-After") != "" && e.RetryAfter != 20*time.Second {
				t.Errorf("asks to wait %v", e.RetryAfter)
			}
			if n := len(u.Requests()); n != 1 {
				t.Errorf("%d requests; trying again is not this package's", n)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	u := llmtest.Serve(t)
	u.Close()
	if e := trouble(t, listen(t, t.Context(), model(t, u), question("q")).err); e.Fault != llm.Unreachable || !e.Retryable() {
		t.Errorf("got %+v", e)
	}
	u = llmtest.Serve(t, llmtest.Answer{Framing: llmtest.HeadNever, Body: llmtest.RST()})
	if e := trouble(t, listen(t, t.Context(), model(t, u), question("q")).err); e.Fault != llm.Unreachable {
		t.Errorf("reset before the head: %+v", e)
	}
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name, value string
			want        time.Duration
		}{
			{"Retry-After", "7", 7 * time.Second},
			{"Retry-After", "0.5", 500 * time.Millisecond},
			{"Retry-After", time.Now().Add(time.Minute).UTC().Format(http.TimeFormat), time.Minute},
			{"Retry-After", time.Now().Add(-time.Minute).UTC().Format(http.TimeFormat), 0},
			{"Retry-After-Ms", "250", 250 * time.Millisecond},
			{"X-RateLimit-Reset-After", "3", 3 * time.Second},
			{"Retry-After", "-1", 0},
			{"Retry-After", "NaN", 0},
			{"Retry-After", "soon", 0},
			{"Retry-After", "1e300", 24 * time.Hour},
		} {
			h := http.Header{}
			h.Set(c.name, c.value)
			if got := retryAfter(h); got != c.want {
				t.Errorf("%s: %s gives %v, want %v", c.name, c.value, got, c.want)
			}
		}
	})
}

// R12
func TestCancelClosesTheConnection(t *testing.T) {
	for name, a := range map[string]llmtest.Answer{
		"in mid-answer":       {Body: llmtest.Body(llmtest.Bytes(llmtest.Data(text("a"))), llmtest.Until(nil))},
		"before the body":     {Body: llmtest.Until(nil)},
		"before the head":     {Framing: llmtest.HeadNever, Body: llmtest.Until(nil)},
		"after half an event": {Body: llmtest.Body(llmtest.Bytes("data: {"), llmtest.Until(nil))},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t, a)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				defer cancel()
				if _, err := u.Wait(t.Context(), 1); err != nil {
					t.Error(err)
				}
			}()
			got := listen(t, ctx, model(t, u), question("q"))
			if !errors.Is(got.err, context.Canceled) || errors.Is(got.err, llm.ErrCut) {
				t.Errorf("ended with %v", got.err)
			}
			<-u.Requests()[0].Closed()
		})
	}
}

func TestLeavingClosesTheConnection(t *testing.T) {
	u := llmtest.Serve(t, llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(llmtest.Data(text("a"))), llmtest.Until(nil))})
	for range model(t, u).Stream(t.Context(), question("q")) {
		break
	}
	<-u.Requests()[0].Closed()
}

// What the provider sent before it was called off is not delivered after it.
func TestNothingAfterCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	body := llmtest.Data(text("a"), text("b"), text("c"), finish("stop"), done)
	n := 0
	for e, err := range model(t, llmtest.Serve(t, llmtest.Answer{Body: llmtest.Bytes(body)})).Stream(ctx, question("q")) {
		n++
		cancel()
		if n == 2 && !errors.Is(err, context.Canceled) || n > 2 {
			t.Errorf("step %d: %+v, %v", n, e, err)
		}
	}
	if n != 2 {
		t.Errorf("%d steps, want a text and an error", n)
	}
}
