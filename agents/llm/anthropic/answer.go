package anthropic

import (
	"encoding/json"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// An answer is one answer of a model. It belongs to the goroutine that reads it.
type answer struct {
	*wire.Call

	blocks      map[int]*block
	ids         *wire.IDAllocator
	calls       int
	hasText     bool // some text is more than white space
	counts      counts
	usage       llm.Usage
	stopReason  string // why the model stopped
	explanation string // of a refusal
	stopped     bool   // message_stop has arrived
}

// run sends the request and emits the answer. It returns the finish reason or the
// error that ends the answer.
func (a *answer) run(p request) (llm.Reason, error) {
	err := wire.Run(a.Call, p, a.addEvent)
	switch {
	case a.Abandoned() || err != nil && !a.stopped:
		return "", err
	case !a.stopped, a.stopReason == "" && !a.hasText && a.calls == 0:
		return "", a.Server.Incomplete(nil)
	}
	return a.finish()
}

// addEvent emits the content of one event and reports whether to read the next one.
func (a *answer) addEvent(e streamEvent) bool {
	switch e.Type {
	case "message_start":
		a.reportUsage(e.Message.Usage)
	case "message_delta":
		a.reportUsage(e.Usage)
		a.stopReason, a.explanation = e.Delta.StopReason, e.Delta.StopDetails.Explanation
		if a.stopReason != "" {
			a.ExpectEnd()
		}
	case "message": // one that is not streamed
		for i, c := range e.Content {
			a.startBlock(i, c)
			a.endBlock(i)
		}
		a.reportUsage(e.Usage)
		a.stopReason, a.stopped = e.StopReason, true
	case "message_stop":
		a.stopped = true
	case "content_block_start":
		a.startBlock(e.Index, e.ContentBlock)
	case "content_block_delta":
		a.addDelta(e)
	case "content_block_stop":
		a.endBlock(e.Index)
	}
	return !a.stopped
}

func (a *answer) finish() (llm.Reason, error) {
	detail := "stop reason " + a.stopReason
	switch a.stopReason {
	case "max_tokens":
		return llm.Length, nil
	case "refusal", "sensitive":
		return "", a.Server.Reported("content_filter", strings.TrimSpace(detail+" "+a.explanation))
	case "model_context_window_exceeded":
		return "", a.Server.Reported("context_length_exceeded", detail)
	}
	if a.calls > 0 {
		return llm.ToolUse, nil
	}
	return llm.Stop, nil
}

// counts are the counts of the usages so far. A usage without a count leaves its last
// value.
type counts struct {
	Input      wire.Tokens `json:"input_tokens"`
	Output     wire.Tokens `json:"output_tokens"`
	CacheRead  wire.Tokens `json:"cache_read_input_tokens"`
	CacheWrite wire.Tokens `json:"cache_creation_input_tokens"`
	Details    struct {
		Thinking wire.Tokens `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

func (a *answer) reportUsage(raw json.RawMessage) {
	_ = json.Unmarshal(raw, &a.counts) // there may be none; what is no count is skipped
	c := a.counts
	u := llm.Usage{
		Input: int(c.Input), Output: int(c.Output), CacheRead: int(c.CacheRead),
		CacheWrite: int(c.CacheWrite), Reasoning: int(c.Details.Thinking),
	}
	if u != a.usage {
		a.usage = u
		a.Emit(llm.Event{Kind: llm.UsageReport, Usage: u})
	}
}
