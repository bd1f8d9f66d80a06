//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// product builds the product once and returns the path of the binary.
var product = sync.OnceValues(func() (string, error) {
	file := filepath.Join(os.TempDir(), "colloquy-bench-binary")
	build := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", file, "colloquy/cmd/colloquy")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the product: %w: %s", err, out)
	}
	return file, nil
})

// startProduct starts the product, built from this tree, with a data folder.
func startProduct(ctx context.Context, dir string, env ...string) (*process, error) {
	file, err := product()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, file, "serve", "--open=false", "--addr", "127.0.0.1:0", "--data", dir)
	cmd.Env = append(append(os.Environ(), "COLLOQUY_TOKEN="+token), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the product: %w", err)
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("read the product's address: %w", err)
		}
		if _, addr, ok := strings.Cut(line, "http://"); ok {
			go io.Copy(io.Discard, lines)
			return &process{cmd: cmd, addr: strings.Fields(addr)[0]}, nil
		}
	}
}
