package main

import (
	"context"

	"colloquy/agents/llm"
	"colloquy/agents/llm/anthropic"
	"colloquy/agents/llm/openai"
	"colloquy/agents/llm/wire"
	"colloquy/classroom"
	"colloquy/classroom/provider"
)

// A target is the server and the model of a request.
type target struct {
	baseURL    string
	key        secret
	name       string // empty if no model is needed
	publicOnly bool   // requests to addresses of this machine or its network are refused
}

// A protocol makes models that use it, and lists the models of a server.
type protocol struct {
	make func(target) (llm.Model, error)
	list func(context.Context, target) ([]string, error)
}

// protocols are the protocols of connected models, by the id of their provider.
var protocols = map[string]protocol{
	provider.OpenAI.ID: {
		make: func(t target) (llm.Model, error) { return orNil(openai.New(t.options())) },
		list: func(ctx context.Context, t target) ([]string, error) { return openai.Models(ctx, t.options()) },
	},
	provider.Anthropic.ID: {
		make: func(t target) (llm.Model, error) { return orNil(anthropic.New(t.options())) },
		list: func(ctx context.Context, t target) ([]string, error) { return anthropic.Models(ctx, t.options()) },
	},
}

func (t target) options() wire.Options {
	return wire.Options{BaseURL: t.baseURL, Key: string(t.key), Model: t.name, PublicOnly: t.publicOnly}
}

// orNil returns a nil model after an error: a nil pointer in an interface is not nil.
func orNil[M llm.Model](m M, err error) (llm.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// localServers returns the model servers that run on this machine.
func localServers(ctx context.Context) []classroom.ModelServer {
	var out []classroom.ModelServer
	for _, f := range openai.FindLocal(ctx) {
		out = append(out, classroom.ModelServer{Title: f.Title, BaseURL: f.BaseURL, Names: f.Models})
	}
	return out
}
