package anthropic

import (
	"encoding/json"
	"fmt"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
)

// addWholeMessage reads a message that is not streamed as the events of a stream.
// It reports whether to read the next event.
func (a *answer) addWholeMessage(raw string) bool {
	var m struct {
		Content []json.RawMessage
		Reason  json.RawMessage `json:"stop_reason"`
		Usage   json.RawMessage
	}
	if json.Unmarshal([]byte(raw), &m) != nil {
		return true
	}
	var events []string
	for i, block := range m.Content {
		events = append(events,
			fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, block),
			fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
	}
	end := fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%s},"usage":%s}`,
		orNull(m.Reason), orNull(m.Usage))
	events = append(events, end, `{"type":"message_stop"}`)
	for _, text := range events {
		var e sdk.MessageStreamEventUnion
		if e.UnmarshalJSON([]byte(text)) != nil {
			continue
		}
		if !a.addEvent(e) {
			return false
		}
	}
	return true
}

func orNull(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "null"
	}
	return string(raw)
}
