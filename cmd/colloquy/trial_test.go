package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
	"colloquy/templates/locale"
)

type trialResult = classroom.ModelTest

const streamHead = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"x","choices":[`

func stream(choices ...string) llmtest.Answer {
	var out strings.Builder
	for _, c := range choices {
		out.WriteString(streamHead + c + "]}\n\n")
	}
	return llmtest.Answer{Body: llmtest.Bytes(out.String() + "data: [DONE]\n\n")}
}

func delta(text string) string {
	return fmt.Sprintf(`{"index":0,"delta":{"content":%q},"finish_reason":null}`, text)
}

const (
	stopped   = `{"index":0,"delta":{},"finish_reason":"stop"}`
	searching = `{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":` +
		`{"name":"search_materials","arguments":"{\"query\":\"leaves\"}"}}]},"finish_reason":"tool_calls"}`
)

// TestTrialSendsWhatAClassSends over what local servers were seen to answer.
func TestTrialSendsWhatAClassSends(t *testing.T) {
	answer, calls := stream(delta("Both are "), delta("green."), stopped), stream(searching)
	one := stream(delta("Green."), stopped)
	local := llmtest.Answer{Body: llmtest.Bytes(llmtest.LlamaCppStream)}
	ollama, jinja := llmtest.JSON(400, llmtest.OllamaNoTools), llmtest.JSON(500, llmtest.LlamaCppNoJinja)
	grammar, absent := llmtest.JSON(400, llmtest.LlamaCppGrammar), llmtest.JSON(404, llmtest.OllamaNoModel)
	say := "Both are green."
	for name, c := range map[string]struct {
		answers []llmtest.Answer
		want    trialResult
		fails   string
	}{
		"answers":      {[]llmtest.Answer{answer}, trialResult{Answer: say, Streamed: true}, ""},
		"searches":     {[]llmtest.Answer{calls, answer}, trialResult{Answer: say, Streamed: true, Called: true}, ""},
		"in one piece": {[]llmtest.Answer{one}, trialResult{Answer: "Green."}, ""},
		"Ollama": {[]llmtest.Answer{ollama, answer},
			trialResult{Answer: say, Streamed: true, NoTools: true}, ""},
		"no --jinja": {[]llmtest.Answer{jinja, local}, trialResult{Answer: " good", NoTools: true}, ""},
		"grammar": {[]llmtest.Answer{grammar, answer},
			trialResult{Answer: say, Streamed: true, NoTools: true}, ""},
		"no such model": {[]llmtest.Answer{absent}, trialResult{}, "not known to its server"},
		"nothing said":  {[]llmtest.Answer{stream(stopped)}, trialResult{}, ""},
		"searches only": {[]llmtest.Answer{calls, calls, calls}, trialResult{Called: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			u := llmtest.Serve(t, c.answers...)
			connections := newConnections(t)
			m := connections.keep(t, classroom.Model{BaseURL: u.URL + "/v1", Private: true, Name: "x"})
			got, err := servers{connections}.Try(t.Context(), m)
			if (err != nil) != (c.fails != "") || err != nil && !strings.Contains(publicSentence(err), c.fails) {
				t.Fatalf("%+v, %v", got, err)
			}
			if got.AfterMS == 0 && got.Answer != "" {
				t.Error("it does not say how long the first word took")
			}
			if got.AfterMS = 0; got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			checkTrial(t, u.Requests(), c.want)
		})
	}
}

// checkTrial checks the first request, and the one that follows a call or a refusal.
func checkTrial(t *testing.T, requests []*llmtest.Request, test trialResult) {
	t.Helper()
	first := string(requests[0].Body)
	for _, want := range []string{
		`"stream":true`, `"role":"system"`, "Visitor: ", "Ben, assistant: ", `"name":"search_materials"`, `"query":{`,
	} {
		if !strings.Contains(first, want) {
			t.Errorf("the first request holds no %s: %s", want, first)
		}
	}
	if len(requests) == 1 {
		return
	}
	second := string(requests[1].Body)
	if test.NoTools == strings.Contains(second, `"tools":`) || !strings.Contains(second, "Chlorophyll") {
		t.Errorf("the second request: %s", second)
	}
}

// A class whose model takes no tools: as Ollama refuses them, through the real binary.
func TestClassWithoutTools(t *testing.T) {
	var mu sync.Mutex
	var refused int
	var asked []string
	at := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Tools    []any
			Messages []struct{ Content any }
		}
		json.NewDecoder(r.Body).Decode(&req)
		mu.Lock()
		defer mu.Unlock()
		if len(req.Tools) > 0 {
			refused++
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, llmtest.OllamaNoTools)
			return
		}
		asked = append(asked, fmt.Sprint(req.Messages))
		w.Header().Set("Content-Type", "text/event-stream")
		s := &streamedAnswer{w: w, r: r}
		s.say("From the passages.")
		s.finish("stop")
	})
	s := newStage(t, nil)
	m := s.connect(map[string]any{"base_url": at + "/v1", "private": true, "name": "tinyplain", "default": true})
	id := s.session("ada")
	for n, question := range []string{"Why are leaves green?", "Why did the French Revolution begin?"} {
		s.ask(id, question)
		s.waitForAnswer(id, n+1, "From the passages.")
	}
	mu.Lock()
	if refused != 1 || len(asked) != 2 ||
		!strings.Contains(asked[0], "hlorophyll") || !strings.Contains(asked[1], "1789") {
		t.Errorf("%d requests with tools, then %q", refused, asked)
	}
	mu.Unlock()
	b := s.browser()
	page := b.post("/settings/models/" + m.ID + "/try")
	if !strings.Contains(page, "answers, but cannot use tools: it will be given passages from the materials instead.") {
		t.Errorf("the test says:\n%s", tail(page, 2000))
	}
}

// publicSentence is what a person reads of err.
func publicSentence(err error) string {
	e, _ := errors.AsType[*classroom.Error](err)
	return locale.English().Error(e)
}
