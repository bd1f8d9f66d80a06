package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is set by the linker: see the Makefile's build target.
var release = ""

type versionFlags struct{}

// Run prints the version of the program, of Go and of the system.
func (versionFlags) Run(to console) error {
	_, err := fmt.Fprintf(
		to.out,
		"colloquy %s (%s, %s/%s)\n",
		version(),
		runtime.Version(),
		runtime.GOOS,
		runtime.GOARCH,
	)
	return err
}

// version returns the release that the linker set, else the commit of the build, else
// "unreleased".
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unreleased"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "unreleased"
}
