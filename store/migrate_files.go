package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// spareBytes must stay free beside the copy.
const spareBytes = 16 << 20

// checkFreeSpace fails if the disk is too full for the copy. The steps may rewrite all
// of the copy, so its size is counted twice.
func (m migration) checkFreeSpace(ctx context.Context) error {
	if m.free == nil {
		return nil
	}
	dir := filepath.Dir(m.file)
	free, err := m.free(dir)
	if err != nil {
		m.logger.WarnContext(ctx, "free disk space is unknown; migrating anyway", slog.Any("error", err))
		return nil
	}
	need := int64(spareBytes)
	for _, name := range []string{m.file, m.file + "-wal"} {
		info, err := os.Stat(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			need += 2 * info.Size()
		}
	}
	if free >= need {
		return nil
	}
	return fmt.Errorf("there is too little disk space for a copy of the database: "+
		"%d MB are needed and %d MB are free in %s. Nothing was changed. "+
		"Make room, or move the folder to a larger disk, and start again", (need+1<<20-1)>>20, free>>20, dir)
}

// keepOldFile gives the file a second name with its schema version. An older copy that
// has that name already stays, and this one gets a number.
func (m migration) keepOldFile(schema int64) error {
	name := fmt.Sprintf("%s.schema-%d", m.file, schema)
	for n := 2; ; n++ {
		err := m.link(m.file, name)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, fs.ErrExist):
			return copyFile(m.file, name) // this disk has no hard links
		case sameFile(m.file, name):
			return nil // an earlier migration was killed after this step
		}
		name = fmt.Sprintf("%s.schema-%d-%d", m.file, schema, n)
	}
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// copyFile copies a closed file, replacing a file of the new name.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	part := to + ".part"
	defer func() {
		if err != nil {
			err = errors.Join(err, remove(part))
		}
	}()
	out, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	return os.Rename(part, to)
}

// newerSchemaError is the error of opening a file with a newer schema.
func newerSchemaError(file, writtenBy string, have, want int64) error {
	by := "a newer version of Colloquy"
	if writtenBy != "" {
		by += ", " + writtenBy
	}
	advice := "restore a backup from before the upgrade"
	for schema := want; schema > 0; schema-- {
		kept := fmt.Sprintf("%s.schema-%d", file, schema)
		if _, err := os.Stat(kept); err == nil {
			advice += "; " + filepath.Base(kept) + " beside it is the database from before the upgrade"
			break
		}
	}
	return fmt.Errorf("%s was written by %s (schema %d; this program knows %d at most) and was left as it is. "+
		"Start the newer version, or %s", filepath.Base(file), by, have, want, advice)
}
