package prose

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

const (
	maxFormula   = 4 << 10         // bytes of TeX
	formulaFor   = 2 * time.Second // one formula; those that are met in lessons take milliseconds
	maxExpansion = 500             // macro expansions of one formula
)

//go:embed temml/temml.min.js
var temmlSource string

var (
	formulas = memo{room: 4 << 20}
	press    typesetter
)

// typeset gives a formula as MathML, or its source where it is no formula. Both are remembered.
func typeset(tex string, display bool) string {
	tex = strings.TrimSpace(tex)
	key := "i" + tex
	if display {
		key = "d" + tex
	}
	if html, ok := formulas.get(key); ok {
		return html
	}
	html := `<code class="tex">` + escape(tex) + "</code>"
	if mathml, err := press.set(tex, display); err == nil {
		html = mathml
	}
	formulas.put(key, html)
	return html
}

// A typesetter runs Temml in a JavaScript machine of its own. Loading takes tens of milliseconds and some megabytes,
// which the first formula pays.
type typesetter struct {
	mu     sync.Mutex
	vm     *goja.Runtime
	render goja.Callable
}

var errTooLong = errors.New("formula too long")

func (t *typesetter) set(tex string, display bool) (string, error) {
	if len(tex) > maxFormula {
		return "", errTooLong
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.load(); err != nil {
		return "", err
	}
	options := map[string]any{
		"displayMode": display, "throwOnError": true, "trust": false, "strict": false,
		"maxExpand": maxExpansion, "maxSize": []float64{20, 20}, "annotate": false,
	}
	stop := time.AfterFunc(formulaFor, func() { t.vm.Interrupt("time is up") })
	value, err := t.render(goja.Undefined(), t.vm.ToValue(tex), t.vm.ToValue(options))
	if !stop.Stop() {
		t.vm = nil // an interrupt may come late and would hit the next formula
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
