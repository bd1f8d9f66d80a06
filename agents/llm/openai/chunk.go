package openai

import (
	"encoding/json"

	"colloquy/agents/llm/wire"
)

// A chunk is one event of an answer. Texts stay JSON, because a character may be split
// between two of them.
type chunk struct {
	Choices []choice
	Usage   *chunkUsage
}

type choice struct {
	Index        int
	Delta        chunkDelta
	Message      *chunkDelta // of a completion that is not streamed
	FinishReason string      `json:"finish_reason"`
	Usage        *chunkUsage
}

type chunkDelta struct {
	Content json.RawMessage // a string; from Mistral also a list of parts
	Refusal json.RawMessage
	reasoning[json.RawMessage]
	ReasoningDetails parts      `json:"reasoning_details"` // from OpenRouter
	ToolCalls        []callPart `json:"tool_calls"`
}

// A callPart is the part of a call in one delta.
type callPart struct {
	Index    json.RawMessage // some servers send none, or null
	ID       string
	Function struct {
		Name      string
		Arguments json.RawMessage // a string; from some servers an object
	}
	Extra *extraContent `json:"extra_content"`
}

func (c callPart) fragment() fragment {
	f := fragment{number: -1, id: c.ID, name: c.Function.Name, args: string(c.Function.Arguments)}
	if json.Unmarshal(c.Index, &f.number) != nil || f.number < 0 {
		f.number = -1
	}
	if c.Extra != nil {
		f.opaque = c.Extra.Google.Signature
	}
	return f
}

// extraContent contains Gemini's signature of a call, which Gemini needs back with it.
type extraContent struct {
	Google struct {
		Signature string `json:"thought_signature"`
	} `json:"google"`
}

// reasoning holds the fields in which providers send thinking.
type reasoning[T any] struct {
	ReasoningContent T `json:"reasoning_content,omitempty"`
	Reasoning        T `json:"reasoning,omitempty"`
	ReasoningText    T `json:"reasoning_text,omitempty"`
}

// reasoningFields are the names of the fields. The first one that is present counts.
var reasoningFields = []string{"reasoning_content", "reasoning", "reasoning_text"}

// fields returns the fields in the order of reasoningFields.
func (r *reasoning[T]) fields() []*T {
	return []*T{&r.ReasoningContent, &r.Reasoning, &r.ReasoningText}
}

// A part is one element of a list where most servers send a string.
type part struct {
	Type     string
	Text     json.RawMessage
	Thinking json.RawMessage // a string or a list of parts
	Summary  json.RawMessage
}

// parts is a list of parts. Any other JSON is an empty list.
type parts []part

// UnmarshalJSON reads the parts that can be read.
func (ps *parts) UnmarshalJSON(raw []byte) error {
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		return nil
	}
	for _, e := range elements {
		var p part
		if json.Unmarshal(e, &p) == nil {
			*ps = append(*ps, p)
		}
	}
	return nil
}

// partsOf reads a list of parts.
func partsOf(raw json.RawMessage) parts {
	var ps parts
	_ = json.Unmarshal(raw, &ps) // what is no list has no parts
	return ps
}

type chunkUsage struct {
	Prompt        *wire.Tokens `json:"prompt_tokens"`
	Completion    *wire.Tokens `json:"completion_tokens"`
	PromptDetails struct {
		Cached wire.Tokens `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		Reasoning wire.Tokens `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}
