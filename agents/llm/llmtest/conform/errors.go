package conform

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

func isIncomplete(t *testing.T, err error) {
	t.Helper()
	if e := UserError(t, err); !errors.Is(err, llm.ErrIncomplete) || !e.Retryable() {
		t.Errorf("ended with %+v", e)
	}
}

func errorInStream(t *testing.T, d Dialect) {
	started := d.Body([]Block{Text("one ", "two")}, "")
	for name, c := range d.Errors {
		t.Run(name, func(t *testing.T) {
			check := func(t *testing.T, err error) {
				if e := UserError(t, err); e.Fault != c.Fault {
					t.Errorf("got %s: %s", e.Fault, e)
				}
			}
			EveryChunking(t, d, started+c.Frame, Outcome{Text: "one two"}, check)
			EveryChunking(t, d, c.Frame, Outcome{}, check)
		})
	}
}

func incomplete(t *testing.T, d Dialect) {
	words := make([]string, 30)
	for i := range words {
		words[i] = "word "
	}
	started := d.Body([]Block{Text(words...)}, "")
	call := d.Body([]Block{Text(words...), Call("c", "f", `{"a":`)}, "")
	for name, a := range map[string]llmtest.Answer{
		"FIN": {Framing: llmtest.UntilEOF,
			Body: llmtest.Body(llmtest.Bytes(started), llmtest.FIN())},
		"FIN in a chunked body":     {Body: llmtest.Body(llmtest.Bytes(started), llmtest.FIN())},
		"whole body, no end":        {Body: llmtest.Bytes(started)},
		"in the middle of an event": {Body: llmtest.Bytes(started, `data: {"choices":[{"delta":{"content":"lost`)},
		"byte by byte":              {Body: llmtest.Body(llmtest.EachByte(started), llmtest.FIN())},
		"in a call":                 {Body: llmtest.Bytes(call)},
	} {
		t.Run(name, func(t *testing.T) {
			got := collectOne(t, d, a)
			isIncomplete(t, got.Err)
			if got.Text != strings.Repeat("word ", 30) {
				t.Errorf("kept %q", got.Text)
			}
		})
	}
}

// reset: a reset discards data that is not read yet, so the server waits for the reader.
func reset(t *testing.T, d Dialect) {
	read := make(chan struct{})
	started := d.Body([]Block{Text("a", "b")}, "")
	u := llmtest.Serve(t,
		llmtest.Answer{Body: llmtest.Body(llmtest.Bytes(started), llmtest.Until(read), llmtest.RST())})
	texts := 0
	for e, err := range d.New(t, u).Stream(t.Context(), Question("q")) {
		if err != nil {
			isIncomplete(t, err)
		}
		if e.Kind == llm.TextDelta && err == nil {
			if texts++; texts == 2 {
				close(read)
			}
		}
	}
	if texts != 2 {
		t.Errorf("%d texts, want two and an error", texts)
	}
}

func refusals(t *testing.T, d Dialect) {
	jsonType, plain := http.Header{"Content-Type": {"application/json"}}, http.Header{"Content-Type": {"text/plain"}}
	for name, c := range map[string]struct {
		status int
		header http.Header
		body   string
		fault  llm.Fault
		says   string
	}{
		"gone":     {502, plain, "upstream gone", llm.Overloaded, "502"},
		"no body":  {503, plain, "", llm.Overloaded, "503"},
		"web page": {504, http.Header{"Content-Type": {"text/html"}}, "<html>nginx", llm.Overloaded, "504"},
		"limited": {429, jsonType, `{"error":{"message":"slow down","type":"rate_limit_error"}}`, llm.Overloaded,
			"a minute"},
		"overloaded": {529, jsonType, `{"type":"error","error":{"type":"overloaded_error","message":"x"}}`,
			llm.Overloaded, "529"},
		"key": {401, jsonType,
			`{"error":{"message":"Incorrect API key provided: ` + Key + `. sk-ab**5ecret","code":"invalid_api_key"}}`,
			llm.Credentials, "401"},
		"forbidden": {403, jsonType, `{"error":"no"}`, llm.Credentials, "403"},
		"no model":  {404, jsonType, `{"error":{"message":"model not found"}}`, llm.Refused, "fake-model"},
		"bad request": {400, jsonType,
			`{"error":{"message":"json: cannot unmarshal array","type":"invalid_request_error"}}`, llm.Refused, "400"},
		"a list": {400, jsonType,
			`[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]`, llm.Refused, "400"},
		"too long": {400, jsonType, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt ` +
			`is too long: 213462 tokens > 200000 maximum"}}`, llm.TooLong, "400"},
		"too long, 400": {400, plain, "", llm.TooLong, "400"},
		"too long, 413": {413, plain, "", llm.TooLong, "413"},
		"no money": {429, jsonType,
			`{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}`, llm.Refused,
			"credit"},
		"no money, 400": {400, jsonType,
			`{"error":{"message":"Your credit balance is too low","type":"invalid_request_error"}}`, llm.Refused,
			"credit"},
		"moved": {302, http.Header{"Location": {"http://127.0.0.2:1/v1"}}, "", llm.Refused, "302"},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t, llmtest.Answer{Status: c.status, Header: c.header, Body: llmtest.Bytes(c.body)})
			e := UserError(t, Collect(t, t.Context(), d.New(t, u), Question("q")).Err)
			if e.Fault != c.fault || e.Status != c.status || !strings.Contains(e.Message, c.says) {
				t.Errorf("got %s, status %d: %s", e.Fault, e.Status, e)
			}
			if n := len(u.Requests()); n != 1 {
				t.Errorf("%d requests; trying again is not this package's", n)
			}
		})
	}
}

