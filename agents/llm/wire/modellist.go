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

// The bounds of a list of models. Somebody waits for the page that shows it, so
// its time is shorter than a question's, and than the page's own.
const (
	listTimeout  = 8 * time.Second
	maxListBytes = 4 << 20
	maxListed    = 2000
	maxNameBytes = 200
)

// A Listing is one question for the models that a provider has.
type ListCall struct {
	Provider *Provider
	answered bool
}

// Ask gives the question its time, and makes its error one for people.
func (l *ListCall) Do(ctx context.Context, ask func(context.Context) ([]string, error)) ([]string, error) {
	limited, cancel := context.WithTimeoutCause(ctx, listTimeout, errIdle)
	defer cancel()
	names, err := ask(limited)
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

// Middleware turns refusals into errors for people, and bounds the body. It is
// fit for both SDKs.
func (l *ListCall) Middleware(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
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

// bounded drops what is no name, and what comes twice; the order stays the server's.
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

// A Listed is one entry of a list of models.
type ListedModel struct {
	Name  string
	Owner string // who the server says owns it, which often names the server
}

// ReadList reads {"data": [{"id": …}]}, {"models": [{"name": …}]} and a bare
// list. A list that is null is empty: Ollama sends it while it has no model.
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
			return nil, errors.New("the answer is no list of models")
		}
	}
	out := make([]ListedModel, 0, len(list))
	for _, m := range list {
		word := func(key string) string { s, _ := m[key].(string); return s }
		out = append(out, ListedModel{cmp.Or(word("id"), word("name"), word("model")), word("owned_by")})
	}
	return out, nil
}
