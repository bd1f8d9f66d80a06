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
	Data  string `env:"COLLOQUY_DATA" placeholder:"FOLDER" help:"The folder to look at. Unset, it is ${datafolder}."`
	Model string `env:"COLLOQUY_MODEL" help:"A model as serve takes it, to be tried too."`
}

// Help is printed below the flags.
func (doctorFlags) Help() string {
	return `Looks at the data folder, the lock, the database, the disk, the clock and the
connected models, and says what to do about what is wrong. It changes nothing,
and the workbench may run meanwhile. The exit status is 1 where something fails.`
}

// A finding is one line of the doctor's.
type finding struct {
	level  string // ok, warn or fail
	about  string
	says   string
	remedy string // what to do; empty for ok
}

func good(about, says string) finding           { return finding{"ok", about, says, ""} }
func warn(about, says, remedy string) finding   { return finding{"warn", about, says, remedy} }
func failed(about, says, remedy string) finding { return finding{"fail", about, says, remedy} }

// Run looks at everything and fails where something does.
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

// examine returns the findings in the order in which one depends on another.
func examine(ctx context.Context, c ServeConfig) []finding {
	out := examineFolder(c.Data)
	if out[0].level == "fail" {
		return append(out, examineModels(ctx, c, nil)...)
	}
	out = append(out, examineLock(c.Data), examineDisk(c.Data))
	visit, err := store.InspectFolder(ctx, c.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out = append(out, warn("database", "there is none yet", "Start colloquy once; it makes one."))
	case err != nil:
		out = append(out, failed("database", "cannot be opened: "+err.Error(), restoreWords))
	default:
		defer visit.Close()
		out = append(out, examineDatabase(ctx, visit)...)
		out = append(out, examineClock(ctx, visit, time.Now()))
	}
	return append(out, examineModels(ctx, c, visit)...)
}

func examineFolder(dir string) []finding {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []finding{failed("data folder", dir+" does not exist", "Start colloquy once, which makes it, or name another folder with --data.")}
	case err != nil:
		return []finding{failed("data folder", err.Error(), "Run this from the account that runs colloquy.")}
	case !info.IsDir():
		return []finding{failed("data folder", dir+" is no folder", "Name a folder with --data.")}
	}
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return []finding{failed("data folder", "nothing can be written into "+dir, "Run this from the account that runs colloquy, or give that account the folder.")}
	}
	probe.Close()
	os.Remove(probe.Name())
	out := []finding{good("data folder", dir+" can be written")}
	if open(info) {
		out = append(out, warn("data folder", "other accounts of this machine can look into it", "chmod 700 "+dir))
	}
	if secret, err := os.Stat(store.KeyFile(dir)); err == nil && open(secret) {
		out = append(out, failed("key file", "other accounts of this machine can read it, and with it the keys of models", "chmod 600 "+store.KeyFile(dir)+", then replace those keys at their providers."))
	}
	return out
}

// open reports whether other accounts may use a file. Windows keeps rights elsewhere.
func open(info fs.FileInfo) bool { return os.PathSeparator == '/' && info.Mode().Perm()&0o077 != 0 }

func examineLock(dir string) finding {
	held, address, err := store.LockedBy(dir)
	switch {
	case err != nil:
		return failed("lock", err.Error(), "Keep the folder on a disk of this machine: file locks on network shares cannot be trusted.")
	case held:
		return good("lock", "colloquy is running, at "+cmp.Or(address, "an address that it has not said yet"))
	}
	return good("lock", "free: colloquy is not running")
}

const (
	leastFree  = 200 << 20
	enoughFree = 1 << 30
)

func examineDisk(dir string) finding {
	free, err := freeBytes(dir)
	says := roughly(free) + " free"
	switch {
	case err != nil:
		return warn("disk", "the free room cannot be told: "+err.Error(), "Look yourself that there is more than 1 GB.")
	case free < leastFree:
		return failed("disk", says, "Make room now: without any, no question can be taken. What was confirmed is safe.")
	case free < enoughFree:
		return warn("disk", says, "Make room, or move the folder to a larger disk while colloquy is stopped.")
	}
	return good("disk", says)
}

func roughly(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}

// report prints the findings, and fails where one does.
func report(out io.Writer, findings []finding) error {
	fails, warns := 0, 0
	for _, f := range findings {
		fmt.Fprintf(out, "%-5s %-12s %s\n", f.level, f.about, f.says)
		if f.remedy != "" {
			fmt.Fprintf(out, "%19s%s\n", "", f.remedy)
		}
		fails += strings.Count(f.level, "fail")
		warns += strings.Count(f.level, "warn")
	}
	switch {
	case fails > 0:
		return fmt.Errorf("%d of %d checks failed; what to do stands below each", fails, len(findings))
	case warns > 0:
		_, err := fmt.Fprintf(out, "It works. Of %d checks %d would like a look.\n", len(findings), warns)
		return err
	}
	_, err := fmt.Fprintln(out, "All is well.")
	return err
}
