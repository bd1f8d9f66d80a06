package agents

// SystemPrompt is shown to the tests of the prompts.
var SystemPrompt = systemPrompt
