package store

import (
	"crypto/rand"
	"strings"

	"colloquy/classroom"
)

// newID returns 80 bits of chance in 16 letters and digits.
func newID() string { return strings.ToLower(rand.Text()[:16]) }

// idOr returns id, or a new one for an empty id.
func idOr(id string) (string, error) {
	if id == "" {
		return newID(), nil
	}
	if !classroom.ValidID(id) {
		return "", classroom.ErrBadRequest
	}
	return id, nil
}
