package web

import (
	"net/http"

	"colloquy/classroom"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the counters and gauges for operators.
type metrics struct {
	requests *prometheus.CounterVec
	streams  *prometheus.GaugeVec
	events   *prometheus.CounterVec
	posts    prometheus.Counter
	handler  http.Handler
}

func newMetrics(more []prometheus.Collector) *metrics {
	counter := func(name, help string) prometheus.CounterOpts { return prometheus.CounterOpts{Name: name, Help: help} }
	requests := counter("colloquy_requests_total", "Answered requests.")
	streams := prometheus.GaugeOpts{Name: "colloquy_streams_open", Help: "Open streams."}
	events := counter("colloquy_stream_events_total", "Events that the cursors of readers have passed.")
	posts := counter("colloquy_messages_total", "Messages received from people.")
	m := &metrics{
		requests: prometheus.NewCounterVec(requests, []string{"route", "status"}),
		streams:  prometheus.NewGaugeVec(streams, []string{"kind"}),
		events:   prometheus.NewCounterVec(events, []string{"kind"}),
		posts:    prometheus.NewCounter(posts),
	}
	reg := prometheus.NewRegistry()
	reg.MustRegister(m.requests, m.streams, m.events, m.posts, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	reg.MustRegister(more...)
	m.handler = promhttp.HandlerFor(reg, promhttp.HandlerOpts{})
	return m
}

// StreamOpened counts an opened stream. With it and the next two methods the metrics
// are a [live.Meter].
func (m *metrics) StreamOpened(kind string) { m.streams.WithLabelValues(kind).Inc() }

// StreamClosed counts a closed stream.
func (m *metrics) StreamClosed(kind string) { m.streams.WithLabelValues(kind).Dec() }

// EventsSent counts the events that a reader's cursor has passed.
func (m *metrics) EventsSent(kind string, n int) {
	m.events.WithLabelValues(kind).Add(float64(n))
}

// indexGauges show the progress of a rebuild of the search index; both are 0 if none
// is due.
func indexGauges(indexing Indexing) []prometheus.Collector {
	gauge := func(name, help string, of func(classroom.Progress) int64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			p, _ := indexing()
			return float64(of(p))
		})
	}
	return []prometheus.Collector{
		gauge("colloquy_index_passages_done", "Passages that a running rebuild of the search index has done.",
			func(p classroom.Progress) int64 { return p.Done }),
		gauge("colloquy_index_passages_total", "Passages that a running rebuild of the search index has to do.",
			func(p classroom.Progress) int64 { return p.Total }),
	}
}

// fromHere has here answer programs on this machine, and elsewhere all others.
func fromHere(here, elsewhere handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if fromLoopback(r) {
			return here(w, r)
		}
		return elsewhere(w, r)
	}
}

func (s *Server) showMetrics(w http.ResponseWriter, r *http.Request) error {
	s.metrics.handler.ServeHTTP(w, r)
	return nil
}
