package wire

import (
	"context"
	"errors"
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
		l := ListCall{Provider: &Provider{Name: "the model server at x"}}
		_, err := l.Do(ctx, func(ctx context.Context) ([]string, error) { <-ctx.Done(); return nil, ctx.Err() })
		e, ok := errors.AsType[*llm.Error](err)
		if !ok || e.Fault != llm.Unreachable || !strings.Contains(e.Message, "did not answer in time") ||
			ctx.Err() != nil {
			t.Error(err)
		}
	})
}
