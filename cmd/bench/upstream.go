//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

// A scriptedAnswer is the answer of the upstream: equal tokens at a steady rate.
type scriptedAnswer struct {
	what, budget      string
	tokens, perSecond int
	token             string
}

// newUpstream returns a server that streams t in the OpenAI protocol.
func newUpstream(t scriptedAnswer) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		tick := time.NewTicker(time.Second / time.Duration(t.perSecond))
		defer tick.Stop()
		for i := range t.tokens {
			text := t.token
			if i%40 == 39 {
				text += "\n\n"
			}
			b, _ := json.Marshal(text)
			fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":%s}}]}`+"\n\n", b)
			if http.NewResponseController(w).Flush() != nil {
				return
			}
			<-tick.C
		}
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
}
