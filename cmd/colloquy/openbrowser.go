package main

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"time"
)

// openerLimit is how long openBrowser waits for the opener. Some openers end only with
// the browser.
const openerLimit = 3 * time.Second

// openBrowser opens url in the user's browser.
func openBrowser(ctx context.Context, url string) error {
	return runOpener(ctx, openerCommand(runtime.GOOS, url))
}

// openerCommand is the command of each system that opens a URL in the user's browser.
func openerCommand(system, url string) []string {
	switch system {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	case "darwin":
		return []string{"open", url}
	}
	return []string{"xdg-open", url}
}

// runOpener starts the command. It fails if the command cannot be started or ends with
// an error within openerLimit; a command that runs longer goes on.
func runOpener(ctx context.Context, command []string) error {
	cmd := exec.Command(command[0], command[1:]...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open browser: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	limit := time.NewTimer(openerLimit)
	defer limit.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("open browser: %s: %w", command[0], err)
		}
	case <-limit.C:
	case <-ctx.Done():
	}
	return nil
}
