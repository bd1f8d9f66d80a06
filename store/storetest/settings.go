package storetest

import (
	"testing"
)

func testSettings(t *testing.T, s Store) {
	if v, ok, err := s.Setting(t.Context(), "key"); v != "" || ok || err != nil {
		t.Errorf("an unset key is %q, %v, %v", v, ok, err)
	}
	for _, want := range []string{"one", "two", ""} {
		if err := s.SetSetting(t.Context(), "key", want); err != nil {
			t.Fatal(err)
		}
		if v, ok, err := s.Setting(t.Context(), "key"); v != want || !ok || err != nil {
			t.Errorf("key is %q, %v, %v, want %q", v, ok, err, want)
		}
	}
}
