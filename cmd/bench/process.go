//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"colloquy/classroom"
)

// generateNothing is a [web.Generate] that answers nothing.
func generateNothing(context.Context, classroom.Class, string) iter.Seq2[string, error] {
	return func(func(string, error) bool) {}
}

// A process is a server in a process of its own.
type process struct {
	cmd    *exec.Cmd
	addr   string
	events string // the path of its JSON stream
}

// start runs this program again as a server of that kind.
func start(ctx context.Context, kind string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-serve", kind)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the %s server: %w", kind, err)
	}
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("read the address of the %s server: %w", kind, err)
	}
	p := &process{cmd: cmd, addr: strings.TrimSpace(addr), events: "/events"}
	if kind == "ours" {
		session, err := p.call("GET", "/session", "")
		if err != nil {
			return nil, err
		}
		p.events = "/api/sessions/" + session + "/events"
	}
	return p, nil
}

func (p *process) end() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// call sends one request and returns the body of the answer.
func (p *process) call(method, path, body string) (string, error) {
	r, err := http.NewRequest(method, "http://"+p.addr+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s", method, path, res.Status)
	}
	return string(answer), err
}

// cpu returns the CPU time that the process has used, in microseconds.
func (p *process) cpu() float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(rest)
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) * 1e4 // clock ticks of 10 ms
}

// memory returns the process's resident memory, in KiB.
func (p *process) memory() float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kib
}
