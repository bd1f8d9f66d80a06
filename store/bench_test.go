package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colloquy/classroom"
)

// BenchmarkAppend measures durable appends of one delta each: what the
// producers get together, and how long one waits for its own.
func BenchmarkAppend(b *testing.B) {
	for _, producers := range []int{1, 8, 64, 256} {
		b.Run(fmt.Sprintf("producers=%d", producers), func(b *testing.B) { benchmarkAppend(b, producers, producers) })
	}
	b.Run("one-session,producers=64", func(b *testing.B) { benchmarkAppend(b, 64, 1) })
}

func benchmarkAppend(b *testing.B, producers, sessions int) {
	s := openStore(b, b.TempDir())
	ids := make([]string, sessions)
	for i := range ids {
		ids[i] = newSession(b, s)
	}
	delta := classroom.Draft{Exchange: 1, Agent: "ada", Attempt: 1, Payload: classroom.MessageUpdate{
		MessageID: "m1", Kind: classroom.BlockText, Delta: strings.Repeat("Leaves are green. ", 10)}}
	var left atomic.Int64
	left.Store(int64(b.N))
	took := make([][]time.Duration, producers)
	b.ResetTimer()
	var wg sync.WaitGroup
	for p := range producers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				begun := time.Now()
				if _, err := s.Append(b.Context(), ids[p%sessions], 0, delta); err != nil {
					b.Error(err)
					return
				}
				took[p] = append(took[p], time.Since(begun))
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	report(b, slices.Concat(took...))
	st, err := s.Stats(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/float64(st.Commits), "events/commit")
	b.ReportMetric(float64(st.WALBytes)/(1<<20), "wal-MB")
}

func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
	b.ReportMetric(ms(took[len(took)-1]), "max-ms")
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// BenchmarkRead measures a reader of a log of 100,000 events: one who has it
// all, and one who reads it from the beginning.
func BenchmarkRead(b *testing.B) {
	s := openStore(b, b.TempDir())
	id := newSession(b, s)
	fill(b, s, id, 100_000)
	b.Run("at-the-head", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Read(b.Context(), id, 100_001, 500); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("500-events", func(b *testing.B) {
		var at classroom.Cursor
		for b.Loop() {
			if _, err := s.Read(b.Context(), id, at, 500); err != nil {
				b.Fatal(err)
			}
			at = (at + 500) % 99_000
		}
	})
}

func fill(b *testing.B, s *Store, id string, events int) {
	drafts := make([]classroom.Draft, 1000)
	for i := range drafts {
		drafts[i] = delta(strings.Repeat("Leaves are green. ", 10))
	}
	for range events / len(drafts) {
		mustAppend(b, s, id, drafts...)
	}
}

// BenchmarkOpenAfterKill measures the start over a file of 100,000 events whose
// write-ahead log nobody cleared: copies of the files of an open store are what
// a killed process leaves.
func BenchmarkOpenAfterKill(b *testing.B) {
	s := openStore(b, b.TempDir())
	id := newSession(b, s)
	fill(b, s, id, 100_000)
	fill(b, s, id, 10_000)
	left := map[string][]byte{}
	for _, name := range []string{s.walFile(), s.file()} { // in this order: what is cleared meanwhile is in the file
		content, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		left[filepath.Base(name)] = content
	}
	for b.Loop() {
		b.StopTimer()
		dir := b.TempDir()
		for name, content := range left {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		again := openStore(b, dir)
		b.StopTimer()
		if err := again.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(len(left[fileName+"-wal"]))/(1<<20), "wal-MB")
}
