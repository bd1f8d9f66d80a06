package main

import (
	"bytes"
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
	"syscall"
	"testing"
	"time"

	"colloquy/classroom"
)

const stageToken = "stage-token"

var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "colloquy-stage-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "colloquy")
	out, err := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", file, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return file, nil
})

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
}

// output is what the process printed, by now.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
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
	s := &stage{t: t, dir: filepath.Join(t.TempDir(), "data"), addr: freeAddr(t), out: new(output)}
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "COLLOQUY_TOKEN=" + stageToken,
		"COLLOQUY_ADDR=" + s.addr, "COLLOQUY_DATA=" + s.dir, "COLLOQUY_PACE=0s"}
	if model != nil {
		s.env = append(s.env, "COLLOQUY_MODEL=openai:fake", "OPENAI_BASE_URL="+model.url, "OPENAI_API_KEY=sk-stage-5ecret")
	}
	t.Cleanup(func() {
		s.kill()
		for _, what := range []string{"panic:", "DATA RACE", "database is locked", "sk-stage-5ecret"} {
			if strings.Contains(s.out.String(), what) {
				t.Errorf("the server's output holds %q:\n%s", what, s.out)
			}
		}
	})
	return s
}

func freeAddr(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
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
	s.proc = exec.Command(file, "serve", "--open=false")
	s.proc.Env, s.proc.Stdout, s.proc.Stderr = s.env, s.out, s.out
	s.proc.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.proc.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.eventually("the server is ready", func() bool {
		r, err := http.Get("http://" + s.addr + "/readyz")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
}

// kill ends the process as a power cut would.
func (s *stage) kill() {
	if s.proc == nil {
		return
	}
	s.proc.Process.Kill()
	s.proc.Wait()
	s.proc = nil
}

// stop ends it as a keeper would, and fails where that takes too long.
func (s *stage) stop() {
	s.t.Helper()
	s.proc.Process.Signal(syscall.SIGTERM)
	done := make(chan error, 1)
	go func() { done <- s.proc.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			s.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(15 * time.Second):
		s.t.Error("the server did not end in 15 s")
		s.proc.Process.Kill()
		<-done
	}
	s.proc = nil
}

// eventually polls until what holds, for 20 s at most.
func (s *stage) eventually(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); {
		if time.Now().After(end) {
			s.t.Fatalf("not in 20 s: %s\n%s", what, tail(s.out.String(), 1500))
		}
		time.Sleep(10 * time.Millisecond)
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
	if status, body := s.api("POST", "/api/sessions/"+id+"/messages", map[string]any{"text": text}); status != http.StatusAccepted {
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

// ended waits for the n-th run_end, and returns the log.
func (s *stage) ended(id string, n int) []classroom.Event {
	s.t.Helper()
	var log []classroom.Event
	s.eventually(fmt.Sprintf("run_end %d", n), func() bool {
		log = s.log(id)
		ends := 0
		for _, e := range log {
			if e.Type == classroom.TypeRunEnd {
				ends++
			}
		}
		return ends >= n
	})
	return log
}

var linkPattern = regexp.MustCompile(`/signin\?token=[A-Za-z0-9_-]+`)

// signInPath is the one-time sign-in link that the present process printed.
func (s *stage) signInPath() string {
	s.t.Helper()
	path := ""
	s.eventually("a sign-in link is printed", func() bool {
		path = linkPattern.FindString(s.out.String()[s.from:])
		return path != ""
	})
	return path
}
