package wire

import (
	"errors"
	"net/http"
	"regexp"
	"slices"

	"colloquy/agents/llm"
)

// noTools is the fact that a server refused a request for its tools.
const toolsRejected OptionalParam = "tools"

// The parts of toolsRefused.
const (
	quoteMark  = "[\"'`]?"
	toolsWord  = quoteMark + `(tools|functions|(tool|function)( param(eter)?s?|[ _-]?(use|usage|calls?|calling)))\b` + quoteMark
	toolsDeny  = `(\bnot|n['’]t|\bno|without)( (currently|yet|native(ly)?))* `
	toolsTake  = `(support|allow|accept|take|handle|enable|provide|offer|implement)(s|ed|ing)?` + toolsFor + ` `
	toolsFor   = `( for)?( (any|the|native|use of))*`
	toolsTaken = `(supported|allowed|accepted|available|enabled|permitted|implemented)`
	fieldOf    = `( request)?( name| field| param(eter)?| argument| key| property)?s?( supplied| provided)?[ :(]*`
)

// toolsRefused are the ways in which servers say that they take no tools, or not
// the grammar that they make of them: Ollama, llama.cpp, vLLM, OpenRouter, OpenAI,
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

// otherOfTools are complaints that sound alike: another field is refused beside tools.
var notAboutTools = regexp.MustCompile(`(?i)reasoning_effort|parallel[ _-]tool`)

// refusesTools reports whether a complaint says that the request's tools are not taken.
func (c apiError) refusesTools() bool {
	other := []int{
		http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusProxyAuthRequired,
		http.StatusRequestTimeout, http.StatusTooManyRequests,
	}
	client := c.status/100 == 4 && !slices.Contains(other, c.status)
	itself := c.status == 0 || c.status == http.StatusInternalServerError || c.status == http.StatusNotImplemented
	return (client || itself) && toolsRefused.MatchString(c.message) && !notAboutTools.MatchString(c.message)
}

// RefusesTools reports whether the server was seen to refuse tools.
func (m *Capabilities) RefusesTools() bool { return m.Known(toolsRejected) }

// learnTools keeps whether the server takes tools; tools says that the request held some.
func (m *Capabilities) recordTools(tools bool, err error) {
	var e *llm.Error
	switch {
	case !tools:
	case err == nil:
		m.Forget(toolsRejected)
	case errors.As(err, &e) && e.Fault == llm.ToolsRefused:
		m.Record(OptionalParams{toolsRejected})
	}
}
