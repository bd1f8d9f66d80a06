package templates

import (
	"context"
	"encoding/json"

	"colloquy/templates/locale"

	"github.com/a-h/templ"
)

// scriptWords are the words of the scripts, as JSON.
func scriptWords(ctx context.Context) string {
	out, _ := json.Marshal(locale.From(ctx).Section("script")) // strings only
	return string(out)
}

func pageTitle(title string) string {
	if title == "" {
		return "Colloquy"
	}
	return shorten(title, 120) + " · Colloquy"
}

// currentPage marks the link to the page that is open.
func currentPage(yes bool) templ.Attributes {
	if yes {
		return templ.Attributes{"aria-current": "page"}
	}
	return nil
}

// invalid marks a field whose value was refused; errorID is the element that says why.
func invalid(yes bool, errorID string) templ.Attributes {
	if !yes {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": errorID}
}
