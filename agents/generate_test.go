package agents_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// TestGenerateReportsTheProvidersError: outside a session too, a model's error has
// its own code and sentence, and is not a server error.
func TestGenerateReportsTheProvidersError(t *testing.T) {
	for name, c := range map[string]struct {
		fault     error
		code, key string
	}{
		"key": {&llm.Error{Fault: llm.Credentials, Status: 401, Message: "The key was refused.",
			Err: errors.New("status 401")}, "credentials", "run_end.credentials"},
		"busy": {&llm.Error{Fault: llm.Overloaded, Status: 429, Message: "The model is busy."}, "overloaded",
			"run_end.overloaded"},
		"gone": {&llm.Error{Fault: llm.Unreachable, Message: "The model cannot be reached."}, "unreachable",
			"run_end.unreachable"},
		"odd": {errors.New("a nil map"), "upstream", "run_end.upstream"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			model := llmtest.New(llmtest.Reply{llmtest.Text("Well"), llmtest.Fail(c.fault)})
			k := newRuntimeRig(t, newMemoryStore(), model,
				func(o *agents.Options) { o.Logger = slog.New(slog.NewTextHandler(&out, nil)) })
			defer k.rt.Close()
			said, last := "", error(nil)
			for text, err := range k.rt.Generate(t.Context(), k.log.class, "Why?") {
				said, last = said+text, err
			}
			told, ok := errors.AsType[*classroom.Error](last)
			if !ok || told.Code != c.code || told.Key() != c.key || told.Params["model"] == "" || said != "Well" {
				t.Errorf("said %q, then %v", said, last)
			}
			if strings.Contains(out.String(), "level=ERROR") || !strings.Contains(out.String(), "code="+c.code) {
				t.Errorf("the server's log: %s", &out)
			}
		})
	}
}

// A reader that leaves is no error of the model.
func TestGenerateIsLeft(t *testing.T) {
	var out bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	stop()
	k := newRuntimeRig(t, newMemoryStore(), llmtest.New(llmtest.Say("Well.")),
		func(o *agents.Options) { o.Logger = slog.New(slog.NewTextHandler(&out, nil)) })
	defer k.rt.Close()
	for _, err := range k.rt.Generate(ctx, k.log.class, "Why?") {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if out.Len() > 0 {
		t.Error(out.String())
	}
}

// TestSearchOfNothing: where nothing matches, the result says so and lists the materials.
func TestSearchOfNothing(t *testing.T) {
	for want, names := range map[string][]string{
		"This class has no materials yet":            nil,
		"The materials are about: Light, Volcanoes.": {"Light", "Volcanoes"},
	} {
		lib := new(memoryLibrary)
		for _, name := range names {
			lib.add(name, "# "+name+"\n\nNothing of the kind.")
		}
		got, err := agents.SearchMaterials(lib).Run(t.Context(), agents.Call{Args: []byte(`{"query":"leaves"}`)})
		if err != nil || !strings.Contains(got.Text, want) {
			t.Errorf("%q, %v, want %q", got.Text, err, want)
		}
	}
}

// Limits that the schemas do not hold are checked by the tools, in a sentence for the model.
func TestToolsCheckTheirLimits(t *testing.T) {
	search, cue, long := agents.SearchMaterials(new(memoryLibrary)), agents.CueUser(), strings.Repeat("ä", 501)
	for name, c := range map[string]struct {
		tool       agents.Tool
		args, want string
	}{
		"long query":      {search, `{"query":"` + strings.Repeat("ä", 2001) + `"}`, "has 2001 characters;"},
		"empty query":     {search, `{"query":" "}`, "The query is empty."},
		"longest query":   {search, `{"query":"` + strings.Repeat("ä", 2000) + `"}`, ""},
		"long question":   {cue, `{"question":"` + long + `"}`, "longer than 500 characters"},
		"seven options":   {cue, `{"question":"Why?","options":["1","2","3","4","5","6","7"]}`, "more than 6 options"},
		"six options":     {cue, `{"question":"Why?","options":["1","2","3","4","5","6"]}`, ""},
		"long option":     {cue, `{"question":"Why?","options":["` + long[:242] + `"]}`, "longer than 120 characters"},
		"question of 500": {cue, `{"question":"` + long[:1000] + `"}`, ""},
	} {
		got, err := c.tool.Run(t.Context(), agents.Call{Args: []byte(c.args)})
		if err != nil || got.IsError != (c.want != "") || !strings.Contains(got.Text, c.want) {
			t.Errorf("%s: %v, %q, %v", name, got.IsError, got.Text, err)
		}
	}
}

// Nothing is found because the index is not finished: the result says that, and not that there is nothing.
func TestSearchWhileTheIndexIsRebuilt(t *testing.T) {
	lib := &memoryLibrary{reading: &classroom.Progress{Done: 200, Total: 900}}
	lib.add("Light", "# Light\n\nNothing of the kind.")
	got, err := agents.SearchMaterials(lib).Run(t.Context(), agents.Call{Args: []byte(`{"query":"leaves"}`)})
	found, ok := got.Details.(agents.SearchResult)
	if err != nil || !strings.Contains(got.Text, "200 of 900 materials") || strings.Contains(got.Text, "Light") {
		t.Errorf("%q, %v", got.Text, err)
	}
	if !ok || found.Reading == nil || *found.Reading != (classroom.Progress{Done: 200, Total: 900}) {
		t.Errorf("details %+v", got.Details)
	}
}
