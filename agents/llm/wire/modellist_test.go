package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"colloquy/agents/llm"
)

// A list that does not arrive times out before the page that shows it, so that the
// page can show the error.
func TestModelListTimeout(t *testing.T) {
	silent := tripper(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	endless := tripper(func(r *http.Request) (*http.Response, error) {
		body, w := io.Pipe()
		context.AfterFunc(r.Context(), func() { w.CloseWithError(r.Context().Err()) })
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: body, Request: r}, nil
	})
	for name, server := range map[string]tripper{"no answer": silent, "no end": endless} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			_, err := Models(ctx, endpoint, Options{BaseURL: "http://x", HTTP: &http.Client{Transport: server}})
			e, ok := errors.AsType[*llm.Error](err)
			if !ok || e.Fault != llm.Unreachable || !strings.Contains(e.Message, "did not answer in time") ||
				ctx.Err() != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
