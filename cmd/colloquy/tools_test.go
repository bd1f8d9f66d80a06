package main

import (
	"encoding/json"
	"fmt"
	"testing"
)

// largestNumber is what a tool's schema may hold. llama.cpp makes a grammar of the
// schema and refuses a repetition of 2,000 with "failed to parse grammar".
const largestNumber = 999

// TestToolSchemasHoldSmallNumbers walks the schemas of all tools that a class can be offered.
func TestToolSchemasHoldSmallNumbers(t *testing.T) {
	tools := classTools(nil)
	if len(tools) == 0 {
		t.Fatal("no tool is offered")
	}
	for _, tool := range tools {
		var schema any
		if err := json.Unmarshal(tool.Input, &schema); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		for _, at := range largeNumbers(tool.Name, schema) {
			t.Errorf("%s is larger than %d: leave it out of the schema and check it in Run", at, largestNumber)
		}
	}
}

// TestToolSchemasAreStrict: the arguments of each tool are an object that has what
// the tool needs and nothing else, so that a wrong call is told to the model.
func TestToolSchemasAreStrict(t *testing.T) {
	for _, tool := range classTools(nil) {
		var schema struct {
			Type       string
			Properties map[string]any
			Required   []string
			Additional *bool `json:"additionalProperties"`
		}
		if err := json.Unmarshal(tool.Input, &schema); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		if schema.Type != "object" || schema.Additional == nil || *schema.Additional || len(schema.Required) == 0 {
			t.Errorf("the schema of %s is not strict: %s", tool.Name, tool.Input)
		}
		for _, name := range schema.Required {
			if schema.Properties[name] == nil {
				t.Errorf("%s requires %s and does not describe it", tool.Name, name)
			}
		}
	}
}

// The walk finds a number at any depth.
func TestLargeNumbersAreFound(t *testing.T) {
	var schema any
	text := `{"a":[{"b":{"maxLength":1000}},{"maxItems":999}],"maximum":1e9,"minimum":-5000}`
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	if got := largeNumbers("s", schema); len(got) != 3 {
		t.Errorf("found %q, want three", got)
	}
}

// largeNumbers are the paths of the numbers below v that are too large.
func largeNumbers(path string, v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			out = append(out, largeNumbers(path+"."+key, x)...)
		}
	case []any:
		for i, x := range v {
			out = append(out, largeNumbers(fmt.Sprintf("%s[%d]", path, i), x)...)
		}
	case float64:
		if v > largestNumber || v < -largestNumber {
			out = append(out, path)
		}
	}
	return out
}
