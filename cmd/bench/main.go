//go:build linux

// Command bench measures the budgets of docs/benchmarks.md and prints them as
// a table, each beside a bare net/http broadcaster where that is the measure.
//
// # Order
//
// The measurements run one after another. Each starts a server as a process of
// its own on a loopback port, so that its CPU and memory can be told from the
// readers', and ends it. Both sides of a ratio are measured in the same run:
// compare ratios between machines, never milliseconds.
//
// # Not here
//
// No promise is tested here; that is what the tests are for.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	serve := flag.String("serve", "", "run as the server of a measurement: ours or bare")
	quick := flag.Bool("quick", false, "a tenth of the load, to see that everything runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch *serve {
	case "ours":
		err = serveOurs(ctx, os.Stdout)
	case "bare":
		err = serveBare(ctx, os.Stdout)
	default:
		err = measureAll(ctx, os.Stdout, *quick)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A row is one line of the table.
type row struct{ what, budget, ours, bare, ratio string }

func measureAll(ctx context.Context, out io.Writer, quick bool) error {
	scale := 1
	if quick {
		scale = 10
	}
	measures := []func(context.Context, int) ([]row, error){
		measureAppends, measureFanOut, measureIdle, measureFirstByte, measureReconnect, measurePage, measureBytes, measureStart,
	}
	fmt.Fprintln(out, "| what | budget | measured | bare broadcaster | ratio |\n| --- | --- | --- | --- | --- |")
	for _, measure := range measures {
		began := time.Now()
		rows, err := measure(ctx, scale)
		if err != nil {
			return err
		}
		for _, r := range rows {
			fmt.Fprintf(out, "| %s | %s | %s | %s | %s |\n", r.what, r.budget, r.ours, r.bare, r.ratio)
		}
		fmt.Fprintf(os.Stderr, "(%.0f s)\n", time.Since(began).Seconds())
	}
	return nil
}
