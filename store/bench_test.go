package store

import (
	"fmt"
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
