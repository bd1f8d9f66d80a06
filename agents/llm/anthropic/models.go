package anthropic

import (
	"context"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

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
	service := sdk.NewModelService(append(options(s), option.WithMiddleware(l.Middleware))...)
	return l.Do(ctx, func(ctx context.Context) ([]string, error) {
		page, err := service.List(ctx, sdk.ModelListParams{Limit: sdk.Int(1000)})
		if err != nil {
			return nil, err
		}
		names := make([]string, 0, len(page.Data))
		for _, m := range page.Data {
			names = append(names, m.ID)
		}
		return names, nil
	})
}
