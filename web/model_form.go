package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/templates/locale"
)

// draftOf returns what a model's form holds. A typed name takes precedence over a
// picked one, unless it is the model's present name, which the form was filled with.
func draftOf(r *http.Request, m classroom.Model) templates.ModelDraft {
	f := r.PostForm
	d := templates.ModelDraft{
		Provider: m.Provider, BaseURL: m.BaseURL, Private: m.Private, Default: f.Has("default"),
		Title: f.Get("title"), Name: f.Get("name"), Thinking: f.Get("thinking"),
		Context: f.Get("context"), MaxOutput: f.Get("max_output"), Currency: f.Get("currency"),
		Input: f.Get("input"), Output: f.Get("output"),
		CacheRead: f.Get("cache_read"), CacheWrite: f.Get("cache_write"),
	}
	if typed := plainName(d.Name); f.Get("pick") != "" && (typed == "" || typed == m.Name) {
		d.Name = f.Get("pick")
	}
	return d
}

// changeOf returns the change that a draft asks for, and the numbers in it that are
// wrong.
func changeOf(d templates.ModelDraft) (modelChange, badNumbers) {
	var p classroom.ModelPrice
	var window, answer int
	var bad badNumbers
	for _, x := range []struct {
		name, text string
		to         *int64
	}{
		{"input", d.Input, &p.Input},
		{"output", d.Output, &p.Output},
		{"cache_read", d.CacheRead, &p.CacheRead},
		{"cache_write", d.CacheWrite, &p.CacheWrite},
	} {
		if !readPrice(x.text, x.to) {
			bad.prices = append(bad.prices, x.name)
		}
	}
	for _, x := range []struct {
		name, text string
		to         *int
	}{{"context", d.Context, &window}, {"max_output", d.MaxOutput, &answer}} {
		if !readCount(x.text, x.to) {
			bad.counts = append(bad.counts, x.name)
		}
	}
	return modelChange{
		Title: &d.Title, Name: &d.Name, Thinking: &d.Thinking,
		Context: &window, MaxOutput: &answer, Price: &p, Currency: &d.Currency,
	}, bad
}

// A badNumbers names the fields of a model's form whose numbers are wrong.
type badNumbers struct {
	prices, counts []string
}

func (b badNumbers) fields() []string { return append(slices.Clone(b.prices), b.counts...) }

// error names the fields by their labels in l; nil if all are right.
func (b badNumbers) error(l *locale.Language) error {
	var sentences []string
	add := func(fields []string, rule *classroom.Error) {
		if len(fields) > 0 {
			labels := templates.NumberLabels(l, fields...)
			sentences = append(sentences, l.Text("error.model_number", "Fields", labels, "Rule", l.Error(rule)))
		}
	}
	add(b.prices, classroom.ErrModelPrice)
	add(b.counts, classroom.ErrModelLimit)
	if len(sentences) == 0 {
		return nil
	}
	return classroom.ModelNumberError(strings.Join(sentences, " "))
}

// readPrice reads a number with at most six decimal places into millionths. The
// decimal mark may be a comma.
func readPrice(text string, to *int64) bool {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
	if text == "" {
		return true
	}
	whole, part, _ := strings.Cut(text, ".")
	if len(whole) == 0 {
		whole = "0"
	}
	digits := whole + part + strings.Repeat("0", max(0, 6-len(part)))
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || len(part) > 6 || n > maxPrice {
		return false
	}
	*to = int64(n)
	return true
}

// readCount reads a whole number, whose digits may be grouped by spaces.
func readCount(text string, to *int) bool {
	text = strings.Join(strings.Fields(text), "")
	if text == "" {
		return true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxTokens {
		return false
	}
	*to = n
	return true
}
