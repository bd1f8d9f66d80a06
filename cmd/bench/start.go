//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"colloquy/classroom"
	"colloquy/store"
)

// measureStart starts the product with a large database, and measures its memory at rest.
func measureStart(ctx context.Context, scale int) ([]row, error) {
	dir, err := os.MkdirTemp("", "colloquy-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := fillTo(ctx, dir, int64(1<<30)/int64(scale)); err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(dir, "colloquy.db"))
	if err != nil {
		return nil, err
	}
	p, err := startProduct(ctx, dir) // builds and sets up; a second start is measured
	if err != nil {
		return nil, err
	}
	p.end()
	began := time.Now()
	p, err = startProduct(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer p.end()
	if _, err := p.call("GET", "/readyz", ""); err != nil {
		return nil, err
	}
	ready := time.Since(began)
	time.Sleep(3 * time.Second)
	return []row{
		{
			fmt.Sprintf("start to ready with a %d MB database; idle memory", info.Size()>>20),
			"300 ms; 60 MB",
			fmt.Sprintf("%s; %.0f MB", formatMS(ready), p.memory()/1024),
			"–",
			"–",
		},
	}, nil
}

// fillTo writes finished exchanges until the database holds that many bytes.
func fillTo(ctx context.Context, dir string, bytes int64) error {
	st, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer st.Close()
	class, err := st.CreateClass(ctx, classroom.Class{Title: "Bench", Mode: classroom.ModeQA})
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		s, err := st.CreateSession(ctx, classroom.Session{ClassID: class.ID, Title: "Bench", Mode: classroom.ModeQA},
			nil)
		if err != nil {
			return err
		}
		for x := 1; x <= 200; x++ {
			if _, err := st.Append(ctx, s.ID, 0, exchange(x)...); err != nil {
				return err
			}
		}
		info, err := os.Stat(filepath.Join(dir, "colloquy.db"))
		if err == nil && info.Size() >= bytes {
			return nil
		}
	}
	return ctx.Err()
}
