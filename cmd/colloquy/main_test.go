package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// say runs a command line and returns what it printed.
func say(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, warn bytes.Buffer
	err = run(t.Context(), args, &out, &warn)
	return out.String(), warn.String(), err
}

// clearEnv removes the settings of the person who runs the tests.
func clearEnv(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"COLLOQUY_ADDR", "COLLOQUY_DATA", "COLLOQUY_TOKEN", "COLLOQUY_MODEL", "COLLOQUY_PACE",
		"OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY",
	} {
		t.Setenv(name, "") // so that it comes back afterwards
		os.Unsetenv(name)
	}
	t.Setenv("HOME", t.TempDir())
}

func TestHelpListsWhatCanBeSet(t *testing.T) {
	clearEnv(t)
	out, _, err := say(t, "serve", "--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{
		"--addr", "--data", "--[no-]open", "--model", "--pace", "COLLOQUY_ADDR", "COLLOQUY_DATA",
		"COLLOQUY_TOKEN", "COLLOQUY_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "127.0.0.1:8080",
	} {
		if !strings.Contains(out, word) {
			t.Errorf("serve --help does not speak of %s", word)
		}
	}
}

func TestHelpListsTheSubcommands(t *testing.T) {
	out, _, err := say(t, "--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"serve", "replay", "backup", "doctor", "version"} {
		if !strings.Contains(out, word) {
			t.Errorf("--help does not speak of %s", word)
		}
	}
}

func TestVersionIsOneLine(t *testing.T) {
	out, _, err := say(t, "version")
	if err != nil || !strings.HasPrefix(out, "colloquy ") || strings.Count(out, "\n") != 1 {
		t.Errorf("version: %q, %v", out, err)
	}
}

func TestWhatCannotBeSaid(t *testing.T) {
	clearEnv(t)
	for _, c := range []struct {
		args []string
		want string // in the answer
	}{
		{[]string{"servee"}, "servee"},
		{[]string{"serve", "--adr=:1"}, "--adr"},
		{[]string{"serve", "--addr=8080"}, "HOST:PORT"},
		{[]string{"serve", "--addr=localhost:99999"}, "0 to 65535"},
		{[]string{"serve", "--model=gpt"}, "tutor"},
		{[]string{"serve", "--model=openai:"}, "name of a model"},
		{[]string{"serve", "--model=openai:x"}, "OPENAI_API_KEY"},
		{[]string{"serve", "--pace=-1s"}, "--pace"},
		{[]string{"serve", "--pace=soon"}, "--pace"},
		{[]string{"serve", "--open=maybe"}, "--open"},
		{[]string{"replay"}, "FILE"},
		{[]string{"backup"}, "FILE"},
	} {
		_, _, err := say(t, c.args...)
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "<file>", "FILE"), c.want) {
			t.Errorf("%q: %v, want a sentence with %q", c.args, err, c.want)
		}
	}
}
