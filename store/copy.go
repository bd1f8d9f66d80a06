package store

import (
	"context"
	"fmt"
	"os"
)

// Copy does what [Store.Backup] does, for a folder that this process has not
// opened: another one may have it, and goes on meanwhile. It fails with an
// error that is fs.ErrNotExist where the folder holds no data.
func Copy(ctx context.Context, dir, file string) error {
	s := &Store{dir: dir}
	if _, err := os.Stat(s.file()); err != nil {
		return fmt.Errorf("back up %s: %w", dir, err)
	}
	return s.Backup(ctx, file)
}
