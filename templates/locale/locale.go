// Package locale holds every word of the product that people read, one file per
// language, and finds the text of a key in a reader's language.
//
// The files are TOML in the format of go-i18n: a key is a dotted path, its text is
// plain text and never HTML, and {{.Name}} stands for a value. A text that counts has
// the plural forms of its language (CLDR), which [Language.Count] chooses from.
//
// Texts are plain, so whoever puts one into HTML escapes it; values may be hostile and
// are inserted as they are. A key without a text in a language is read in English; a
// key that no file has is returned as it is, and the tests fail for it. Languages do
// not change while the program runs; all functions may be called concurrently.
//
// What an agent says is not here: it is text of the log. The commands of a terminal
// speak English.
package locale

import (
	"context"
	"fmt"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
)

// A Language is one language of the product.
type Language struct {
	Tag string // as in BCP 47, for the lang attribute
	Dir string // ltr or rtl

	localizer *i18n.Localizer
	messages  map[string]*i18n.Message // those that the language lacks are English
}

type contextKey struct{}

// With returns ctx with the language of what is rendered in it.
func With(ctx context.Context, l *Language) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// From returns the language of ctx, which is English if none was set.
func From(ctx context.Context) *Language {
	if l, ok := ctx.Value(contextKey{}).(*Language); ok {
		return l
	}
	return English()
}

// Text returns the text of key in the language of ctx. See [Language.Text].
func Text(ctx context.Context, key string, values ...any) string {
	return From(ctx).Text(key, values...)
}

// Count returns the text of key for n in the language of ctx. See [Language.Count].
func Count(ctx context.Context, key string, n int, values ...any) string {
	return From(ctx).Count(key, n, values...)
}

// Has reports whether there is a text for key.
func (l *Language) Has(key string) bool { return l.messages[key] != nil }

// Text returns the text of key with its values, which are pairs of a name and a value.
func (l *Language) Text(key string, values ...any) string {
	m := l.messages[key]
	if m == nil {
		return key
	}
	if len(values) == 0 && !hasForms(m) {
		return m.Other
	}
	return l.localize(key, nil, pairs(values))
}

// Count returns the text of key in the plural form for n, which the text calls {{.N}}.
func (l *Language) Count(key string, n int, values ...any) string {
	data := pairs(values)
	data["N"] = l.Number(n)
	return l.localize(key, n, data)
}

// Fill returns the text of key with params, and false if there is no such text. Both
// come from a log, so they may be anything.
func (l *Language) Fill(key string, params map[string]string) (string, bool) {
	if !l.Has(key) {
		return "", false
	}
	return l.localize(key, nil, params), true
}

// textParser leaves a value that is missing empty.
var textParser = &template.TextParser{Option: "missingkey=zero"}

func (l *Language) localize(key string, count, data any) string {
	text, err := l.localizer.Localize(&i18n.LocalizeConfig{
		MessageID: key, PluralCount: count, TemplateData: data, TemplateParser: textParser,
	})
	if err != nil && text == "" {
		return key
	}
	return text
}

func pairs(values []any) map[string]any {
	data := make(map[string]any, len(values)/2+1)
	for i := 0; i+1 < len(values); i += 2 {
		data[fmt.Sprint(values[i])] = values[i+1]
	}
	return data
}

// hasForms reports whether m has a plural form beside the one for other.
func hasForms(m *i18n.Message) bool {
	return m.Zero+m.One+m.Two+m.Few+m.Many != ""
}

// Section returns the texts below prefix, with their values not filled in, by the rest
// of their keys.
func (l *Language) Section(prefix string) map[string]string {
	out := map[string]string{}
	for key, m := range l.messages {
		if name, ok := strings.CutPrefix(key, prefix+"."); ok {
			out[name] = m.Other
		}
	}
	return out
}
