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
	sessions := 0
	open := func() string {
		sessions++
		id := fmt.Sprint("s", sessions)
		m.open(id, "ada")
		return id
	}
	storetest.TestLeases(t, m, open)
	storetest.TestRunClasses(t, m, "c", open)
}
