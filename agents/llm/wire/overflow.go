package wire

import "regexp"

// overflowText matches the errors of requests that exceed the model's context:
// Anthropic, OpenAI, Gemini, xAI, Groq, Mistral, Cohere, Bedrock, Copilot,
// Moonshot, MiniMax, Qwen, Z.ai, OpenRouter, llama.cpp, LM Studio, Ollama, vLLM, TGI.
var overflowText = regexp.MustCompile(`(?i)` +
	`context.?(length|window|size|limit)|maximum context|exceed_context|request_too_large|string_above_max_length` +
	`|(prompt|input|request|conversation|messages?)[a-z ]* (is |are )?too (long|large)|prompt too long` +
	`|too many (input )?tokens|tokens? limit exceeded|exceeded model token limit` +
	`|(exceeds?|exceeded) (the |our |your )?(maximum|max|limit|available|model|configured limit|context)` +
	`|reduce the length|max(imum)? (input|prompt|model) (length|tokens)|maximum number of tokens` +
	`|range of input length|tokens \+ .max_new_tokens|must have less than [0-9]+ tokens`)

// notOverflow matches similar errors that are about a rate or a quota.
var notOverflow = regexp.MustCompile(`(?i)per (minute|hour|day)|rate.?limit|please wait|quota`)

// An error about the limit of an answer is no overflow, unless it also mentions the
// input.
var outputLimit = regexp.MustCompile(`(?i)\bmax_(completion_|output_)?tokens\b`)
var aboutInput = regexp.MustCompile(`(?i)context|prompt|input|messages`)

func overflows(text string) bool {
	if outputLimit.MatchString(text) && !aboutInput.MatchString(text) {
		return false
	}
	return overflowText.MatchString(text) && !notOverflow.MatchString(text)
}
