package store

import (
	"crypto/rand"
	"strings"

	"colloquy/classroom"
)

// newID returns 80 random bits as 16 letters and digits.
func newID() string { return strings.ToLower(rand.Text()[:16]) }

// idOrNew returns id, or a new id if it is empty. It fails with
// classroom.ErrBadRequest if id is invalid.
func idOrNew(id string) (string, error) {
	if id == "" {
		return newID(), nil
	}
	if !classroom.ValidID(id) {
		return "", classroom.ErrBadRequest
	}
	return id, nil
}
