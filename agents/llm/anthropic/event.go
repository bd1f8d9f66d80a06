package anthropic

import "encoding/json"

// A streamEvent is one event of an answer, or a message that is not streamed. Texts
// stay JSON, because a character may be split between two of them.
type streamEvent struct {
	Type         string
	Index        int
	Message      struct{ Usage json.RawMessage }
	ContentBlock contentBlock `json:"content_block"`
	Delta        struct {
		Type        string
		Text        json.RawMessage
		Thinking    json.RawMessage
		PartialJSON json.RawMessage `json:"partial_json"`
		Signature   string
		StopReason  string                       `json:"stop_reason"`
		StopDetails struct{ Explanation string } `json:"stop_details"`
	}
	Usage json.RawMessage

	Content    []contentBlock // of a message that is not streamed
	StopReason string         `json:"stop_reason"`
}

type contentBlock struct {
	Type      string
	ID, Name  string
	Data      string
	Signature string
	Text      json.RawMessage
	Thinking  json.RawMessage
	Input     json.RawMessage
}
