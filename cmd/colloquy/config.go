package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/mattn/go-isatty"
)

// A ServeConfig is what the workbench is told, checked and complete.
type ServeConfig struct {
	Addr  string        // HOST:PORT to listen on
	Data  string        // the folder that holds everything
	Open  bool          // open the page in a browser once it is ready
	Link  bool          // print a sign-in link also where there is an owner
	HTTPS bool          // a proxy in front speaks HTTPS: cookies are for that only
	Token secret        // the owner's API token; empty means that there is none
	Model ModelName     // the zero one leaves it to the settings page
	Pace  time.Duration // of the built-in tutor, per word; 0 means at once

	OpenAI, Anthropic Endpoint
}

// A ModelName is a model as --model names it: "tutor", "openai:NAME" or
// "anthropic:NAME".
type ModelName struct{ Provider, Name string }

// An Endpoint is where a provider is reached.
type Endpoint struct {
	BaseURL string // empty means the provider's own
	Key     secret
}

// A secret does not show itself when it is printed or logged by mistake.
type secret string

func (secret) String() string       { return "(hidden)" }
func (secret) GoString() string     { return "(hidden)" }
func (secret) LogValue() slog.Value { return slog.StringValue("(hidden)") }

// serveFlags are the flags of serve. Secrets are none of them: a command line
// can be read by everybody on the machine.
type serveFlags struct {
	Addr  string        `env:"COLLOQUY_ADDR" default:"127.0.0.1:8080" help:"Where to listen, as HOST:PORT. 0.0.0.0:8080 lets the whole network in."`
	Data  string        `env:"COLLOQUY_DATA" placeholder:"FOLDER" help:"The folder that holds everything. Unset, it is ${datafolder}."`
	Open  *bool         `negatable:"" help:"Open the page in a browser once it is ready. On by default in a terminal."`
	HTTPS bool          `name:"https" env:"COLLOQUY_HTTPS" help:"A proxy in front serves this over HTTPS: cookies are sent over HTTPS only."`
	Link  bool          `help:"Print a new one-time sign-in link for the owner: after signing out, or for another browser."`
	Model string        `env:"COLLOQUY_MODEL" help:"Who answers: tutor (built in, needs no network and no key), openai:NAME or anthropic:NAME. Unset, who is chosen on the settings page; that is the tutor at first."`
	Pace  time.Duration `env:"COLLOQUY_PACE" default:"30ms" help:"How long the built-in tutor takes for each word."`
}

// ignoreEmpty makes an empty variable count as one that is not set: files of
// settings often hold a name with nothing behind it.
func ignoreEmpty(k *kong.Kong) error {
	for _, node := range k.Model.Children {
		for _, flag := range node.Flags {
			flag.Tag.Envs = slices.DeleteFunc(flag.Tag.Envs, func(name string) bool {
				value, set := os.LookupEnv(name)
				return set && value == ""
			})
		}
	}
	return nil
}

// Help is printed below the flags.
func (serveFlags) Help() string {
	return `Set in the environment only, because command lines can be read by others:

  COLLOQUY_TOKEN      a token of your choice that lets scripts use the API as the owner
  OPENAI_API_KEY      the key for --model openai:NAME
  OPENAI_BASE_URL     another server that speaks the same protocol (Ollama, llama.cpp,
                      LM Studio, vLLM), for example http://127.0.0.1:11434/v1
  ANTHROPIC_API_KEY   the key for --model anthropic:NAME
  ANTHROPIC_BASE_URL  another server that speaks that protocol`
}

// Run checks what was said and serves until ctx ends.
func (f serveFlags) Run(ctx context.Context, to console) error {
	c, err := f.config(to.out)
	if err != nil {
		return err
	}
	if !c.loopback() {
		fmt.Fprintf(to.err, "Everybody on this network can reach %s, and what they send is not encrypted. "+
			"That suits a classroom's own network; see docs/operating.md for anything wider.\n", c.Addr)
	}
	return serve(ctx, c, to.out)
}

func (f serveFlags) config(out io.Writer) (ServeConfig, error) {
	c := ServeConfig{
		Addr: f.Addr, Data: f.Data, Pace: f.Pace, Open: terminal(out), Link: f.Link, HTTPS: f.HTTPS,
		Token:     secret(os.Getenv("COLLOQUY_TOKEN")),
		OpenAI:    endpointOf("OPENAI"),
		Anthropic: endpointOf("ANTHROPIC"),
	}
	if f.Open != nil {
		c.Open = *f.Open
	}
	var err error
	if c.Model, err = parseModel(f.Model); err != nil {
		return ServeConfig{}, err
	}
	if c.Data, err = dataFolder(f.Data); err != nil {
		return ServeConfig{}, err
	}
	return c, c.check()
}

// check returns everything that is wrong, one sentence each.
func (c ServeConfig) check() error {
	return errors.Join(checkAddr(c.Addr), c.checkModel(), c.checkToken(), c.checkPace())
}

func checkAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 {
		return fmt.Errorf("--addr is %q; it must be HOST:PORT with a port from 0 to 65535, for example 127.0.0.1:8080", addr)
	}
	return nil
}

// endpointOf reads where a provider is reached from its variables.
func endpointOf(provider string) Endpoint {
	return Endpoint{BaseURL: os.Getenv(provider + "_BASE_URL"), Key: secret(os.Getenv(provider + "_API_KEY"))}
}

// endpoint is that of the model that --model names.
func (c ServeConfig) endpoint() Endpoint {
	if c.Model.Provider == "anthropic" {
		return c.Anthropic
	}
	return c.OpenAI
}

func (c ServeConfig) checkModel() error {
	if c.Model.Name == "" {
		return nil
	}
	at, vars := c.endpoint(), strings.ToUpper(c.Model.Provider)
	if at.BaseURL == "" && at.Key == "" {
		return fmt.Errorf("--model %s needs %s_API_KEY in the environment, or %s_BASE_URL for a server of your own", c.Model, vars, vars)
	}
	if at.BaseURL == "" {
		return nil
	}
	u, err := url.Parse(at.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%s_BASE_URL must start with http:// or https:// and name a host, for example http://127.0.0.1:11434/v1", vars)
	}
	return nil
}

func (c ServeConfig) checkToken() error {
	if c.Token == "" {
		return nil
	}
	if len(c.Token) < 8 || strings.ContainsFunc(string(c.Token), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("COLLOQUY_TOKEN must have at least 8 characters: letters, digits and signs, no spaces")
	}
	return nil
}

func (c ServeConfig) checkPace() error {
	if c.Pace < 0 || c.Pace > 10*time.Second {
		return fmt.Errorf("--pace is %s; it must be from 0s to 10s, for example 30ms", c.Pace)
	}
	return nil
}

// loopback reports whether only this machine can reach the address.
func (c ServeConfig) loopback() bool {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func parseModel(name string) (ModelName, error) {
	provider, model, named := strings.Cut(name, ":")
	switch {
	case name == "":
		return ModelName{}, nil
	case name == "tutor":
		return ModelName{Provider: "tutor"}, nil
	case protocols[provider].make != nil && named && strings.TrimSpace(model) != "":
		return ModelName{Provider: provider, Name: strings.TrimSpace(model)}, nil
	}
	return ModelName{}, fmt.Errorf("--model is %q; it must be tutor, or openai: or anthropic: and the name of a model, for example openai:gpt-4o-mini", name)
}

// String names the model as --model does.
func (m ModelName) String() string {
	if m.Name == "" {
		return m.Provider
	}
	return m.Provider + ":" + m.Name
}

// terminal reports whether somebody is there to see what a program prints.
func terminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
