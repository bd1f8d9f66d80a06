package static

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

var svgBody = regexp.MustCompile(`(?s)<svg[^>]*>(.*)</svg>`)

// Sprite is an SVG element that defines every icon as a symbol with the id
// "i-NAME". A page holds it once and shows an icon by <use href="#i-NAME">,
// so that icons take their colour from the text around them.
var Sprite = sync.OnceValue(func() string {
	names, _ := fs.Glob(embedded, "vendor/lucide/*.svg")
	var out strings.Builder
	out.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" class="sprite" aria-hidden="true" focusable="false">`)
	for _, name := range names {
		body, err := embedded.ReadFile(name)
		if err != nil {
			continue
		}
		inner := svgBody.FindSubmatch(body)
		if inner == nil {
			continue
		}
		id := strings.TrimSuffix(path.Base(name), ".svg")
		out.WriteString(`<symbol id="i-` + id + `" viewBox="0 0 24 24">`)
		out.WriteString(strings.Join(strings.Fields(string(inner[1])), " "))
		out.WriteString(`</symbol>`)
	}
	out.WriteString(`</svg>`)
	return out.String()
})

// Icons names the icons of the [Sprite].
func Icons() []string {
	names, _ := fs.Glob(embedded, "vendor/lucide/*.svg")
	out := make([]string, 0, len(names))
	for _, name := range names {
		out = append(out, strings.TrimSuffix(path.Base(name), ".svg"))
	}
	return out
}
