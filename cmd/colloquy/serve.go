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
)

// shutdownLimit is how long a shutdown waits for running requests.
const shutdownLimit = 5 * time.Second

// reservedHeap is allocated and never touched, so it takes no memory, but the garbage
// collector counts it and starts only when the heap has doubled. Without it, the first
// page of a long session spends half of its time in five collections of a heap that
// grows from 4 MB.
var reservedHeap = make([]byte, 32<<20)

// A workbench is the server with all its parts; wiring.go builds it.
type workbench struct {
	logger  *slog.Logger
	store   *store.Store
	models  *connections
	runtime *agents.Runtime
	web     *web.Server
	http    *http.Server
}

// serve opens the folder, listens, and serves until ctx ends.
func serve(ctx context.Context, c ServeConfig, out io.Writer) (err error) {
	w := &workbench{logger: slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelInfo}))}
	// The folder before the port: if another process has the folder, the error names its address.
	w.store, err = store.Open(ctx, store.Options{
		Dir: c.Data, Logger: w.logger, Version: version(), FreeBytes: freeBytes,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.store.Close()) }()
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return listenError(c.Addr, err)
	}
	defer listener.Close()
	if err := w.build(ctx, c); err != nil {
		return err
	}
	address := "http://" + browserAddress(listener.Addr())
	if err := w.store.SetAddress(address); err != nil {
		return errors.Join(err, w.closeRuntime())
	}
	served := make(chan error, 1)
	go func() {
		served <- w.http.Serve(listener)
		close(served)
	}()
	defer func() { // requests and runs must end before the store is closed
		w.shutDown()
		<-served
	}()
	defer runtime.KeepAlive(reservedHeap)
	if err := w.printBanner(ctx, c, out, address); err != nil {
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

// rebuild rebuilds outdated indexes while requests are answered. stop ends the rebuild
// and waits for it; the next start continues it.
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

// printBanner prints the address, and the link by which the first person becomes the owner.
func (w *workbench) printBanner(ctx context.Context, c ServeConfig, out io.Writer, address string) error {
	answers := w.models.label(ctx, "").withHost()
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
		if err := openBrowser(ctx, page); err != nil {
			fmt.Fprintf(out, "No browser could be opened; open %s yourself.\n", address)
		}
	}
	return nil
}

// shutDown interrupts the runs first, so that readers receive run_interrupt before bye,
// then ends the streams, then lets requests finish.
func (w *workbench) shutDown() {
	w.runtime.Close()
	w.web.CloseStreams("shutdown")
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	if err := w.http.Shutdown(ctx); err != nil {
		w.logger.Warn("requests were cut off", "waited", shutdownLimit, "error", err)
		w.http.Close()
	}
}

func listenError(addr string, err error) error {
	return fmt.Errorf("listen on %s: %w. Another program may use this port; "+
		"choose one with --addr, for example --addr 127.0.0.1:8081", addr, err)
}

// browserAddress returns the address at which a browser on this machine reaches the server.
func browserAddress(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return addr.String()
	}
	if tcp.IP.IsUnspecified() {
		return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	return tcp.String()
}
