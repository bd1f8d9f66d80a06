package agents_test

import (
	"fmt"
	"testing"

	"colloquy/store/storetest"
)

// TestMemoryStore: the runtime's tests run on a double, which keeps what a store keeps.
func TestMemoryStore(t *testing.T) {
	m := newMemoryStore()
	m.open("s", "ada")
	storetest.TestRunLog(t, m, "s")
	m.open("leased", "ada")
	storetest.TestRunLeases(t, m, "leased")
	n := 0
	storetest.TestRunClasses(t, m, "c", func() string {
		n++
		id := fmt.Sprint("s", n)
		m.open(id, "ada")
		return id
	})
}
