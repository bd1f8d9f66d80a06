package prose

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

const (
	maxFormula   = 2 << 10 // bytes of TeX
	maxBraces    = 80      // groups in each other
	maxExpansion = 500     // macro expansions
)

//go:embed temml/temml.min.js
var temmlSource string

var (
	formulas = memo{room: 4 << 20}
	press    = &typesetter{patience: 5 * time.Second} // the limits above keep a formula far below
)

// defines finds commands that make new ones: a few of them make a short formula endless.
var defines = regexp.MustCompile(`\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet|global|long)(?:[^a-zA-Z@]|$)`)

// typeset gives a formula as MathML, or its source where it is none. Both are remembered.
func (b *budget) typeset(tex string, display bool) string {
	tex = strings.TrimSpace(tex)
	if b.tex -= len(tex) + formulaCost; b.tex < 0 || !settable(tex) {
		return source(tex)
	}
	key := "i" + tex
	if display {
		key = "d" + tex
	}
	if html, ok := formulas.get(key); ok {
		return html
	}
	html := source(tex)
	if mathml, err := press.set(tex, display); err == nil {
		html = mathml
	}
	formulas.put(key, html)
	return html
}

func source(tex string) string { return `<code class="tex">` + escape(tex) + "</code>" }

func settable(tex string) bool {
	deepest, depth := 0, 0
	for i := range len(tex) {
		switch tex[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		deepest = max(deepest, depth)
	}
	return tex != "" && len(tex) <= maxFormula && deepest <= maxBraces && !defines.MatchString(tex)
}

// A typesetter runs Temml in a JavaScript machine of its own. Loading takes tens of milliseconds and some megabytes,
// which the first formula pays.
type typesetter struct {
	patience time.Duration // for one formula

	mu     sync.Mutex
	vm     *goja.Runtime
	render goja.Callable
}

func (t *typesetter) set(tex string, display bool) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.load(); err != nil {
		return "", err
	}
	options := map[string]any{
		"displayMode": display, "throwOnError": true, "trust": false, "strict": false,
		"maxExpand": maxExpansion, "maxSize": []float64{20, 20}, "annotate": false,
	}
	vm := t.vm
	t.vm = nil // until it has come back in good order
	stop := time.AfterFunc(t.patience, func() { vm.Interrupt("time is up") })
	value, err := t.render(goja.Undefined(), vm.ToValue(tex), vm.ToValue(options))
	if stop.Stop() { // else the interrupt may come late and hit the next formula
		t.vm = vm
	}
	if err != nil {
		return "", fmt.Errorf("typeset %q: %w", tex, err)
	}
	return cleanMath(value.String())
}

func (t *typesetter) load() error {
	if t.vm != nil {
		return nil
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(2000)
	if _, err := vm.RunScript("temml.min.js", temmlSource); err != nil {
		return fmt.Errorf("load temml: %w", err)
	}
	render, ok := goja.AssertFunction(vm.Get("temml").ToObject(vm).Get("renderToString"))
	if !ok {
		return errors.New("load temml: no renderToString")
	}
	t.vm, t.render = vm, render
	return nil
}
