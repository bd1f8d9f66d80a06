package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"

	"colloquy/agents"
	"colloquy/store"
	"colloquy/web"

	"github.com/pkg/browser"
)

// patience is how long a stop waits for requests that are under way.
const patience = 5 * time.Second

// A workbench is everything that serves, joined here and nowhere else.
type workbench struct {
	log     *slog.Logger
	store   *store.Store
	models  *connections
	runtime *agents.Runtime
	web     *web.Server
	http    *http.Server
}

// serve opens the folder, listens, and serves until ctx ends.
func serve(ctx context.Context, c ServeConfig, out io.Writer) (err error) {
	w := &workbench{log: slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelInfo}))}
	// The folder first: where it is taken, its message says where the other one listens.
	if w.store, err = store.Open(ctx, store.Options{Dir: c.Data, Logger: w.log, Version: version(), FreeBytes: freeBytes}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.store.Close()) }()
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return listenError(c.Addr, err)
	}
	defer listener.Close()
	if err := w.join(ctx, c); err != nil {
		return err
	}
	address := "http://" + reachable(listener.Addr())
	if err := w.store.SetAddress(address); err != nil {
		return errors.Join(err, w.closeRuntime())
	}
	served := make(chan error, 1)
	go func() {
		served <- w.http.Serve(listener)
		close(served)
	}()
	defer func() { // however it ends, nothing may be at work when the store is closed
		w.shutDown()
		<-served
	}()
	defer runtime.KeepAlive(restingHeap)
	if err := w.greet(ctx, c, out, address); err != nil {
		return err
	}
	defer w.rebuild(ctx)()
	select {
	case <-ctx.Done():
		return nil
	case err := <-served:
		return fmt.Errorf("serve %s: %w", c.Addr, err)
	}
}

// rebuild brings indexes up to date while requests are answered. What it
// returns stops that and waits for its end; the next start goes on with it.
func (w *workbench) rebuild(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.store.Rebuild(ctx)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// join makes runtime and web over the open store.
func (w *workbench) join(ctx context.Context, c ServeConfig) error {
	if err := w.store.ReleaseAll(ctx); err != nil {
		return err
	}
	if err := seed(ctx, w.store); err != nil {
		return err
	}
	if err := w.connect(c); err != nil {
		return err
	}
	var err error
	w.runtime, err = agents.New(agents.Options{
		Log: w.store, Leases: w.store, Classes: w.store, Logger: w.log,
		Tools: classTools(w.store),
		Model: w.models.pick,
	})
	if err != nil {
		return err
	}
	if w.web, err = web.New(w.webOptions(c)); err != nil {
		return errors.Join(err, w.closeRuntime())
	}
	w.http = &http.Server{
		Handler:           w.web.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(w.log.Handler(), slog.LevelWarn),
		// No WriteTimeout: it would end every stream. Each frame has its own deadline.
	}
	if err := w.runtime.Recover(ctx); err != nil {
		return errors.Join(err, w.closeRuntime())
	}
	return nil
}

// classTools are all the tools that a class's agents may be offered.
func classTools(lib agents.Library) []agents.Tool {
	return []agents.Tool{agents.SearchMaterials(lib), agents.CueUser()}
}

func (w *workbench) closeRuntime() error {
	w.runtime.Close()
	return nil
}

// greet says where the workbench is, and how to become its owner.
func (w *workbench) greet(ctx context.Context, c ServeConfig, out io.Writer, address string) error {
	answers := w.models.name(ctx, "").whole()
	fmt.Fprintf(out, "Colloquy %s is ready at %s (%s answers)\n", version(), address, answers)
	page := address
	path, needed, err := w.web.SignInLink(ctx, c.Link)
	if err != nil {
		return err
	}
	if needed {
		page = address + path
		fmt.Fprintf(out, "Open this link once to become the owner: %s\n", page)
	}
	if c.Open {
		if err := browser.OpenURL(page); err != nil {
			fmt.Fprintf(out, "No browser could be opened; open %s yourself.\n", address)
		}
	}
	return nil
}

// shutDown interrupts the runs first, so that open streams still show it, then
// tells the streams to end, then lets requests finish.
func (w *workbench) shutDown() {
	w.runtime.Close()
	w.web.CloseStreams("shutdown")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.http.Shutdown(ctx); err != nil {
		w.log.Warn("requests were cut off", "waited", patience, "error", err)
		w.http.Close()
	}
}

func listenError(addr string, err error) error {
	return fmt.Errorf("listen on %s: %w. Another program may use this port; choose one with --addr, for example --addr 127.0.0.1:8081", addr, err)
}

// reachable is the address as a browser on this machine may use it.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return addr.String()
	}
	if tcp.IP.IsUnspecified() {
		return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	return tcp.String()
}
