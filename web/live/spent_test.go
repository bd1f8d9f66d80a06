package live

import "testing"

// A sum stays at the most that a page shows.
func TestSumIsBounded(t *testing.T) {
	if got := addUse(maxUse, 5); got != maxUse {
		t.Errorf("a sum beyond the most is %d", got)
	}
}
