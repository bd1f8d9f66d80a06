package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// parsed is the configuration that a command line and the environment give.
func parsed(t *testing.T, args ...string) (ServeConfig, error) {
	t.Helper()
	var p program
	parser, err := kong.New(&p, kong.PostBuild(ignoreEmpty), helpTexts())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Fatal(err)
	}
	return p.Serve.config(new(bytes.Buffer))
}

func TestDefaults(t *testing.T) {
	clearEnv(t)
	for _, args := range [][]string{nil, {"serve"}} {
		c, err := parsed(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		if c.Addr != "127.0.0.1:8080" || c.Model != (ModelName{}) || c.Open || c.Pace != 30*time.Millisecond ||
			!filepath.IsAbs(c.Data) {
			t.Errorf("%q gives %+v", args, c)
		}
	}
}

func TestFlagsOverEnvironmentOverDefaults(t *testing.T) {
	clearEnv(t)
	t.Setenv("COLLOQUY_ADDR", "127.0.0.1:1")
	t.Setenv("COLLOQUY_DATA", filepath.Join(t.TempDir(), "env"))
	t.Setenv("COLLOQUY_MODEL", "openai:env")
	t.Setenv("COLLOQUY_PACE", "1s")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1")
	c, err := parsed(t, "--addr=127.0.0.1:2", "--model=openai:flag:7b")
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:2" || c.Model != (ModelName{"openai", "flag:7b"}) || c.Pace != time.Second ||
		filepath.Base(c.Data) != "env" {
		t.Errorf("got %+v", c)
	}
}

// A file of settings may hold names with nothing behind them.
func TestEmptyVariablesAreNotSet(t *testing.T) {
	clearEnv(t)
	for _, name := range []string{
		"COLLOQUY_ADDR", "COLLOQUY_DATA", "COLLOQUY_MODEL", "COLLOQUY_PACE", "COLLOQUY_TOKEN", "OPENAI_BASE_URL",
	} {
		t.Setenv(name, "")
	}
	c, err := parsed(t)
	if err != nil || c.Addr != "127.0.0.1:8080" || c.Model != (ModelName{}) || c.Pace == 0 || c.Data == "" {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestOpen(t *testing.T) {
	clearEnv(t)
	for arg, want := range map[string]bool{
		"--open": true, "--open=true": true, "--open=false": false, "--no-open": false,
	} {
		if c, err := parsed(t, "serve", arg); err != nil || c.Open != want {
			t.Errorf("%s: %v, %v", arg, c.Open, err)
		}
	}
}

func TestEveryMistakeIsNamedAtOnce(t *testing.T) {
	clearEnv(t)
	t.Setenv("COLLOQUY_TOKEN", "two words")
	t.Setenv("OPENAI_BASE_URL", "localhost:11434")
	_, err := parsed(t, "--addr=nowhere", "--model=openai:x", "--pace=1h")
	if err == nil {
		t.Fatal("no mistake was found")
	}
	for _, word := range []string{"--addr", "OPENAI_BASE_URL", "COLLOQUY_TOKEN", "--pace"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%v\ndoes not speak of %s", err, word)
		}
	}
}

func TestSecretsDoNotShow(t *testing.T) {
	clearEnv(t)
	t.Setenv("COLLOQUY_TOKEN", "hush-hush-hush")
	t.Setenv("OPENAI_API_KEY", "hush-hush-hush")
	c, err := parsed(t)
	if err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	slog.New(slog.NewJSONHandler(&shown, nil)).Info("x", "token", c.Token, "key", c.Endpoints["openai"].Key)
	fmt.Fprintf(&shown, "%v %+v %#v %s", c, c, c, c.Token)
	if strings.Contains(shown.String(), "hush") || string(c.Token) != "hush-hush-hush" {
		t.Errorf("got %s", shown.String())
	}
}

func TestLoopback(t *testing.T) {
	for addr, want := range map[string]bool{
		"127.0.0.1:80": true, "localhost:80": true, "[::1]:80": true, "127.9.9.9:0": true,
		"0.0.0.0:80": false, ":80": false, "[::]:80": false, "192.168.1.5:80": false, "school.example:80": false,
	} {
		if got := (ServeConfig{Addr: addr}).loopback(); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
}

func TestUserData(t *testing.T) {
	for _, c := range []struct {
		system, name, value, want string
	}{
		{"linux", "XDG_DATA_HOME", "/d", "/d"},
		{"linux", "XDG_DATA_HOME", "relative", ""},
		{"linux", "HOME", "/h", "/h/.local/share"},
		{"darwin", "HOME", "/h", "/h/Library/Application Support"},
		{"windows", "LocalAppData", "/l", "/l"},
		{"linux", "", "", ""},
	} {
		got, err := userDataFolder(c.system, func(name string) string {
			if name == c.name {
				return c.value
			}
			return ""
		})
		if filepath.ToSlash(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %s=%s: %q, %v", c.system, c.name, c.value, got, err)
		}
	}
}
