package conform

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

// models: the list of models is in the server's order, and its errors are for users.
func models(t *testing.T, d Dialect) {
	ask := func(a llmtest.Answer) ([]string, *llmtest.Upstream, error) {
		u := llmtest.Serve(t, a)
		got, err := d.Models(t, t.Context(), u)
		return got, u, err
	}
	jsonType := http.Header{"Content-Type": {"application/json"}}
	got, u, err := ask(llmtest.Answer{Header: jsonType, Body: llmtest.EachByte(d.ListBody)})
	if err != nil || !reflect.DeepEqual(got, []string{"zeta", "alpha"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if r := u.Requests()[0]; r.Method != "GET" || r.Path != "/v1/models" ||
		r.Header.Get("Authorization") != "Bearer "+Key {
		t.Errorf("asked %s %s with %v", r.Method, r.Path, r.Header)
	}
	for _, empty := range []string{`{"data":[]}`, llmtest.OllamaNoModels} {
		if got, _, err := ask(llmtest.JSON(200, empty)); err != nil || len(got) != 0 {
			t.Errorf("an empty list: %q, %v", got, err)
		}
	}
	for name, c := range map[string]struct {
		answer llmtest.Answer
		fault  llm.Fault
	}{
		"key": {llmtest.Answer{Status: 401, Header: jsonType,
			Body: llmtest.Bytes(`{"error":{"message":"bad key ` + Key + `"}}`)}, llm.Credentials},
		"no list": {llmtest.Answer{Status: 404, Body: llmtest.Bytes("404 page not found")}, llm.Refused},
		"web page": {llmtest.Answer{Header: http.Header{"Content-Type": {"text/html"}},
			Body: llmtest.Bytes("<html>")}, llm.BadAnswer},
		"no JSON": {llmtest.Answer{Header: jsonType, Body: llmtest.Bytes("hello")}, llm.BadAnswer},
		"half":    {llmtest.Answer{Header: jsonType, Body: llmtest.Bytes(`{"data":[{"id":"a"}`)}, llm.BadAnswer},
		"endless": {llmtest.Answer{Header: jsonType,
			Body: llmtest.Bytes(`{"data":[{"id":"`, strings.Repeat("x", 5<<20))}, llm.BadAnswer},
		"busy": {llmtest.Answer{Status: 503, Body: llmtest.Bytes("")}, llm.Overloaded},
		"elsewhere": {llmtest.Answer{Status: 302, Header: http.Header{"Location": {"http://127.0.0.2:1/"}}},
			llm.Refused},
	} {
		_, _, err := ask(c.answer)
		if e := UserError(t, err); e.Fault != c.fault {
			t.Errorf("%s: %+v", name, e)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Models(t, ctx, llmtest.Serve(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
}
