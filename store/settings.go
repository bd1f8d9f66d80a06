package store

import (
	"context"
	"errors"

	"colloquy/classroom"
)

// Setting returns the value of key, and false if it was never set.
func (s *Store) Setting(ctx context.Context, key string) (string, bool, error) {
	value, err := queryOne(ctx, s.read, scanText, `SELECT value FROM settings WHERE key = ?`, key)
	if errors.Is(err, classroom.ErrNotFound) {
		return "", false, nil
	}
	return value, err == nil, wrap(err, "read setting %s", key)
}

// SetSetting stores value for key and replaces an earlier one.
func (s *Store) SetSetting(ctx context.Context, key, value string) error {
	err := s.change(ctx, func(w *writer) error { return w.set(key, value) })
	return wrap(err, "set %s", key)
}

func (w *writer) set(key, value string) error {
	_, err := w.exec(`INSERT INTO settings (key, value) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	return err
}
