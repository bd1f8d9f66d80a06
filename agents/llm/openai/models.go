package openai

import (
	"context"
	"net/http"

	"colloquy/agents/llm/wire"
)

// Models returns the names of a server's models in the server's order. It ignores
// Options.Model. Errors of the server are *llm.Error.
func Models(ctx context.Context, o Options) ([]string, error) {
	o.Model = ""
	s, err := wire.Resolve(endpoint, o)
	if err != nil {
		return nil, err
	}
	call := wire.ListCall{Provider: &s.Provider}
	return call.Do(ctx, func(ctx context.Context) ([]string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Base+"models", nil)
		if err != nil {
			return nil, err
		}
		if s.Key != "" {
			req.Header.Set("Authorization", "Bearer "+s.Key)
		}
		res, err := call.Middleware(req, s.HTTP.Do)
		if err != nil {
			return nil, err
		}
		defer res.Body.Close()
		list, err := wire.ReadModelList(res.Body)
		return modelNames(list), err
	})
}

func modelNames(list []wire.ListedModel) []string {
	out := make([]string, 0, len(list))
	for _, m := range list {
		out = append(out, m.Name)
	}
	return out
}
