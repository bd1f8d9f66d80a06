package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"colloquy/store"
)

type doctorFlags struct {
	Data  string `env:"COLLOQUY_DATA" placeholder:"FOLDER" help:"${doctor_data}"`
	Model string `env:"COLLOQUY_MODEL" help:"A model as serve takes it, to be tried too."`
}

// Help is printed below the flags.
func (doctorFlags) Help() string {
	return `Looks at the data folder, the lock, the database, the disk, the clock and the
connected models, and says what to do about what is wrong. It changes nothing,
and the workbench may run meanwhile. The exit status is 1 where something fails.`
}

// A finding is the result of one check.
type finding struct {
	level   string // ok, warn or fail
	subject string
	text    string
	remedy  string // what to do; empty for ok
}

func ok(subject, text string) finding             { return finding{"ok", subject, text, ""} }
func warn(subject, text, remedy string) finding   { return finding{"warn", subject, text, remedy} }
func failed(subject, text, remedy string) finding { return finding{"fail", subject, text, remedy} }

// Run makes all checks and fails if one fails.
func (f doctorFlags) Run(ctx context.Context, to console) error {
	dir, err := dataFolder(f.Data)
	if err != nil {
		return err
	}
	c, err := serveFlags{Addr: "127.0.0.1:0", Data: dir, Model: f.Model}.config(to.out)
	if err != nil {
		return err
	}
	return report(to.out, examine(ctx, c))
}

// examine returns the findings: each comes after those that it depends on.
func examine(ctx context.Context, c ServeConfig) []finding {
	out := examineFolder(c.Data)
	if out[0].level == "fail" {
		return append(out, examineModels(ctx, c, nil)...)
	}
	out = append(out, examineLock(c.Data), examineDisk(c.Data))
	inspection, err := store.InspectFolder(ctx, c.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out = append(out, warn("database", "there is none yet", "Start colloquy once; it makes one."))
	case err != nil:
		out = append(out, failed("database", "cannot be opened: "+err.Error(), restoreAdvice))
	default:
		defer inspection.Close()
		out = append(out, examineDatabase(ctx, inspection)...)
		out = append(out, examineClock(ctx, inspection, time.Now()))
	}
	return append(out, examineModels(ctx, c, inspection)...)
}

func examineFolder(dir string) []finding {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []finding{failed("data folder", dir+" does not exist",
			"Start colloquy once, which makes it, or name another folder with --data.")}
	case err != nil:
		return []finding{failed("data folder", err.Error(), "Run this from the account that runs colloquy.")}
	case !info.IsDir():
		return []finding{failed("data folder", dir+" is not a folder", "Name a folder with --data.")}
	}
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return []finding{failed("data folder", "nothing can be written into "+dir,
			"Run this from the account that runs colloquy, or give that account the folder.")}
	}
	probe.Close()
	os.Remove(probe.Name())
	out := []finding{ok("data folder", dir+" can be written")}
	if openToOthers(info) {
		out = append(out, warn("data folder", "other accounts of this machine can look into it", "chmod 700 "+dir))
	}
	if secret, err := os.Stat(store.KeyFile(dir)); err == nil && openToOthers(secret) {
		out = append(out, failed("key file",
			"other accounts of this machine can read it, and with it the keys of models",
			"chmod 600 "+store.KeyFile(dir)+", then replace those keys at their providers."))
	}
	return out
}

// openToOthers reports whether other accounts may use a file. It is false on Windows,
// where the mode does not contain the permissions.
func openToOthers(info fs.FileInfo) bool {
	return os.PathSeparator == '/' && info.Mode().Perm()&0o077 != 0
}

func examineLock(dir string) finding {
	locked, address, err := store.LockedBy(dir)
	switch {
	case err != nil:
		return failed("lock", err.Error(),
			"Keep the folder on a disk of this machine: file locks on network shares are not reliable.")
	case locked:
		return ok("lock", "colloquy is running, at "+cmp.Or(address, "an address that is not known yet"))
	}
	return ok("lock", "free: colloquy is not running")
}

const (
	failBelowFree = 200 << 20
	warnBelowFree = 1 << 30
)

func examineDisk(dir string) finding {
	free, err := freeBytes(dir)
	text := formatBytes(free) + " free"
	switch {
	case err != nil:
		return warn("disk", "the free space is unknown: "+err.Error(), "Check yourself that there is more than 1 GB.")
	case free < failBelowFree:
		return failed("disk", text,
			"Make room now: on a full disk no question can be saved. Everything that was confirmed is safe.")
	case free < warnBelowFree:
		return warn("disk", text, "Make room, or move the folder to a larger disk while colloquy is stopped.")
	}
	return ok("disk", text)
}

func formatBytes(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}

// report prints the findings, and fails if one of them fails.
func report(out io.Writer, findings []finding) error {
	fails, warns := 0, 0
	for _, f := range findings {
		fmt.Fprintf(out, "%-5s %-12s %s\n", f.level, f.subject, f.text)
		if f.remedy != "" {
			fmt.Fprintf(out, "%19s%s\n", "", f.remedy)
		}
		fails += strings.Count(f.level, "fail")
		warns += strings.Count(f.level, "warn")
	}
	switch {
	case fails > 0:
		return fmt.Errorf("%d of %d checks failed; the line below each says what to do", fails, len(findings))
	case warns > 0:
		_, err := fmt.Fprintf(out, "No check failed; %d of %d have a warning.\n", warns, len(findings))
		return err
	}
	_, err := fmt.Fprintln(out, "All checks passed.")
	return err
}
