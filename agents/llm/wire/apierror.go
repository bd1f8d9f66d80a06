package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"colloquy/agents/llm"
)

// An apiError is an error that a provider reports.
type apiError struct {
	status     int    // 0 if there is none
	codes      string // its type, code and status, in lower case
	message    string
	retryAfter time.Duration
}

// parseAPIError reads {"error": {…}}, {"error": "…"}, {"message": …}, [{"error": …}] and plain text.
func parseAPIError(body []byte) apiError {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(body, &o) != nil {
		return apiError{message: strings.TrimSpace(string(body))}
	}
	var inner map[string]json.RawMessage
	if json.Unmarshal(o["error"], &inner) == nil && inner != nil {
		o = inner
	}
	e := apiError{message: jsonText(o["message"])}
	if e.message == "" {
		e.message = cmp.Or(jsonText(o["error"]), jsonText(o["detail"]))
	}
	var of struct{ Raw json.RawMessage } // the error of the provider behind OpenRouter
	if json.Unmarshal(o["metadata"], &of) == nil && len(of.Raw) > 0 {
		e.message += ": " + jsonText(of.Raw)
	}
	for _, name := range []string{"type", "code", "status"} {
		w := jsonText(o[name])
		if n, err := strconv.Atoi(w); err == nil && n >= 400 && n < 600 {
			e.status = n
			continue
		}
		e.codes += " " + strings.ToLower(w)
	}
	return e
}

// jsonText returns the text of a JSON string, or the source of any other value.
func jsonText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(raw))
}

var (
	noCredit = regexp.MustCompile(`(?i)insufficient_quota|insufficient (balance|credit|funds)|billing` +
		`|out of credits?|exceeded your current quota|credit balance`)
	badCredentials = regexp.MustCompile(`(?i)authentication|unauthorized|invalid_api_key|incorrect api key` +
		`|api key not valid|permission_denied|permission_error`)
	temporary = regexp.MustCompile(`(?i)overloaded|rate.?limit|too many requests|server_error|internal|unavailable` +
		`|timeout|timed out|capacity|resource_exhausted|busy|try again`)
	contentFilter = regexp.MustCompile(`(?i)content_filter|content_policy|content management policy|safety|moderation`)
	badRequest    = regexp.MustCompile(
		`(?i)invalid_request|invalid_argument|not_found|unsupported|bad_request|unprocessable`)
)

// fault classifies the error. An unknown error without a status, which came inside
// an answer, is a failure of the provider.
func (e apiError) fault() llm.Fault {
	all := e.codes + " " + e.message
	switch {
	case e.status == 413, e.status == 400 && e.message == "" && strings.TrimSpace(e.codes) == "":
		return llm.TooLong
	case e.status < 500 && e.status != 429 && overflows(all):
		return llm.TooLong
	case noCredit.MatchString(all) && e.status < 500, e.status == 402:
		return llm.Refused
	case e.refusesTools():
		return llm.ToolsRefused
	case e.status == 401, e.status == 403, e.status == 407:
		return llm.Credentials
	case e.status == 408, e.status == 409, e.status == 425, e.status == 429, e.status >= 500:
		return llm.Overloaded
	case e.status != 0:
		return llm.Refused
	case badCredentials.MatchString(all):
		return llm.Credentials
	case contentFilter.MatchString(e.codes), badRequest.MatchString(e.codes) && !temporary.MatchString(e.codes):
		return llm.Refused
	}
	return llm.Overloaded
}

// explainAPIError returns e as an error for users.
func (p *Provider) explainAPIError(e apiError) *llm.Error {
	f := e.fault()
	code, problem, advice := p.describe(f, e)
	if e.status != 0 {
		problem += fmt.Sprintf(" (status %d)", e.status)
	}
	out := p.newError(f, code, " "+problem+". "+advice, nil)
	out.Status, out.RetryAfter = e.status, e.retryAfter
	if text := p.redact(strings.TrimSpace(e.codes + " " + e.message)); text != "" {
		out.Err = errors.New("provider reports: " + text)
	}
	return out
}

// describe returns the code of a problem and the two sentences of its message: what
// the provider did, without its name, and what to do.
func (p *Provider) describe(f llm.Fault, e apiError) (code, problem, advice string) {
	all := e.codes + " " + e.message
	switch {
	case f == llm.TooLong:
		return "too_long", "does not accept a conversation of this length",
			"Start a new session, or choose a model that accepts longer ones."
	case f == llm.ToolsRefused:
		return "tools_refused", "cannot use tools with this model", "Ask without tools, or choose another model."
	case f == llm.Credentials && p.Key == "":
		return "no_key", "requires a key and none is set", "Set the key that its provider gave you."
	case f == llm.Credentials:
		return "bad_key", "did not accept the key", "Check the key, and that it may use this model."
	case f == llm.Overloaded && e.status == 429:
		return "busy", "accepts no more requests for now", "Try again in " + waitText(e.retryAfter) + "."
	case f == llm.Overloaded && e.retryAfter > 0:
		return "trouble", "has trouble of its own", "Try again in " + waitText(e.retryAfter) + "."
	case f == llm.Overloaded:
		return "trouble", "has trouble of its own", "Try again in a moment."
	case e.status == 402 || noCredit.MatchString(all):
		return "no_credit", "reports that the account has no credit left", "Add credit there, or choose another model."
	case contentFilter.MatchString(all):
		return "content_filter", "did not answer this because of its content filter", "Ask in other words."
	case e.status == 404 && p.Model == "":
		return "no_list", "has no list of models at this address",
			"Check the address, or write the model's name by hand."
	case e.status == 404:
		return "no_such_model", fmt.Sprintf("knows no model %q at this address", p.Model),
			"Check the model's name and the address."
	}
	return describeRefusal(e)
}

func describeRefusal(e apiError) (code, problem, advice string) {
	if e.status/100 == 3 {
		return "redirect", "redirects to another address",
			"The key is not sent there. Set the new address yourself."
	}
	return "refused", "refused the request",
		"Check the model's name and that it can use tools; the server's log has the reason."
}

func waitText(d time.Duration) string {
	switch seconds := int((d + time.Second - 1) / time.Second); {
	case seconds <= 0:
		return "a minute"
	case seconds == 1:
		return "1 second"
	case seconds < 120:
		return strconv.Itoa(seconds) + " seconds"
	default:
		return strconv.Itoa((seconds+59)/60) + " minutes"
	}
}
