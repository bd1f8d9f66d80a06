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

// Models returns the names of a server's models in the server's order. It ignores
// Options.Model. Errors of the server are *llm.Error.
func Models(ctx context.Context, e Endpoint, o Options) ([]string, error) {
	o.Model = ""
	s, err := resolve(e, o)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	names, err := s.models(limited)
	switch {
	case err == nil:
		return names, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("list models: %w", ctx.Err())
	case limited.Err() != nil:
		return nil, s.unreachable(errIdle)
	}
	return nil, err
}

// models requests the list and returns the names in it.
func (s *Server) models(ctx context.Context) ([]string, error) {
	body, err := s.open(ctx, http.MethodGet, s.endpoint.ListPath, nil)
	if err != nil {
		return nil, s.explain(err, false)
	}
	defer body.Close()
	list, err := ReadModelList(io.LimitReader(body, maxListBytes))
	if err != nil {
		return nil, s.explain(err, true)
	}
	return Names(list), nil
}

// A ListedModel is one entry of a list of models.
type ListedModel struct {
	Name  string
	Owner string // as the server reports it; often the name of the server
}

// Names returns the names in a list, without empty names, long names and duplicates.
func Names(list []ListedModel) []string {
	seen := map[string]bool{"": true}
	out := []string{}
	for _, m := range list {
		if !seen[m.Name] && len(m.Name) <= maxNameBytes && len(out) < maxListed {
			out = append(out, m.Name)
		}
		seen[m.Name] = true
	}
	return out
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
