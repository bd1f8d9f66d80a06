package wire

import (
	"regexp"
	"strings"
	"unicode"
)

// maxDetail limits the characters of a provider's own error text.
const maxDetail = 500

var keyPattern = regexp.MustCompile(`(?i)\b(sk|pk|gsk|key|xai|hf|aiza)[-_][A-Za-z0-9_*.-]{4,}` +
	`|\bAIza[A-Za-z0-9_-]{8,}|\bbearer +[^\s"]+`)

// redact makes text of a provider safe for a log: without keys, on one line, not long.
func (p *Provider) redact(text string) string {
	if p.Key != "" {
		text = strings.ReplaceAll(text, p.Key, "[key]")
	}
	text = keyPattern.ReplaceAllString(text, "[key]")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if runes := []rune(text); len(runes) > maxDetail {
		text = string(runes[:maxDetail]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}

// redactError returns err with redacted text. errors.Is and errors.As still see err.
func (p *Provider) redactError(err error) error {
	if err == nil {
		return nil
	}
	return redactedError{p.redact(err.Error()), err}
}

type redactedError struct {
	text string
	err  error
}

func (h redactedError) Error() string { return h.text }
func (h redactedError) Unwrap() error { return h.err }
