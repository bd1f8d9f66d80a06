package wire

import "regexp"

// tooLong are the ways in which providers say that a request does not fit:
// Anthropic, OpenAI, Gemini, xAI, Groq, Mistral, Cohere, Bedrock, Copilot,
// Moonshot, MiniMax, Qwen, Z.ai, OpenRouter, llama.cpp, LM Studio, Ollama, vLLM, TGI.
var overflowText = regexp.MustCompile(`(?i)` +
	`context.?(length|window|size|limit)|maximum context|exceed_context|request_too_large|string_above_max_length` +
	`|(prompt|input|request|conversation|messages?)[a-z ]* (is |are )?too (long|large)|prompt too long` +
	`|too many (input )?tokens|tokens? limit exceeded|exceeded model token limit` +
	`|(exceeds?|exceeded) (the |our |your )?(maximum|max|limit|available|model|configured limit|context)` +
	`|reduce the length|max(imum)? (input|prompt|model) (length|tokens)|maximum number of tokens` +
	`|range of input length|tokens \+ .max_new_tokens|must have less than [0-9]+ tokens`)

// other are complaints that sound alike: a rate, or an answer's own limit.
var notOverflow = regexp.MustCompile(`(?i)per (minute|hour|day)|rate.?limit|please wait|quota`)

var outputLimit = regexp.MustCompile(`(?i)\bmax_(completion_|output_)?tokens\b`)

var aboutInput = regexp.MustCompile(`(?i)context|prompt|input|messages`)

func overflows(text string) bool {
	if outputLimit.MatchString(text) && !aboutInput.MatchString(text) {
		return false
	}
	return overflowText.MatchString(text) && !notOverflow.MatchString(text)
}
