package wire

import (
	"fmt"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/llmtest"
)

func message(text string) string {
	return fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error"}}`, text)
}

// The errors of servers without tools, in their own words.
func TestToolsRefused(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
	}{
		{400, llmtest.OllamaNoTools},
		{400, `{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}`},
		{400, message("registry.ollama.ai/library/qwen3:4b-thinking does not support tools")},
		{500, llmtest.LlamaCppNoJinja},
		{400, llmtest.LlamaCppGrammar},
		{500, `{"error":{"code":500,"message":"Unsupported param: tools","type":"server_error"}}`},
		{400, message("Failed to parse grammar")},
		{400, message("JSON schema conversion failed:\nUnrecognized schema: {}")},
		{400, message(`"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`)},
		{400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice","code":400}`},
		{404, `{"error":{"message":"No endpoints found that support tool use. To learn more, visit …","code":404}}`},
		{400, `{"error":{"message":"Provider error","metadata":{"raw":"{\"error\":\"tools are not supported\"}"}}}`},
		{400, message("Tools are not supported")},
		{400, message("tools is not supported in this model. For a list of supported models, refer to …")},
		{400, message("Unsupported parameter: 'tools' is not supported with this model.")},
		{400, message("Unrecognized request argument supplied: tools")},
		{400, message("Unrecognized request arguments supplied: functions")},
		{400, message("This model doesn't support tool use in streaming mode.")},
		{400, message("This model does not support function calling.")},
		{400, message("deepseek-reasoner does not support Function Calling")},
		{400, message("'claude-2.1' does not support tool use.")},
		{400, message("tools: Extra inputs are not permitted")},
		{422, `{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}`},
		{422, message("Failed to deserialize the JSON body: unknown field `tools`, expected one of `model`")},
		{400, `[{"error":{"message":"Function calling is not enabled for models/gemma-3","status":"INVALID"}}]`},
		{400, message("Function calling is not enabled for this model")},
		{400, message("`tool calling` is not supported with this model")},
		{400, message("Tool calling is currently not supported by this provider")},
		{400, message("Tool use isn’t available for this model")},
		{400, message("The model does not have tool calling enabled")},
		{400, message("This deployment has no support for tools")},
		{403, message("This model cannot use tools")},
		{501, message("tool_calls not implemented")},
		{400, "the chat template does not support tools"},
		{400, message("Invalid schema for function 'search_materials'")},
		{0, message("this model does not support tools")}, // inside a stream
	} {
		if f := faultOf(c.status, c.body); f != llm.ToolsRefused {
			t.Errorf("status %d, %s: %s", c.status, c.body, f)
		}
	}
}

// Similar errors about something else.
func TestToolsNotRefused(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
	}{
		{429, message("tools are not supported at this rate")},
		{503, message("this model does not support tools")},
		{401, message("your key does not support tools")},
		{402, message("tool use is not available without credit")},
		{404, message("model 'tools' not found")},
		{404, llmtest.OllamaNoModel},
		{404, message("No endpoints found for some/model")},
		{400, llmtest.LlamaCppTooLong},
		{503, llmtest.LlamaCppLoading},
		{400, message("Unsupported parameter: 'max_tokens' is not supported with this model. Use another.")},
		{400, message("Unrecognized request argument supplied: reasoning_effort")},
		{400, message("Function tools with reasoning_effort are not supported for this model.")},
		{400, message("This model does not support parallel tool calls")},
		{400, message("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.")},
		{400, message("Unsupported parameter: 'tool_choice' is not supported with this model.")},
		{400, message("Thinking may not be enabled when tool_choice forces tool use.")},
		{400, message("messages with role 'tool' must be a response to a preceding message with 'tool_calls'")},
		{400, message("No tool call found for function call output with call_id call_1")},
		{400, message("the preceding message does not have tool_calls")},
		{400, message("unexpected `tool_use_id` found in `tool_result` blocks: toolu_1")},
		{400, message("tool_use ids were found without tool_result blocks immediately after: toolu_1")},
		{400, message("Invalid 'tools': array too long. Expected an array with maximum length 128")},
		{400, `{"detail":[{"loc":["body","tools",0,"strict"],"msg":"Extra inputs are not permitted"}]}`},
		{400, message("This model does not support image input")},
		{400, message("System role not supported")},
		{400, message("Conversation roles must alternate user/assistant/user/assistant/...")},
		{400, message("Streaming is not supported")},
		{400, message("")},
		{500, message("internal error")},
	} {
		if f := faultOf(c.status, c.body); f == llm.ToolsRefused {
			t.Errorf("status %d, %s was classified as a refusal of tools", c.status, c.body)
		}
	}
}

func faultOf(status int, body string) llm.Fault {
	c := parseAPIError([]byte(body))
	if status != 0 {
		c.status = status
	}
	return c.fault()
}
