package anthropic

import (
	"context"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

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
	service := sdk.NewModelService(append(options(s), option.WithMiddleware(call.Middleware))...)
	return call.Do(ctx, func(ctx context.Context) ([]string, error) {
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
