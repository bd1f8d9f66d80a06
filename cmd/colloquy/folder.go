package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// dataFolder returns the folder of --data, or the default folder of the user's account,
// as an absolute path. It does not create it.
func dataFolder(flag string) (string, error) {
	if flag != "" {
		path, err := filepath.Abs(flag)
		if err != nil {
			return "", errors.New("--data cannot be resolved from here; give the whole path of a folder")
		}
		return path, nil
	}
	home, err := userDataFolder(runtime.GOOS, os.Getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "colloquy"), nil
}

// userDataFolder returns the folder in which programs store their data, by the
// convention of each system.
func userDataFolder(system string, getenv func(string) string) (string, error) {
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

// helpFolder returns the default folder for the help texts.
func helpFolder() string {
	path, err := dataFolder("")
	if err != nil {
		return "a folder of your user account"
	}
	return path
}
