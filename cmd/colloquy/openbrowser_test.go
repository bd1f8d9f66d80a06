package main

import (
	"context"
	"os/exec"
	"slices"
	"testing"
)

func TestOpenerCommand(t *testing.T) {
	const url = "http://127.0.0.1:8080/?a=b&c=d"
	for system, want := range map[string][]string{
		"linux":   {"xdg-open", url},
		"freebsd": {"xdg-open", url},
		"darwin":  {"open", url},
		"windows": {"rundll32", "url.dll,FileProtocolHandler", url},
	} {
		if got := openerCommand(system, url); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", system, got, want)
		}
	}
}

// An opener that is missing or fails is an error; one that runs on is not waited for
// once the program is asked to stop.
func TestRunOpener(t *testing.T) {
	if err := runOpener(t.Context(), []string{"no-such-opener"}); err == nil {
		t.Error("a missing opener is no error")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	if err := runOpener(t.Context(), []string{"sh", "-c", "exit 3"}); err == nil {
		t.Error("an opener that fails is no error")
	}
	if err := runOpener(t.Context(), []string{"sh", "-c", "exit 0"}); err != nil {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := runOpener(stopped, []string{"sh", "-c", "read line"}); err != nil {
		t.Error(err)
	}
}
