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

// A complaint is what a provider says went wrong, in whatever form it says it.
type apiError struct {
	status     int    // 0 where there is none
	codes      string // its type and code, lower case
	message    string
	retryAfter time.Duration
}

// complaintOf reads {"error": {…}}, {"error": "…"}, {"message": …}, [{"error": …}] and plain text.
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
	c := apiError{message: jsonText(o["message"])}
	if c.message == "" {
		c.message = cmp.Or(jsonText(o["error"]), jsonText(o["detail"]))
	}
	var of struct{ Raw json.RawMessage } // what the provider behind OpenRouter said
	if json.Unmarshal(o["metadata"], &of) == nil && len(of.Raw) > 0 {
		c.message += ": " + jsonText(of.Raw)
	}
	for _, name := range []string{"type", "code", "status"} {
		w := jsonText(o[name])
		if n, err := strconv.Atoi(w); err == nil && n >= 400 && n < 600 {
			c.status = n
			continue
		}
		c.codes += " " + strings.ToLower(w)
	}
	return c
}

// word reads a JSON string, or anything else as it is written.
func jsonText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(raw))
}

var (
	noCredit       = regexp.MustCompile(`(?i)insufficient_quota|insufficient (balance|credit|funds)|billing|out of credits?|exceeded your current quota|credit balance`)
	badCredentials = regexp.MustCompile(`(?i)authentication|unauthorized|invalid_api_key|incorrect api key|api key not valid|permission_denied|permission_error`)
	temporary      = regexp.MustCompile(`(?i)overloaded|rate.?limit|too many requests|server_error|internal|unavailable|timeout|timed out|capacity|resource_exhausted|busy|try again`)
	contentFilter  = regexp.MustCompile(`(?i)content_filter|content_policy|content management policy|safety|moderation`)
	badRequest     = regexp.MustCompile(`(?i)invalid_request|invalid_argument|not_found|unsupported|bad_request|unprocessable`)
)

// fault sorts a complaint. Where it comes inside an answer that had begun, and
// says nothing known, the provider itself failed.
func (c apiError) fault() llm.Fault {
	all := c.codes + " " + c.message
	switch {
	case c.status == 413, c.status == 400 && c.message == "" && strings.TrimSpace(c.codes) == "":
		return llm.TooLong
	case c.status < 500 && c.status != 429 && overflows(all):
		return llm.TooLong
	case noCredit.MatchString(all) && c.status < 500, c.status == 402:
		return llm.Refused
	case c.refusesTools():
		return llm.ToolsRefused
	case c.status == 401, c.status == 403, c.status == 407:
		return llm.Credentials
	case c.status == 408, c.status == 409, c.status == 425, c.status == 429, c.status >= 500:
		return llm.Overloaded
	case c.status != 0:
		return llm.Refused
	case badCredentials.MatchString(all):
		return llm.Credentials
	case contentFilter.MatchString(c.codes), badRequest.MatchString(c.codes) && !temporary.MatchString(c.codes):
		return llm.Refused
	}
	return llm.Overloaded
}

// explain makes a complaint an error for people.
func (p *Provider) explainAPIError(c apiError) *llm.Error {
	f := c.fault()
	status := ""
	if c.status != 0 {
		status = fmt.Sprintf(" (status %d)", c.status)
	}
	e := &llm.Error{Fault: f, Status: c.status, RetryAfter: c.retryAfter, Message: capitalise(p.Name) + p.predicate(f, c, status)}
	if text := p.redact(strings.TrimSpace(c.codes + " " + c.message)); text != "" {
		e.Err = errors.New("provider says: " + text)
	}
	return e
}

// sentence goes on after the provider's name.
func (p *Provider) predicate(f llm.Fault, c apiError, status string) string {
	all := c.codes + " " + c.message
	switch {
	case f == llm.TooLong:
		return " cannot take a conversation of this length" + status + ". Start a new session, or choose a model that takes longer ones."
	case f == llm.ToolsRefused:
		return " cannot use tools with this model" + status + ". Ask without tools, or choose another model."
	case f == llm.Credentials && p.Key == "":
		return " wants a key and none is set" + status + ". Set the key that its provider gave you."
	case f == llm.Credentials:
		return " did not accept the key" + status + ". Check the key, and that it may use this model."
	case f == llm.Overloaded && c.status == 429:
		return " takes no more requests for now" + status + ". Try again in " + waitText(c.retryAfter) + "."
	case f == llm.Overloaded && c.retryAfter > 0:
		return " has trouble of its own" + status + ". Try again in " + waitText(c.retryAfter) + "."
	case f == llm.Overloaded:
		return " has trouble of its own" + status + ". Try again in a moment."
	case c.status == 402 || noCredit.MatchString(all):
		return " says that the account has no credit left" + status + ". Add credit there, or choose another model."
	case contentFilter.MatchString(all):
		return " would not answer this because of its content filter" + status + ". Ask in other words."
	case c.status == 404 && p.Model == "":
		return " has no list of models at this address" + status + ". Check the address, or write the model's name by hand."
	case c.status == 404:
		return fmt.Sprintf(" knows no model %q at this address%s. Check the model's name and the address.", p.Model, status)
	case c.status/100 == 3:
		return " sends requests on to another address" + status + ", where the key is not sent. Set the new address yourself."
	}
	return " refused the request" + status + ". Check the model's name and that it can use tools; the server's log says more."
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