func retryAfter(t *testing.T, d Dialect) {
	soon := time.Now().Add(20500 * time.Millisecond)
	for name, header := range map[string]http.Header{
		"seconds":      {"Retry-After": {"20"}},
		"milliseconds": {"Retry-After-Ms": {"20000"}},
		"date":         {"Retry-After": {soon.UTC().Format(http.TimeFormat)}},
		"reset after":  {"X-Ratelimit-Reset-After": {"20"}},
		"reset, epoch": {"X-Ratelimit-Reset": {strconv.FormatInt(soon.UnixMilli(), 10)}},
		"reset, spent": {"X-Ratelimit-Remaining-Tokens": {"0"}, "X-Ratelimit-Reset-Tokens": {"20s"}},
	} {
		t.Run(name, func(t *testing.T) {
			header.Set("Content-Type", "application/json")
			got := collectOne(t, d,
				llmtest.Answer{Status: 429, Header: header, Body: llmtest.Bytes(`{"error":{"message":"slow down"}}`)})
			e := UserError(t, got.Err)
			if wait := e.RetryAfter.Round(2 * time.Second); wait != 20*time.Second ||
				!strings.Contains(e.Message, " seconds") {
				t.Errorf("asks to wait %v: %s", e.RetryAfter, e.Message)
			}
		})
	}
}

func unreachable(t *testing.T, d Dialect) {
	u := llmtest.Serve(t)
	u.Close()
	if e := UserError(t, Collect(t, t.Context(), d.New(t, u), Question("q")).Err); e.Fault != llm.Unreachable ||
		!e.Retryable() {
		t.Errorf("got %+v", e)
	}
	got := collectOne(t, d, llmtest.Answer{Framing: llmtest.NoHead, Body: llmtest.RST()})
	if e := UserError(t, got.Err); e.Fault != llm.Unreachable {
		t.Errorf("reset before the head: %+v", e)
	}
}

func webPage(t *testing.T, d Dialect) {
	a := llmtest.Answer{Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body: llmtest.Bytes("<html>Welcome to the school's Wi-Fi")}
	if e := UserError(t, collectOne(t, d, a).Err); e.Fault != llm.BadAnswer {
		t.Errorf("a web page: %+v", e)
	}
}

func redirects(t *testing.T, d Dialect) {
	stolen := llmtest.Bytes(d.Body([]Block{Text("stolen")}, llm.Stop))
	other := llmtest.Serve(t, llmtest.Answer{Body: stolen})
	for _, status := range []int{301, 302, 303, 307, 308} {
		location := http.Header{"Location": {other.URL + "/v1/x"}}
		e := UserError(t, collectOne(t, d, llmtest.Answer{Status: status, Header: location}).Err)
		if e.Status != status || e.Fault != llm.Refused {
			t.Errorf("%d: %+v", status, e)
		}
	}
	if n := len(other.Requests()); n != 0 {
		t.Errorf("%d requests reached another host, with %v", n, other.Requests()[0].Header)
	}
	here := llmtest.Serve(t,
		llmtest.Answer{Status: 308, Header: http.Header{"Location": {"/v1/moved"}}},
		llmtest.Answer{Body: llmtest.Bytes(d.Body([]Block{Text("a")}, llm.Stop))})
	got := Collect(t, t.Context(), d.New(t, here), Question("q"))
	if got.Text != "a" || len(here.Requests()) != 2 || here.Requests()[1].Method != "POST" {
		t.Errorf("a redirect on the same host: %+v after %d requests", got, len(here.Requests()))
	}
}
