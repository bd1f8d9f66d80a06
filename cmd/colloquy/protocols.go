package main

import (
	"context"

	"colloquy/agents/llm"
	"colloquy/agents/llm/anthropic"
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
	make func(target) (llm.Model, error)
	list func(context.Context, target) ([]string, error)
}

// protocols are those that a connected model may speak.
var protocols = map[string]protocol{
	classroom.ProviderOpenAI: {
		make: func(t target) (llm.Model, error) { return made(openai.New(t.openai())) },
		list: func(ctx context.Context, t target) ([]string, error) { return openai.Models(ctx, t.openai()) },
	},
	classroom.ProviderAnthropic: {
		make: func(t target) (llm.Model, error) { return made(anthropic.New(t.anthropic())) },
		list: func(ctx context.Context, t target) ([]string, error) { return anthropic.Models(ctx, t.anthropic()) },
	},
}

func (t target) openai() openai.Options {
	return openai.Options{BaseURL: t.baseURL, Key: string(t.key), Model: t.name, PublicOnly: t.public}
}

func (t target) anthropic() anthropic.Options {
	return anthropic.Options{BaseURL: t.baseURL, Key: string(t.key), Model: t.name, PublicOnly: t.public}
}

// made keeps a nil pointer from becoming a model that is not nil.
func made[M llm.Model](m M, err error) (llm.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// localServers looks for servers of models on this machine.
func localServers(ctx context.Context) []classroom.ModelServer {
	var out []classroom.ModelServer
	for _, f := range openai.FindLocal(ctx) {
		out = append(out, classroom.ModelServer{Title: f.Title, BaseURL: f.BaseURL, Names: f.Models})
	}
	return out
}
