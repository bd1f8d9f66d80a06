//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// A load is a rate of events and a number of readers.
type load struct {
	readers, perSecond int
	lasts              time.Duration
}

// A delivery is the result of a load.
type delivery struct {
	delivered, due int
	p50, p99       time.Duration
	cpu            float64 // microseconds of the server for each delivery
}

func (s delivery) String() string {
	return fmt.Sprintf("%d of %d, p50 %s, p99 %s, %.1f µs each",
		s.delivered, s.due, formatMS(s.p50), formatMS(s.p99), s.cpu)
}

func measureFanOut(ctx context.Context, scale int) ([]row, error) {
	var rows []row
	for _, l := range []load{{1000, 20, 8 * time.Second}, {500, 300, 8 * time.Second}} {
		l.readers /= scale
		ours, err := fanOut(ctx, "ours", l)
		if err != nil {
			return nil, err
		}
		bare, err := fanOut(ctx, "bare", l)
		if err != nil {
			return nil, err
		}
		budget := "all; ≤ 1.2 × bare CPU; p99 ≤ 25 ms"
		if l.perSecond == 20 {
			budget = "all; ≤ 1.1 × bare CPU; p99 ≤ 25 ms"
		}
		rows = append(rows, row{
			what:   fmt.Sprintf("fan-out, %d readers × %d events/s, durable", l.readers, l.perSecond),
			budget: budget, ours: ours.String(), bare: bare.String(),
			ratio: fmt.Sprintf("%.2f × CPU, %.2f × p99", ours.cpu/bare.cpu, float64(ours.p99)/float64(bare.p99)),
		})
	}
	return rows, nil
}

func fanOut(ctx context.Context, kind string, l load) (delivery, error) {
	p, err := start(ctx, kind)
	if err != nil {
		return delivery{}, err
	}
	defer p.end()
	rs, err := connect(p, l.readers)
	if err != nil {
		return delivery{}, err
	}
	sent, cpu, err := publish(ctx, p, l)
	durations := rs.close()
	if err != nil {
		return delivery{}, err
	}
	return delivery{
		len(durations),
		sent * l.readers,
		percentile(durations, 0.5),
		percentile(durations, 0.99),
		cpu / float64(max(len(durations), 1)),
	}, nil
}

// publish sends the load evenly, and waits a second for the last deliveries.
func publish(ctx context.Context, p *process, l load) (sent int, cpu float64, err error) {
	before := p.cpu()
	pad := strings.Repeat("x", 160)
	tick := time.NewTicker(time.Second / time.Duration(l.perSecond))
	defer tick.Stop()
	for end := time.Now().Add(l.lasts); time.Now().Before(end) && ctx.Err() == nil; sent++ {
		<-tick.C
		if _, err := p.call("POST", "/append", fmt.Sprintf("ts=%d;%s", time.Now().UnixNano(), pad)); err != nil {
			return sent, 0, err
		}
	}
	time.Sleep(time.Second)
	return sent, p.cpu() - before, ctx.Err()
}

func measureIdle(ctx context.Context, scale int) ([]row, error) {
	n := 5000 / scale
	figures := map[string]float64{}
	for _, kind := range []string{"ours", "bare"} {
		p, err := start(ctx, kind)
		if err != nil {
			return nil, err
		}
		before := p.memory()
		rs, err := connect(p, n)
		if err != nil {
			p.end()
			return nil, err
		}
		time.Sleep(2 * time.Second)
		figures[kind] = (p.memory() - before) / float64(n)
		rs.close()
		p.end()
	}
	return []row{
		{
			fmt.Sprintf("idle stream, %d of them", n),
			"≤ 28 KiB each",
			fmt.Sprintf("%.1f KiB", figures["ours"]),
			fmt.Sprintf("%.1f KiB", figures["bare"]),
			fmt.Sprintf("%.2f ×", figures["ours"]/figures["bare"]),
		},
	}, nil
}
