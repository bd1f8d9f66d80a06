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
	maxFormula   = 2 << 10  // bytes of TeX
	maxBraces    = 80       // groups in each other
	maxExpansion = 500      // macro expansions
	maxSteps     = 40_000   // of the typesetter: at most 200 ms
	maxMathML    = 64 << 10 // bytes
)

// formulaSteps is what every formula costs beside its steps.
const formulaSteps = 40

//go:embed temml/temml.min.js
var temmlSource string

var (
	formulas         = memo[rendered]{room: 4 << 20}
	sharedTypesetter = &typesetter{timeout: 30 * time.Second, maxBytes: maxMathML} // far above what maxSteps take
)

// macroDefinition matches macro definitions, which can make a short formula expand forever.
var macroDefinition = regexp.MustCompile(
	`\\(?:[egx]?def|(?:re)?newcommand|providecommand|let|futurelet|global|long)` + `(?:[^a-zA-Z@]|$)`)

// A rendered formula is MathML, or its source where it is none, and what it cost.
type rendered struct {
	html     string
	steps    int
	tooLarge bool // html is the source of a formula beyond the limits
}

// typeset returns a formula as MathML, or its source where it is none or the text has spent its budget.
func (b *budget) typeset(tex string, display bool, words Words) string {
	tex = strings.TrimSpace(tex)
	switch {
	case tex == "" || macroDefinition.MatchString(tex):
		return source(tex)
	case len(tex) > maxFormula || nesting(tex) > maxBraces:
		return source(tex) + notice(words.FormulaTooLarge)
	case b.steps > 0 && b.mathML > 0:
		f := renderCached(tex, display)
		b.steps -= f.steps + formulaSteps
		b.mathML -= len(f.html)
		if f.tooLarge {
			return f.html + notice(words.FormulaTooLarge)
		}
		return f.html
	case b.noticeShown:
		return source(tex)
	}
	b.noticeShown = true
	return source(tex) + notice(words.TooManyFormulas)
}

// renderCached remembers what became of each formula, with its cost: a text costs the same whether
// its formulas are new or not.
func renderCached(tex string, display bool) rendered {
	key := "i" + tex
	if display {
		key = "d" + tex
	}
	if f, ok := formulas.get(key); ok {
		return f
	}
	mathml, steps, err := sharedTypesetter.set(tex, display)
	f := rendered{html: mathml, steps: steps, tooLarge: errors.Is(err, errTooLarge)}
	if err != nil {
		f.html = source(tex)
	}
	formulas.put(key, f, len(f.html))
	return f
}

func source(tex string) string { return `<code class="tex">` + escape(tex) + "</code>" }

// nesting returns the nesting depth of the groups of a formula.
func nesting(tex string) int {
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
	return deepest
}

// A typesetter runs Temml in a JavaScript machine of its own. Loading takes tens of milliseconds and some megabytes,
// which the first formula pays.
type typesetter struct {
	timeout  time.Duration // for one formula
	maxBytes int           // of MathML for one formula

	mu     sync.Mutex
	vm     *goja.Runtime
	render goja.Callable
}

// errTooLarge is a formula that takes too many steps, too much time, or too many bytes.
var errTooLarge = errors.New("formula too large")

// set returns a formula as MathML, and the steps it took.
func (t *typesetter) set(tex string, display bool) (mathml string, steps int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.load(); err != nil {
		return "", 0, err
	}
	vm := t.vm
	t.vm = nil // until the call has succeeded
	_ = vm.Set("steps", 0)
	_ = vm.Set("maxSteps", maxSteps)
	stop := time.AfterFunc(t.timeout, func() { vm.Interrupt("time is up") })
	value, err := t.render(goja.Undefined(), vm.ToValue(tex), vm.ToValue(optionsFor(display)))
	inTime := stop.Stop()
	if inTime { // else the interrupt may come late and hit the next formula
		t.vm = vm
	}
	steps = int(vm.Get("steps").ToInteger())
	switch {
	case err != nil && (steps > maxSteps || !inTime):
		return "", steps, fmt.Errorf("typeset %q: %w: %w", tex, errTooLarge, err)
	case err != nil:
		return "", steps, fmt.Errorf("typeset %q: %w", tex, err)
	}
	mathml, err = cleanMath(value.String())
	if len(mathml) > t.maxBytes {
		return "", steps, fmt.Errorf("typeset %q: %w", tex, errTooLarge)
	}
	return mathml, steps, err
}

func optionsFor(display bool) map[string]any {
	return map[string]any{
		"displayMode": display, "throwOnError": true, "trust": false, "strict": false,
		"maxExpand": maxExpansion, "maxSize": []float64{20, 20}, "annotate": false,
	}
}

func (t *typesetter) load() error {
	if t.vm != nil {
		return nil
	}
	script, err := metered(temmlSource)
	if err != nil {
		return err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(2000)
	if _, err := vm.RunScript("temml.min.js", script); err != nil {
		return fmt.Errorf("load temml: %w", err)
	}
	render, ok := goja.AssertFunction(vm.Get("temml").ToObject(vm).Get("renderToString"))
	if !ok {
		return errors.New("load temml: no renderToString")
	}
	t.vm, t.render = vm, render
	return nil
}
