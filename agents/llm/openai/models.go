package openai

import (
	"context"
	"net/http"

	"colloquy/agents/llm/wire"
)

// Models lists the models that a server has, in its own order, as it names
// them. Options.Model is not looked at. Errors of the server are *llm.Error.
func Models(ctx context.Context, o Options) ([]string, error) {
	o.Model = ""
	s, err := wire.Resolve(endpoint, o)
	if err != nil {
		return nil, err
	}
	l := wire.ListCall{Provider: &s.Provider}
	return l.Do(ctx, func(ctx context.Context) ([]string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Base+"models", nil)
		if err != nil {
			return nil, err
		}
		if s.Key != "" {
			req.Header.Set("Authorization", "Bearer "+s.Key)
		}
		res, err := l.Middleware(req, s.HTTP.Do)
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
