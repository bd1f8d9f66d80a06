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

	"colloquy/classroom/address"
	"colloquy/classroom/provider"
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

	Endpoints map[string]Endpoint // by the id of the provider
}

// A ModelName is the value of --model: "tutor", or a provider's id, a colon and a name.
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
		"serve_model": "The model that answers: tutor (built in, needs no network and no key), " +
			eitherModel("NAME") + ". Unset, the settings page chooses it; at first that is the tutor.",
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
	var b strings.Builder
	line := func(name, meaning string) { fmt.Fprintf(&b, "\n  %-19s %s", name, meaning) }
	b.WriteString("Set in the environment only, because command lines can be read by others:\n")
	line("COLLOQUY_TOKEN", "a token of your choice that lets scripts use the API as the owner")
	for _, p := range provider.All() {
		line(p.KeyVariable(), "the key for --model "+p.ID+":NAME")
		line(p.URLVariable(), "another server with that protocol, such as "+p.ExampleURL)
	}
	return b.String()
}

// eitherModel returns the forms of --model with a name.
func eitherModel(name string) string {
	return provider.Either(func(p provider.Provider) string { return p.ID + ":" + name })
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
		Endpoints: map[string]Endpoint{},
	}
	for _, p := range provider.All() {
		c.Endpoints[p.ID] = Endpoint{
			BaseURL: os.Getenv(p.URLVariable()), Key: secret(os.Getenv(p.KeyVariable())),
		}
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

// endpoint returns the endpoint of the model that --model names.
func (c ServeConfig) endpoint() Endpoint { return c.Endpoints[c.Model.Provider] }

func (c ServeConfig) checkModel() error {
	if c.Model.Name == "" {
		return nil
	}
	at := c.endpoint()
	p, _ := provider.Find(c.Model.Provider)
	if at.BaseURL == "" && at.Key == "" {
		return fmt.Errorf("--model %s needs %s in the environment, or %s for a server of your own",
			c.Model, p.KeyVariable(), p.URLVariable())
	}
	if at.BaseURL == "" {
		return nil
	}
	u, err := url.Parse(at.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%s must start with http:// or https:// and name a host, for example %s",
			p.URLVariable(), p.ExampleURL)
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
	return err == nil && address.Of(host) == address.Loopback
}

func parseModel(name string) (ModelName, error) {
	id, model, hasName := strings.Cut(name, ":")
	switch {
	case name == "":
		return ModelName{}, nil
	case name == "tutor":
		return ModelName{Provider: "tutor"}, nil
	case protocols[id].make != nil && hasName && strings.TrimSpace(model) != "":
		return ModelName{Provider: id, Name: strings.TrimSpace(model)}, nil
	}
	return ModelName{}, fmt.Errorf("--model is %q; it must be tutor, or %s and the name of a model, "+
		"for example %s:gpt-4o-mini", name, eitherModel(""), provider.OpenAI.ID)
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
