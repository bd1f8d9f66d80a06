package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"colloquy/classroom"
)

// The readers of a benchmark run in another process, so that the CPU time of this
// process is the server's.
const fleetVar = "COLLOQUY_BENCH_FLEET"

func init() {
	if spec := os.Getenv(fleetVar); spec != "" {
		runFleet(spec)
		os.Exit(0)
	}
}

// A tally is what a group of readers measured.
type tally struct {
	Delivered       int
	P50, P99, Worst time.Duration
}

// runFleet opens streams and counts the marks in them until its input ends.
func runFleet(spec string) {
	var address, path string
	var readers int
	if _, err := fmt.Sscan(spec, &address, &path, &readers); err != nil {
		panic(err)
	}
	var mu sync.Mutex
	var all []time.Duration
	var ready, done sync.WaitGroup
	ready.Add(readers)
	for range readers {
		done.Go(func() {
			lags := readMarks(address, path, ready.Done)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, lags...)
		})
	}
	ready.Wait()
	fmt.Println("ready")
	done.Wait()
	slices.Sort(all)
	t := tally{Delivered: len(all)}
	if n := len(all); n > 0 {
		t.P50, t.P99, t.Worst = all[n/2], all[n*99/100], all[n-1]
	}
	_ = json.NewEncoder(os.Stdout).Encode(t)
}

// readMarks reads one stream to its end and returns the delay of each mark.
func readMarks(address, path string, ready func()) []time.Duration {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", path, testToken)
	var lags []time.Duration
	in := bufio.NewReaderSize(conn, 4096)
	first := true
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return lags
		}
		if first && bytes.Contains(line, []byte("event: caught_up")) {
			first = false
			ready()
		}
		at := bytes.Index(line, []byte("ts="))
		if at < 0 {
			continue
		}
		ns, _, _ := bytes.Cut(line[at+3:], []byte(";"))
		if sent, err := strconv.ParseInt(string(ns), 10, 64); err == nil {
			lags = append(lags, time.Duration(time.Now().UnixNano()-sent))
		}
	}
}

// A fanOut is one measurement: a number of readers and a rate of events.
type fanOut struct {
	readers, rate int
	seconds       int
}

// measure runs readers against a server, sends marks at the rate, and reports.
func (f fanOut) measure(b *testing.B, address, path string, say func(mark string), end func()) {
	b.Helper()
	rest := held()
	fleet := exec.Command(os.Args[0])
	fleet.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", fleetVar, address, path, f.readers))
	fleet.Stderr = os.Stderr
	out, err := fleet.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := fleet.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan() // ready
	idle := held() - rest
	before, n := cpu(), f.rate*f.seconds
	tick := time.NewTicker(time.Second / time.Duration(f.rate))
	for range n {
		<-tick.C
		say(fmt.Sprintf("ts=%d;%s", time.Now().UnixNano(), strings.Repeat("x", 120)))
	}
	tick.Stop()
	time.Sleep(500 * time.Millisecond)
	spent := cpu() - before
	end()
	lines.Scan()
	var t tally
	if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
		b.Fatalf("the fleet said %q", lines.Text())
	}
	if err := fleet.Wait(); err != nil {
		b.Fatal(err)
	}
	if t.Delivered != n*f.readers {
		b.Errorf("%d marks were delivered, want %d", t.Delivered, n*f.readers)
	}
	b.ReportMetric(float64(spent.Microseconds())/float64(max(1, t.Delivered)), "cpu-µs/delivery")
	b.ReportMetric(float64(t.P50.Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(t.P99.Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(idle)/1024/float64(f.readers), "KiB/stream")
	b.ReportMetric(0, "ns/op")
}

// held is the memory in use, once stacks have shrunk.
func held() uint64 {
	for range 4 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var fanOuts = []fanOut{{1000, 20, 4}, {500, 300, 4}}

// BenchmarkFanOut measures the JSON stream over the durable store.
func BenchmarkFanOut(b *testing.B) {
	for _, f := range fanOuts {
		b.Run(fmt.Sprintf("readers=%d/rate=%d", f.readers, f.rate), func(b *testing.B) {
			w := newWebServer(b)
			id := w.session(nil)
			say := func(mark string) {
				d := classroom.Draft{
					Exchange: 1, Agent: "ada", Attempt: 1,
					Payload: classroom.MessageUpdate{MessageID: "m1", Kind: classroom.BlockText, Delta: mark},
				}
				if _, err := w.store.Append(b.Context(), id, 0, d); err != nil {
					b.Fatal(err)
				}
			}
			for range b.N {
				f.measure(
					b, strings.TrimPrefix(w.http.URL, "http://"), "/api/sessions/"+id+"/events", say,
					func() { w.web.CloseStreams("shutdown"); w.http.CloseClientConnections() },
				)
			}
		})
	}
}

// BenchmarkBareFanOut measures a bare broadcaster for comparison: a channel for each
// reader, which writes all that is queued and flushes once.
func BenchmarkBareFanOut(b *testing.B) {
	for _, f := range fanOuts {
		b.Run(fmt.Sprintf("readers=%d/rate=%d", f.readers, f.rate), func(b *testing.B) {
			bare := &bareFan{readers: map[chan []byte]bool{}}
			server := httptest.NewServer(bare)
			defer server.Close()
			for range b.N {
				f.measure(
					b, strings.TrimPrefix(server.URL, "http://"), "/", bare.say,
					func() { bare.end(); server.CloseClientConnections() },
				)
			}
		})
	}
}

type bareFan struct {
	mu      sync.Mutex
	readers map[chan []byte]bool
}

func (f *bareFan) say(mark string) {
	data, _ := json.Marshal(classroom.MessageUpdate{MessageID: "m1", Kind: classroom.BlockText, Delta: mark})
	envelope, err := json.Marshal(classroom.Event{
		ID: 1000, Time: classroom.StampOf(time.Now()), Type: classroom.TypeMessageUpdate, Exchange: 1, Agent: "ada",
		Attempt: 1, Data: data,
	})
	if err != nil {
		panic(err)
	}
	frame := fmt.Appendf(nil, "event: message_update\nid: 1000\ndata: %s\n\n", envelope)
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.readers {
		c <- frame
	}
}

func (f *bareFan) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.readers {
		close(c)
		delete(f.readers, c)
	}
}

func (f *bareFan) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := make(chan []byte, 64)
	f.mu.Lock()
	f.readers[c] = true
	f.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	_, _ = w.Write([]byte("event: caught_up\ndata: {}\n\n"))
	_ = rc.Flush()
	for frame := range c {
		_, _ = w.Write(frame)
		for range len(c) {
			_, _ = w.Write(<-c)
		}
		if rc.Flush() != nil {
			return
		}
	}
}
