package wire

import (
	"errors"
	"net/http"
	"regexp"
	"slices"

	"colloquy/agents/llm"
)

// toolsRejected records that a server refused a request because of its tools.
const toolsRejected Fact = "tools"

// The parts of the pattern toolsRefused.
const (
	quoteMark  = "[\"'`]?"
	toolsWord  = quoteMark + `(tools|functions|(tool|function)` + toolsRest + `)\b` + quoteMark
	toolsRest  = `( param(eter)?s?|[ _-]?(use|usage|calls?|calling))`
	toolsDeny  = `(\bnot|n['’]t|\bno|without)( (currently|yet|native(ly)?))* `
	toolsTake  = `(support|allow|accept|take|handle|enable|provide|offer|implement)(s|ed|ing)?` + toolsFor + ` `
	toolsFor   = `( for)?( (any|the|native|use of))*`
	toolsTaken = `(supported|allowed|accepted|available|enabled|permitted|implemented)`
	fieldOf    = `( request)?( name| field| param(eter)?| argument| key| property)?s?( supplied| provided)?[ :(]*`
)

// toolsRefused matches the errors of servers that support no tools, or that cannot
// compile the grammar that they derive from the tools: Ollama, llama.cpp, vLLM, OpenRouter, OpenAI,
// Anthropic, Mistral, Gemini, Groq, Bedrock, and servers that check requests with
// Pydantic or serde.
var toolsRefused = regexp.MustCompile(`(?i)` +
	toolsDeny + toolsTake + toolsWord +
	`|\bnot have ` + toolsWord + ` (enabled|support|capabilit)` +
	`|` + toolsWord + `( (is|are|was|were))?( currently)?(n['’]t| not| only)( currently| yet)? ` + toolsTaken +
	`|` + toolsWord + `( (is|are))?( currently)? (unsupported|unavailable|disabled)` +
	`|\bno [a-z ]+ (that )?support(s|ing)? ` + toolsWord +
	`|\b(cannot|can['’]t|unable to) (use|call|handle) (tools|functions)\b` +
	`|(unknown|unrecogni[sz]ed|unexpected|unsupported|extra)` + fieldOf + quoteMark + `(tools|functions)\b` +
	`|\btools["'\]` + "`" + `]*[:,] ?("msg": ?")?extra (inputs|fields)` +
	`|tools param requires|requires --jinja|tool choice requires|requires --enable-auto-tool-choice` +
	`|(parse|parsing|compile|compiling|invalid|unsupported|initiali[sz]e)[a-z ]* grammar` +
	`|schema conversion failed|invalid schema for function`)

// notAboutTools matches similar errors that are about another field.
var notAboutTools = regexp.MustCompile(`(?i)reasoning_effort|parallel[ _-]tool`)

// refusesTools reports whether the error is about the tools of the request.
func (e apiError) refusesTools() bool {
	other := []int{
		http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusProxyAuthRequired,
		http.StatusRequestTimeout, http.StatusTooManyRequests,
	}
	clientError := e.status/100 == 4 && !slices.Contains(other, e.status)
	serverError := e.status == http.StatusInternalServerError || e.status == http.StatusNotImplemented
	return (clientError || serverError || e.status == 0) &&
		toolsRefused.MatchString(e.message) && !notAboutTools.MatchString(e.message)
}

// RefusesTools reports whether the server is known to refuse tools.
func (c *Capabilities) RefusesTools() bool { return c.Known(toolsRejected) }

// recordTools records whether the server accepts tools, from the result of a
// request. hadTools reports whether the request offered tools.
func (c *Capabilities) recordTools(hadTools bool, err error) {
	var e *llm.Error
	switch {
	case !hadTools:
	case err == nil:
		c.Forget(toolsRejected)
	case errors.As(err, &e) && e.Fault == llm.ToolsRefused:
		c.Record(toolsRejected)
	}
}
