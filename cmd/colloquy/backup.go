package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"colloquy/store"
)

type backupFlags struct {
	File string `arg:"" placeholder:"FILE" help:"${backup_file}"`
	Data string `env:"COLLOQUY_DATA" placeholder:"FOLDER" help:"${backup_data}"`
}

// Run copies all data, as of one moment, into one new file. The workbench may run
// meanwhile.
func (f backupFlags) Run(ctx context.Context, to console) error {
	dir, err := dataFolder(f.Data)
	if err != nil {
		return err
	}
	err = store.BackupFolder(ctx, dir, f.File)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists already and was left as it is; choose another name", f.File)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("nothing was copied: there is no Colloquy data in %s, or no folder for %s", dir, f.File)
	case err != nil:
		return err
	}
	info, err := os.Stat(f.File)
	if err != nil {
		return fmt.Errorf("look at the copy: %w", err)
	}
	_, err = fmt.Fprintf(to.out, "%s holds everything as of now (%d KB).\n"+
		"To restore it: put it into an empty folder under the name colloquy.db "+
		"and start with --data and that folder.\n", f.File, (info.Size()+1023)/1024)
	return err
}
