package templates

import (
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

func sampleModels() []classroom.Model {
	return []classroom.Model{
		{
			ID:       "m1",
			Title:    "Our chat model",
			Provider: "openai",
			BaseURL:  "https://api.example.org/v1",
			Name:     "chat-4-mini",
			HasKey:   true,
			Thinking: "low",
			Context:  128_000,
			Price:    classroom.ModelPrice{Input: 150_000, Output: 600_000, CacheRead: 75_000},
			Currency: "EUR",
		},
		{
			ID:       "m2",
			Provider: "openai",
			BaseURL:  "http://127.0.0.1:11434/v1",
			Name:     "llama3.2:3b-instruct-q4_K_M",
			Private:  true,
		},
		{ID: "m3", Provider: "anthropic", BaseURL: "https://api.anthropic.com", HasKey: true},
	}
}

func sampleChoice() ModelChoice {
	return ModelChoice{Models: sampleModels(), Default: "m1", DefaultLabel: "chat-4-mini at api.example.org"}
}

func sampleSpent() classroom.Spent {
	cost := int64(1_234_567)
	return classroom.Spent{
		Usage:    classroom.Usage{Input: 1_204_311, Output: 80_412, CacheRead: 600_000, Reasoning: 12_000},
		Cost:     &cost,
		Currency: "EUR",
	}
}

func sampleSettings(p Prefs) Settings {
	page := samplePage("Settings", p)
	page.Tutor, page.Model = false, "chat-4-mini at api.example.org"
	return Settings{
		Page:       page,
		Nav:        sampleNav("", ""),
		CanConnect: true,
		Choice:     sampleChoice(),
		Error:      locale.Match(p.Language).Error(classroom.ErrModelPrivate),
		Draft:      ModelDraft{Provider: "anthropic", BaseURL: "http://127.0.0.1:1234/v1"},
		Local: LocalModels{Searched: true, Servers: []classroom.ModelServer{
			{Title: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Names: []string{"llama3.2:3b", "qwen3:8b"}},
			{Title: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1"},
		}},
	}
}

func sampleModelPage(p Prefs, finished bool) ModelPageView {
	m := sampleModels()[0]
	v := ModelPageView{
		Page:   samplePage("Model", p),
		Nav:    sampleNav("", ""),
		Model:  m,
		Draft:  DraftOf(m),
		Choice: sampleChoice(),
		UsedBy: []string{"Biology 9b", "Ada in History 7a"},
		Test: ModelTestView{
			Done:      true,
			ModelTest: classroom.ModelTest{Answer: "Ready", AfterMS: 640, Streamed: true, Called: true},
		},
	}
	if !finished {
		v.Model.Name, v.Draft.Name, v.Test, v.UsedBy, v.Choice.Default = "", "", ModelTestView{}, nil, ""
		v.Listed, v.Names = true, []string{"chat-4", "chat-4-mini", "chat-4-think"}
	}
	return v
}

func TestPriceAndMoney(t *testing.T) {
	for n, want := range map[int64]string{
		0: "", 2_500_000: "2.50", 150_000: "0.15", 75_000: "0.075", 1: "0.000001", 12_000_000: "12.00",
	} {
		if got := inputPrice(n); got != want {
			t.Errorf("price of %d is %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0.0000", 12: "0.000012", 1_500: "0.0015", 1_234_567: "1.23"} {
		if got := formatMoney(t.Context(), n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestGoneModelIsNamed(t *testing.T) {
	class := classroom.Class{ID: "c1", Model: "gone", Roster: roster()}
	page := render(t, ClassPage(ClassPageView{Class: class, Choice: sampleChoice()}))
	if !strings.Contains(page, "A model that is no longer connected") {
		t.Error("the page does not say that the class's model is gone")
	}
}
