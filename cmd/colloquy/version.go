package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the linker: see the Makefile's build target.
var version = ""

type versionFlags struct{}

// Run prints one line that says exactly what is running.
func (versionFlags) Run(to console) error {
	_, err := fmt.Fprintln(to.out, versionLine())
	return err
}

func versionLine() string {
	return fmt.Sprintf("colloquy %s (%s, %s/%s)", versionName(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionName is what the linker was told, else the commit that the build was
// made from, else "unreleased".
func versionName() string {
	if version != "" {
		return version
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
