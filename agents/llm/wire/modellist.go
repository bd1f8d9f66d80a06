package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The limits of a list of models. A user waits for the page that shows the list, so
// the timeout is shorter than that of a question and than the page's own timeout.
const (
	listTimeout  = 8 * time.Second
	maxListBytes = 4 << 20
	maxListed    = 2000
	maxNameBytes = 200
)

// A ListCall is one request for the list of a provider's models.
type ListCall struct {
	Provider *Provider
	answered bool
}

// Do calls request with a timeout and returns its error as an error for users.
func (l *ListCall) Do(ctx context.Context, request func(context.Context) ([]string, error)) ([]string, error) {
	limited, cancel := context.WithTimeoutCause(ctx, listTimeout, errIdle)
	defer cancel()
	names, err := request(limited)
	switch {
	case err == nil:
		return validNames(names), nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("list models: %w", ctx.Err())
	case limited.Err() != nil:
		err = errIdle
	}
	return nil, l.Provider.explain(err, l.answered && !errors.Is(err, errIdle))
}

// Middleware is middleware for both SDKs. It turns error responses into errors for
// users and limits the size of the body.
func (l *ListCall) Middleware(req *http.Request, next RoundTrip) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		return res, err
	}
	if err := l.Provider.checkResponse(res); err != nil {
		res.Body.Close()
		return nil, err
	}
	l.answered = true
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, maxListBytes), res.Body}
	return res, nil
}

// validNames removes empty names, long names and duplicates, and keeps the order.
func validNames(names []string) []string {
	seen := map[string]bool{"": true}
	out := []string{}
	for _, n := range names {
		if !seen[n] && len(n) <= maxNameBytes && len(out) < maxListed {
			out = append(out, n)
		}
		seen[n] = true
	}
	return out
}

// A ListedModel is one entry of a list of models.
type ListedModel struct {
	Name  string
	Owner string // as the server reports it; often the name of the server
}

// ReadModelList reads {"data": [{"id": …}]}, {"models": [{"name": …}]} and a bare
// list. A list that is null is empty: Ollama sends that while it has no model.
func ReadModelList(r io.Reader) ([]ListedModel, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var whole map[string]json.RawMessage
	var list []map[string]any
	if json.Unmarshal(raw, &list) != nil {
		if json.Unmarshal(raw, &whole) != nil {
			return nil, errors.New("the list of models is not JSON")
		}
		data, ok := whole["data"]
		if !ok {
			data, ok = whole["models"]
		}
		if !ok || json.Unmarshal(data, &list) != nil {
			return nil, errors.New("the answer is not a list of models")
		}
	}
	out := make([]ListedModel, 0, len(list))
	for _, m := range list {
		text := func(key string) string { s, _ := m[key].(string); return s }
		out = append(out, ListedModel{cmp.Or(text("id"), text("name"), text("model")), text("owned_by")})
	}
	return out, nil
}
