package templates

import (
	"context"
	"io"
	"strconv"
	"strings"

	"colloquy/templates/locale"
	"colloquy/templates/prose"

	"github.com/a-h/templ"
)

// t returns the text of key in the reader's language; values are pairs of name and value.
func t(ctx context.Context, key string, values ...any) string {
	return locale.Text(ctx, key, values...)
}

// count returns the text of key for n in the reader's language.
func count(ctx context.Context, key string, n int, values ...any) string {
	return locale.Count(ctx, key, n, values...)
}

// sentence is the text of key with elements inside it: parts are pairs of a name, which
// the text has as a value, and a component.
func sentence(key string, parts ...any) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		components := map[string]templ.Component{}
		values := make([]any, 0, len(parts))
		for i := 0; i+1 < len(parts); i += 2 {
			mark := "\x00" + strconv.Itoa(i) + "\x00"
			values = append(values, parts[i], mark)
			components[mark] = parts[i+1].(templ.Component)
		}
		rest := t(ctx, key, values...)
		for rest != "" {
			start := strings.IndexByte(rest, 0)
			if start < 0 {
				return writeEscaped(w, rest)
			}
			if err := writeEscaped(w, rest[:start]); err != nil {
				return err
			}
			end := start + 2 + strings.IndexByte(rest[start+1:], 0)
			if err := components[rest[start:end]].Render(ctx, w); err != nil {
				return err
			}
			rest = rest[end:]
		}
		return nil
	})
}

// ProseWords are the words of rendered texts in a language.
func ProseWords(l *locale.Language) prose.Words {
	return prose.Words{
		Table: l.Text("prose.table"), Done: l.Text("prose.done"), ToDo: l.Text("prose.to_do"),
		FormulaTooLarge: l.Text("prose.formula_too_large"), TooManyFormulas: l.Text("prose.too_many_formulas"),
		TableTooLarge: l.Text("prose.table_too_large"),
	}
}

func writeEscaped(w io.Writer, text string) error {
	_, err := io.WriteString(w, templ.EscapeString(text))
	return err
}
