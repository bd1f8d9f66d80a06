package wire

import (
	"context"
	"errors"
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
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		never := tripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		_, err := Models(ctx, endpoint, Options{BaseURL: "http://x", HTTP: &http.Client{Transport: never}})
		e, ok := errors.AsType[*llm.Error](err)
		if !ok || e.Fault != llm.Unreachable || !strings.Contains(e.Message, "did not answer in time") ||
			ctx.Err() != nil {
			t.Error(err)
		}
	})
}
