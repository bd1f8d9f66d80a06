package main

import (
	"strings"
	"testing"

	"colloquy/classroom/provider"
)

// TestEveryProviderHasAProtocol: each provider that the pages and the flags offer makes
// models, named after it, at its default address.
func TestEveryProviderHasAProtocol(t *testing.T) {
	if len(protocols) != len(provider.All()) {
		t.Errorf("%d protocols for %d providers", len(protocols), len(provider.All()))
	}
	for _, p := range provider.All() {
		if protocols[p.ID].make == nil || protocols[p.ID].list == nil {
			t.Errorf("%s has no protocol", p.ID)
			continue
		}
		m, err := protocols[p.ID].make(target{name: "m", publicOnly: true})
		if err != nil || m.Name() != p.ID+":m" || !strings.HasPrefix(p.DefaultURL, "https://") {
			t.Errorf("%s makes %v, %v", p.ID, m, err)
		}
	}
}
