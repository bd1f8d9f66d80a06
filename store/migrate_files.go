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

// spareRoom is left free beside the copy.
const spareRoom = 16 << 20

// checkRoom fails where the disk is too full for the copy. Its steps may rewrite
// all of it, so it is counted twice.
func (m migration) checkRoom(ctx context.Context) error {
	if m.free == nil {
		return nil
	}
	dir := filepath.Dir(m.file)
	free, err := m.free(dir)
	if err != nil {
		m.log.WarnContext(ctx, "free disk space is unknown; migrating anyway", slog.Any("error", err))
		return nil
	}
	need := int64(spareRoom)
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

// keepOld gives the file a second name that says its schema. A file that has
// that name already is an older copy and stays.
func (m migration) keepOld(schema int64) error {
	name := fmt.Sprintf("%s.schema-%d", m.file, schema)
	for n := 2; ; n++ {
		err := m.link(m.file, name)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, fs.ErrExist):
			return copyOver(m.file, name) // this disk has no hard links
		case sameFile(m.file, name):
			return nil // a migration was killed after this
		}
		name = fmt.Sprintf("%s.schema-%d-%d", m.file, schema, n)
	}
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// copyOver copies a closed file under a new name, in place of what has it.
func copyOver(from, to string) (err error) {
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

// newerSchemaError says that the file is of a newer version, and what to do.
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
