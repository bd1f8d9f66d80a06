package agents_test

import (
	"testing"

	"colloquy/store/storetest"
)

// TestMemoryStore: the runtime's tests run on a double, which keeps what a store keeps.
func TestMemoryStore(t *testing.T) {
	m := newMemoryStore()
	m.open("s", "ada")
	storetest.TestRunLog(t, m, "s")
}
