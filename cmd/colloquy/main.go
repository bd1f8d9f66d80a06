// Command colloquy is the whole product in one file: the classroom workbench
// and the few things its keeper does from a terminal.
//
// # Order
//
// What a subcommand is told comes from flags, over the environment, over
// defaults, and is checked before anything is opened. Stores, models, runtime
// and web meet here and nowhere else; they are closed last first.
//
// # Delivery
//
// What was asked for goes to standard output, everything else to standard
// error. The exit status is 0 when all went well and 1 when it did not.
//
// # Not here
//
// No feature: each lives in the package that its noun names.
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
	context.AfterFunc(ctx, stop) // asked a second time, the process ends at once
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "colloquy:", err)
		os.Exit(1)
	}
}

// A program is the command line as kong reads it.
type program struct {
	Serve   serveFlags   `cmd:"" default:"withargs" help:"Start the workbench. This is what happens without a subcommand."`
	Replay  replayFlags  `cmd:"" help:"Print the discussion that a log holds. Asks no model."`
	Backup  backupFlags  `cmd:"" help:"Copy the data into one file, also while the workbench runs."`
	Doctor  doctorFlags  `cmd:"" help:"Look at the data folder, the disk, the clock and the models, and say what to do."`
	Version versionFlags `cmd:"" help:"Say which version this is."`
}

// A console is where a subcommand writes.
type console struct{ out, err io.Writer }

// run is the program: it reads args, does what they say, and returns what went
// wrong in words for whoever typed them.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	left := false // kong has printed help and would have left the process
	parser, err := kong.New(new(program),
		kong.Name("colloquy"),
		kong.Description("A classroom workbench: ask a class of agents, watch them answer, keep every word."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { left = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.PostBuild(ignoreEmpty),
		kong.Vars{"datafolder": shownFolder()},
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(console{stdout, stderr}),
	)
	if err != nil {
		return fmt.Errorf("describe the command line: %w", err)
	}
	command, err := parser.Parse(args)
	if left {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w. Type \"colloquy --help\" to see the commands", err)
	}
	return command.Run()
}
