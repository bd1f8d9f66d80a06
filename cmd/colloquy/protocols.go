package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/openai"
	"colloquy/classroom"
)

// A target is a model as a protocol is pointed at it.
type target struct {
	baseURL string
	key     secret
	name    string // empty where only the server is meant
	public  bool   // no address of this machine or its network is called
}

// A protocol makes models that speak it, and lists those of a server.
type protocol struct {
	home string // where those who made it answer themselves
	make func(target) (llm.Model, error)
	list func(context.Context, target) ([]string, error)
}

// protocols are those that a connected model may speak.
var protocols = map[string]protocol{
	classroom.ProviderOpenAI: {home: "https://api.openai.com/v1", make: makeOpenAI, list: listOpenAI},
}

func makeOpenAI(t target) (llm.Model, error) {
	m, err := openai.New(openai.Options{BaseURL: t.baseURL, Key: string(t.key), Model: t.name, PublicOnly: t.public})
	if err != nil {
		return nil, err // not m, which would be no nil interface
	}
	return m, nil
}

func listOpenAI(ctx context.Context, t target) ([]string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(t.baseURL, "/")+"/models", nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+string(t.key))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return nil, fmt.Errorf("read list: %w", err)
	}
	var names []string
	for _, m := range out.Data {
		names = append(names, m.ID)
	}
	return names, nil
}

// localServers looks for servers of models on this machine.
func localServers(context.Context) ([]classroom.ModelServer, error) { return nil, nil }
