package store

import (
	"context"
	"fmt"
)

// requireSchema fails unless the database has the schema of this program: a shared store
// migrates nothing, since others may have the file open.
func (s *Store) requireSchema(ctx context.Context) error {
	steps, err := migrationSteps()
	if err != nil {
		return err
	}
	want, err := newestSchema(steps)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, writtenBy, err := inspectSchema(ctx, s.file())
	switch {
	case err != nil:
		return fmt.Errorf("read schema version: %w", err)
	case have > want:
		return newerSchemaError(s.file(), writtenBy, have, want)
	case have < want:
		return fmt.Errorf("the database has schema %d and needs %d: open it unshared first", have, want)
	}
	return nil
}
