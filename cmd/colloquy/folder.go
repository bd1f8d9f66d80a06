package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// dataFolder returns the folder that was named, or the one that the user's
// account has for such data, as an absolute path. It makes nothing.
func dataFolder(named string) (string, error) {
	if named != "" {
		path, err := filepath.Abs(named)
		if err != nil {
			return "", errors.New("--data cannot be found from here; give the whole path of a folder")
		}
		return path, nil
	}
	home, err := userData(runtime.GOOS, os.Getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "colloquy"), nil
}

// userData is the folder in which a user's programs keep their data, by the
// custom of each system.
func userData(system string, getenv func(string) string) (string, error) {
	home := getenv("HOME")
	switch system {
	case "windows":
		if dir := getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
	case "darwin":
		if home != "" {
			return filepath.Join(home, "Library", "Application Support"), nil
		}
	default:
		if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
			return dir, nil
		}
		if home != "" {
			return filepath.Join(home, ".local", "share"), nil
		}
	}
	return "", errors.New("this account has no folder for data; name one with --data FOLDER")
}

// shownFolder is the folder that help speaks of.
func shownFolder() string {
	path, err := dataFolder("")
	if err != nil {
		return "a folder of your user account"
	}
	return path
}
