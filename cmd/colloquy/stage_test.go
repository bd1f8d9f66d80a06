package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"colloquy/classroom"
)

const stageToken = "stage-token"

var removeBinary = func() {}

// binary is built by the first test that needs it.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "colloquy-stage-")
	if err != nil {
		return "", err
	}
	removeBinary = func() { os.RemoveAll(dir) }
	file := filepath.Join(dir, "colloquy")
	if out, err := build(context.Background(), file, "."); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return file, nil
})

// dataRace is what a program made with -race prints of a race.
const dataRace = "DATA RACE"

// A stage is the real binary as a process on a loopback port, with a data
// folder of its own and, where asked, a scripted upstream model. It outlives
// no test.
type stage struct {
	t    *testing.T
	dir  string
	addr string
	env  []string
	proc *exec.Cmd
	out  *output
	from int // where in out the present process began

	program string // the file of another version's binary; empty: of this one

	mu   sync.Mutex
	gone chan struct{} // closed once the present process has ended
	up   chan struct{} // closed once the present process is ready, or no other will be started
}

// newStage starts the binary; without a model the built-in tutor answers, at once.
func newStage(t *testing.T, model *fakeModel) *stage {
	t.Helper()
	s := stoppedStage(t, model)
	s.start()
	return s
}

// stoppedStage is newStage before the start, so that a test can fill the folder first.
func stoppedStage(t *testing.T, model *fakeModel) *stage {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	s := &stage{t: t, dir: dir, addr: freeAddr(t), out: newOutput(), up: make(chan struct{})}
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "COLLOQUY_TOKEN=" + stageToken,
		"COLLOQUY_ADDR=" + s.addr, "COLLOQUY_DATA=" + s.dir, "COLLOQUY_PACE=0s"}
	if model != nil {
		s.env = append(s.env, "COLLOQUY_MODEL=openai:fake", "OPENAI_BASE_URL="+model.url,
			"OPENAI_API_KEY=sk-stage-5ecret")
	}
	bad := []string{"panic:", "database is locked", "sk-stage-5ecret"}
	if raced {
		bad = append(bad, dataRace)
	}
	t.Cleanup(func() {
		s.kill()
		for _, what := range bad {
			if strings.Contains(s.out.String(), what) {
				t.Errorf("the server's output holds %q:\n%s", what, s.out)
			}
		}
	})
	return s
}

// lastPort is the port given out last. Those from 20000 on are below what the
// system gives to outgoing connections, so that nobody takes one between the
// end of a process and the start of the next.
var lastPort = func() *atomic.Int32 {
	var p atomic.Int32
	p.Store(20000 + int32(os.Getpid()%500)*20)
	return &p
}()

func freeAddr(t *testing.T) string {
	t.Helper()
	for range 1000 {
		addr := fmt.Sprintf("127.0.0.1:%d", lastPort.Add(1))
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return addr
		}
	}
	t.Fatal("no port is free")
	return ""
}

// start starts the process and waits until it is ready.
func (s *stage) start() {
	s.t.Helper()
	file := s.program
	if file == "" {
		var err error
		if file, err = binary(); err != nil {
			s.t.Fatal(err)
		}
	}
	s.from = len(s.out.String())
	proc, gone := exec.Command(file, "serve", "--open=false"), make(chan struct{})
	proc.Env, proc.Stdout, proc.Stderr = s.env, s.out, s.out
	proc.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := proc.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		proc.Wait()
		close(gone)
	}()
	s.proc, s.gone = proc, gone
	s.eventually("the server is ready", func() bool {
		select {
		case <-gone:
			s.t.Fatalf("the server ended: %v\n%s", proc.ProcessState, s.out)
		default:
		}
		r, err := http.Get("http://" + s.addr + "/readyz")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
	s.mu.Lock()
	close(s.up)
	s.mu.Unlock()
}

// kill ends the process as a power cut would.
func (s *stage) kill() {
	if s.proc == nil {
		return
	}
	s.down()
	s.proc.Process.Kill()
	<-s.gone
	s.proc = nil
}

// stop ends it as a keeper would, and fails where that takes too long.
func (s *stage) stop() {
	s.t.Helper()
	s.down()
	s.proc.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.gone:
		if !s.proc.ProcessState.Success() {
			s.t.Errorf("the server ended with %v", s.proc.ProcessState)
		}
	case <-time.After(limit):
		s.t.Errorf("not in %v: the server ends\n%s", limit, tail(s.out.String(), 1500))
		s.proc.Process.Kill()
		<-s.gone
	}
	s.proc = nil
}

func (s *stage) down() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.up = make(chan struct{})
}

// upAgain is closed once the server is ready.
func (s *stage) upAgain() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.up
}

// eventually looks again and again until what holds. It is for things that tell
// nobody when they change; await and output.await are for those that do.
func (s *stage) eventually(what string, holds func() bool) {
	s.t.Helper()
	tick, late := time.NewTicker(10*time.Millisecond), time.After(limit)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-late:
			s.t.Fatalf("not in %v: %s\n%s", limit, what, tail(s.out.String(), 1500))
		}
	}
}

func tail(text string, n int) string {
	if len(text) > n {
		return text[len(text)-n:]
	}
	return text
}

// api calls the JSON API as the owner.
func (s *stage) api(method, path string, body any) (int, []byte) {
	s.t.Helper()
	status, answer, err := s.try(method, path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	return status, answer
}

// try is api where the server may be away.
func (s *stage) try(method, path string, body any) (int, []byte, error) {
	var payload io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		payload = bytes.NewReader(b)
	}
	r, err := http.NewRequest(method, "http://"+s.addr+path, payload)
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+stageToken)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

// session makes a session of the demo class with those agents, all if none is named.
func (s *stage) session(agents ...string) string {
	s.t.Helper()
	status, body := s.api("POST", "/api/sessions", map[string]any{"agents": agents})
	var made struct{ ID string }
	if status != http.StatusCreated || json.Unmarshal(body, &made) != nil || made.ID == "" {
		s.t.Fatalf("POST /api/sessions: %d %s", status, body)
	}
	return made.ID
}

func (s *stage) ask(id, text string) {
	s.t.Helper()
	status, body := s.api("POST", "/api/sessions/"+id+"/messages", map[string]any{"text": text})
	if status != http.StatusAccepted {
		s.t.Fatalf("POST messages: %d %s", status, body)
	}
}

// log returns the session's events.
func (s *stage) log(id string) []classroom.Event { return s.logAfter(id, 0) }

// logAfter returns the session's events after a cursor.
func (s *stage) logAfter(id string, after int) []classroom.Event {
	s.t.Helper()
	var out []classroom.Event
	for {
		_, body := s.api("GET", fmt.Sprintf("/api/sessions/%s/log?after=%d&limit=10000", id, after+len(out)), nil)
		lines := bytes.Split(bytes.TrimSpace(body), []byte("\n"))
		if len(lines[0]) == 0 {
			return out
		}
		for _, line := range lines {
			var e classroom.Event
			if err := json.Unmarshal(line, &e); err != nil {
				s.t.Fatalf("log line %.200s: %v", line, err)
			}
			out = append(out, e)
		}
	}
}

var linkPattern = regexp.MustCompile(`/signin\?token=[A-Za-z0-9_-]+`)

// signInPath is the one-time sign-in link that the present process printed.
func (s *stage) signInPath() string {
	s.t.Helper()
	path := ""
	s.out.await(s.t, "a sign-in link", func(printed string) bool {
		path = linkPattern.FindString(printed[s.from:])
		return path != ""
	})
	return path
}
