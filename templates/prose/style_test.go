package prose

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/alecthomas/chroma/v2"
)

func sheet(t *testing.T, name string) string {
	t.Helper()
	css, err := os.ReadFile("../../static/css/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(css)
}

// Every class the writer uses for code has a colour, light and dark, that is read on the ground of code (WCAG AA).
func TestCodeColours(t *testing.T) {
	t.Parallel()
	pair := `light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`
	ground := regexp.MustCompile(`--inset: ` + pair).FindStringSubmatch(sheet(t, "tokens.css"))
	if ground == nil {
		t.Fatal("tokens.css has no --inset")
	}
	colours := map[string][]string{}
	for _, m := range regexp.MustCompile(`\.chroma \.([a-z]+) \{ color: `+pair).FindAllStringSubmatch(sheet(t,
		"code.css"), -1) {
		colours[m[1]] = m[2:]
	}
	for kind := range chroma.StandardTypes {
		class := classOf(kind)
		if class == "" {
			continue
		}
		for i, colour := range colours[class] {
			if c := contrast(colour, ground[i+1]); c < 4.5 {
				t.Errorf("%s: %s on %s has contrast %.2f", class, colour, ground[i+1], c)
			}
		}
		if colours[class] == nil {
			t.Errorf("%v: class %s has no colour", kind, class)
		}
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		c := float64(n) / 255
		if c <= 0.03928 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}

// What Temml would put into style attributes has a class in the sheet.
func TestFormulaClassesAreStyled(t *testing.T) {
	t.Parallel()
	css := sheet(t, "code.css")
	for declaration, class := range styles {
		if !regexp.MustCompile(`\.` + class + ` \{`).MatchString(css) {
			t.Errorf("%q: class %s is not in code.css", declaration, class)
		}
	}
}
