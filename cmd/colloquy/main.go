// Command colloquy is the whole product in one binary: the classroom workbench, and the
// commands that its operator runs in a terminal.
//
// # Order
//
// A subcommand is configured by flags, then the environment, then defaults, and the
// configuration is checked before anything is opened. Only this package connects store,
// models, runtime and web; they are closed in reverse order.
//
// # Delivery
//
// Results go to standard output, everything else to standard error. The exit status is 0
// after success and 1 after an error.
//
// # Not here
//
// Features are in the packages of their nouns.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "colloquy:", err)
		os.Exit(1)
	}
}

// A program is the command line for kong.
type program struct {
	Serve   serveFlags   `cmd:"" default:"withargs" help:"Start the workbench. The default command."`
	Replay  replayFlags  `cmd:"" help:"Print the discussion that a log holds. Asks no model."`
	Backup  backupFlags  `cmd:"" help:"Copy the data into one file, also while the workbench runs."`
	Doctor  doctorFlags  `cmd:"" help:"Check the data folder, the disk, the clock and the models, and say what to do."`
	Version versionFlags `cmd:"" help:"Say which version this is."`
}

// A console is the output of a subcommand.
type console struct{ out, err io.Writer }

// run runs the subcommand of args. Its error is a sentence for the person who typed them.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	helpPrinted := false // kong calls Exit after it has printed help
	parser, err := kong.New(new(program),
		kong.Name("colloquy"),
		kong.Description("A classroom workbench: ask a class of agents, watch them answer, keep every word."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helpPrinted = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.PostBuild(ignoreEmpty),
		helpTexts(),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(console{stdout, stderr}),
	)
	if err != nil {
		return fmt.Errorf("describe the command line: %w", err)
	}
	command, err := parser.Parse(args)
	if helpPrinted {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w. Type \"colloquy --help\" to see the commands", err)
	}
	return command.Run()
}
