//go:build linux

// Command bench measures the budgets of docs/benchmarks.md and prints them as
// a table, each beside a bare net/http broadcaster where that is the measure.
//
// # Order
//
// The measurements run one after another. Each starts a server as a process of
// its own on a loopback port, so that its CPU and memory are measured without the
// readers', and ends it. Both sides of a ratio are measured in the same run:
// compare ratios between machines, never milliseconds.
//
// # Not here
//
// No promise is tested here; the tests do that.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"
)

var listFailed = flag.Bool("list", false, "list the questions that \"finding\" gets wrong")

func main() {
	serve := flag.String("serve", "", "run as the server of a measurement: ours or bare")
	quick := flag.Bool("quick", false, "a tenth of the load, to see that everything runs")
	only := flag.String("only", "",
		"the measurements to run, by name and with commas between them: "+strings.Join(names(), ", "))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	defer runtime.KeepAlive(reservedHeap)
	var err error
	switch *serve {
	case "ours":
		err = serveOurs(ctx, os.Stdout)
	case "bare":
		err = serveBare(ctx, os.Stdout)
	default:
		err = measureAll(ctx, os.Stdout, *quick, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// reservedHeap is the same as in cmd/colloquy/serve.go, so that the measured servers
// collect garbage as the product does.
var reservedHeap = make([]byte, 32<<20)

// A row is one line of the table.
type row struct{ what, budget, ours, bare, ratio string }

var measures = []struct {
	name string
	run  func(ctx context.Context, scale int) ([]row, error)
}{
	{"appends", measureAppends},
	{"fanout", measureFanOut},
	{"idle", measureIdle},
	{"firstbyte", measureFirstByte},
	{"reconnect", measureReconnect},
	{"page", measurePage},
	{"bytes", measureBytes},
	{"start", measureStart},
	{"loop", measureLoop},
	{"runs", measureRuns},
	{"finding", measureFinding},
	{"findingcost", measureFindingCost},
}

func names() []string {
	var out []string
	for _, m := range measures {
		out = append(out, m.name)
	}
	return out
}

func measureAll(ctx context.Context, out io.Writer, quick bool, only string) error {
	scale := 1
	if quick {
		scale = 10
	}
	fmt.Fprintln(out, "| what | budget | measured | bare broadcaster | ratio |\n| --- | --- | --- | --- | --- |")
	for _, m := range measures {
		if only != "" && !slices.Contains(strings.Split(only, ","), m.name) {
			continue
		}
		began := time.Now()
		rows, err := m.run(ctx, scale)
		if err != nil {
			return err
		}
		for _, r := range rows {
			fmt.Fprintf(out, "| %s | %s | %s | %s | %s |\n", r.what, r.budget, r.ours, r.bare, r.ratio)
		}
		fmt.Fprintf(os.Stderr, "(%s: %.0f s)\n", m.name, time.Since(began).Seconds())
	}
	return nil
}
