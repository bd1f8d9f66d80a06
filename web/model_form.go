package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"
)

// draftOf is what the form says. A name that was typed counts before one that
// was picked, unless it is only the present one still standing there.
func draftOf(r *http.Request, m classroom.Model) templates.ModelDraft {
	f := r.PostForm
	d := templates.ModelDraft{
		Provider: m.Provider, BaseURL: m.BaseURL, Private: m.Private, Default: f.Has("default"),
		Title: f.Get("title"), Name: f.Get("name"), Thinking: f.Get("thinking"), Context: f.Get("context"), MaxOutput: f.Get("max_output"),
		Input: f.Get("input"), Output: f.Get("output"), CacheRead: f.Get("cache_read"), CacheWrite: f.Get("cache_write"), Currency: f.Get("currency"),
	}
	if typed := plainName(d.Name); f.Get("pick") != "" && (typed == "" || typed == m.Name) {
		d.Name = f.Get("pick")
	}
	return d
}

// changeOf reads the numbers of a draft.
func changeOf(d templates.ModelDraft) (modelChange, badNumbers) {
	var p classroom.ModelPrice
	var window, answer int
	var bad badNumbers
	for _, x := range []struct {
		name, text string
		to         *int64
	}{{"input", d.Input, &p.Input}, {"output", d.Output, &p.Output}, {"cache_read", d.CacheRead, &p.CacheRead}, {"cache_write", d.CacheWrite, &p.CacheWrite}} {
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
		Title: &d.Title, Name: &d.Name, Thinking: &d.Thinking, Context: &window, MaxOutput: &answer, Price: &p, Currency: &d.Currency,
	}, bad
}

// A badNumbers says which fields of a model's form hold no number that fits.
type badNumbers struct {
	prices, counts []string
}

func (b badNumbers) fields() []string { return append(slices.Clone(b.prices), b.counts...) }

// error names the fields by their labels; nil where all are right.
func (b badNumbers) error() error {
	var said []string
	if len(b.prices) > 0 {
		said = append(said, "Please correct "+templates.NumberWords(b.prices...)+". "+classroom.ErrModelPrice.Message)
	}
	if len(b.counts) > 0 {
		said = append(said, "Please correct "+templates.NumberWords(b.counts...)+". "+classroom.ErrModelLimit.Message)
	}
	if len(said) == 0 {
		return nil
	}
	return classroom.ModelNumberError(strings.Join(said, " "))
}

// readPrice reads a number with at most six digits behind its point or comma, as
// millionths.
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
