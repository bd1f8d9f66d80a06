package tutor

import "testing"

func TestDefinitionsInPassingCount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"A tsunami is a series of long waves that flood coasts.":                    1,
		"It can cause a **tsunami**, which is a series of waves that flood coasts.": 0.7,
		"A seiche is a tsunami in a lake, as some people call it.":                  0.3,
	} {
		p := &passage{Text: text}
		p.read()
		if got := definition(p.units[0], parse("What is a tsunami?", nil).own()); got != want {
			t.Errorf("%q defines with %v, want %v", text, got, want)
		}
	}
}
