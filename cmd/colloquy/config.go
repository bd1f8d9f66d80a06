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

// A ServeConfig is the configuration of serve, checked and complete.
type ServeConfig struct {
	Addr  string        // HOST:PORT to listen on
	Data  string        // the folder that holds everything
	Open  bool          // open the page in a browser once it is ready
	Link  bool          // print a sign-in link even if there is an owner
	HTTPS bool          // a proxy in front serves HTTPS: cookies are sent over HTTPS only
	Token secret        // the owner's API token; empty means that there is none
	Model ModelName     // empty: the settings page chooses the model
	Pace  time.Duration // of the built-in tutor, per word; 0 means no delay

	OpenAI, Anthropic Endpoint
}

// A ModelName is the value of --model: "tutor", "openai:NAME" or "anthropic:NAME".
type ModelName struct{ Provider, Name string }

// An Endpoint is the address and the key of a provider.
type Endpoint struct {
	BaseURL string // empty means the provider's default
	Key     secret
}

// A secret is hidden when it is printed or logged.
type secret string

func (secret) String() string       { return "(hidden)" }
func (secret) GoString() string     { return "(hidden)" }
func (secret) LogValue() slog.Value { return slog.StringValue("(hidden)") }

// serveFlags are the flags of serve. Secrets have no flags, because everybody on the
// machine can read a command line.
type serveFlags struct {
	Addr  string        `env:"COLLOQUY_ADDR" default:"127.0.0.1:8080" help:"${serve_addr}"`
	Data  string        `env:"COLLOQUY_DATA" placeholder:"FOLDER" help:"${serve_data}"`
	Open  *bool         `negatable:"" help:"${serve_open}"`
	HTTPS bool          `name:"https" env:"COLLOQUY_HTTPS" help:"${serve_https}"`
	Link  bool          `help:"${serve_link}"`
	Model string        `env:"COLLOQUY_MODEL" help:"${serve_model}"`
	Pace  time.Duration `env:"COLLOQUY_PACE" default:"30ms" help:"${serve_pace}"`
}

// helpTexts are the texts of flags; kong puts them in place of ${name}.
func helpTexts() kong.Vars {
	folder := helpFolder()
	return kong.Vars{
		"serve_addr":  "Where to listen, as HOST:PORT. 0.0.0.0:8080 lets the whole network in.",
		"serve_data":  "The folder that holds everything. Unset, it is " + folder + ".",
		"serve_open":  "Open the page in a browser once it is ready. On by default in a terminal.",
		"serve_https": "A proxy in front serves this over HTTPS: cookies are sent over HTTPS only.",
		"serve_link":  "Print a new one-time sign-in link for the owner: after signing out, or for another browser.",
		"serve_model": "The model that answers: tutor (built in, needs no network and no key), openai:NAME or " +
			"anthropic:NAME. Unset, the settings page chooses it; at first that is the tutor.",
		"serve_pace":  "How long the built-in tutor takes for each word.",
		"backup_file": "The new file to write. A file that exists is never overwritten.",
		"backup_data": "The folder to copy. Unset, it is " + folder + ".",
		"doctor_data": "The folder to look at. Unset, it is " + folder + ".",
	}
}

// ignoreEmpty makes an empty environment variable count as unset: env files often
// contain a name without a value.
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

// Run checks the configuration and serves until ctx ends.
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
		Addr: f.Addr, Data: f.Data, Pace: f.Pace, Open: isTerminal(out), Link: f.Link, HTTPS: f.HTTPS,
		Token:     secret(os.Getenv("COLLOQUY_TOKEN")),
		OpenAI:    endpointFromEnv("OPENAI"),
		Anthropic: endpointFromEnv("ANTHROPIC"),
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

// check returns all errors of the configuration, one sentence each.
func (c ServeConfig) check() error {
	return errors.Join(checkAddr(c.Addr), c.checkModel(), c.checkToken(), c.checkPace())
}

func checkAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 {
		return fmt.Errorf("--addr is %q; it must be HOST:PORT with a port from 0 to 65535, "+
			"for example 127.0.0.1:8080", addr)
	}
	return nil
}

// endpointFromEnv reads a provider's endpoint from the environment.
func endpointFromEnv(provider string) Endpoint {
	return Endpoint{BaseURL: os.Getenv(provider + "_BASE_URL"), Key: secret(os.Getenv(provider + "_API_KEY"))}
}

// endpoint returns the endpoint of the model that --model names.
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
		return fmt.Errorf("--model %s needs %s_API_KEY in the environment, "+
			"or %s_BASE_URL for a server of your own", c.Model, vars, vars)
	}
	if at.BaseURL == "" {
		return nil
	}
	u, err := url.Parse(at.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%s_BASE_URL must start with http:// or https:// and name a host, "+
			"for example http://127.0.0.1:11434/v1", vars)
	}
	return nil
}

func (c ServeConfig) checkToken() error {
	if c.Token == "" {
		return nil
	}
	unprintable := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(c.Token) < 8 || strings.ContainsFunc(string(c.Token), unprintable) {
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
	provider, model, hasName := strings.Cut(name, ":")
	switch {
	case name == "":
		return ModelName{}, nil
	case name == "tutor":
		return ModelName{Provider: "tutor"}, nil
	case protocols[provider].make != nil && hasName && strings.TrimSpace(model) != "":
		return ModelName{Provider: provider, Name: strings.TrimSpace(model)}, nil
	}
	return ModelName{}, fmt.Errorf("--model is %q; it must be tutor, or openai: or anthropic: "+
		"and the name of a model, for example openai:gpt-4o-mini", name)
}

// String returns the value of --model.
func (m ModelName) String() string {
	if m.Name == "" {
		return m.Provider
	}
	return m.Provider + ":" + m.Name
}

// isTerminal reports whether out is a terminal.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
