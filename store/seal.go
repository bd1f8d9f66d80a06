package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"colloquy/classroom"
)

// A model's key lies in the database sealed with AES-256-GCM: nonce, then
// ciphertext. What it was entered for (the model's id, its protocol and its
// address) is bound to it, so it opens for nothing else. The secret that seals
// is a file of its own, so that the database alone, or a backup of it, gives no
// key away.

const sealFile = "key"

var errUnsealed = errors.New("it was sealed for another address, or with another key file")

// sealer reads the folder's secret, and makes it where make is set and there is none.
func (s *Store) sealer(make bool) (cipher.AEAD, error) {
	s.sealing.Lock()
	defer s.sealing.Unlock()
	file := filepath.Join(s.dir, sealFile)
	secret, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) && make {
		secret, err = newSecret(file)
	}
	if err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	if len(secret) != 32 {
		return nil, fmt.Errorf("read the key file: it has %d bytes, not 32", len(secret))
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// newSecret writes the file under another name first: half a secret would be
// taken for a whole one at the next start.
func newSecret(file string) ([]byte, error) {
	secret := make([]byte, 32)
	rand.Read(secret)
	next := file + ".new"
	if err := os.WriteFile(next, secret, 0o600); err != nil {
		return nil, err
	}
	if err := errors.Join(syncFile(next), os.Rename(next, file)); err != nil {
		return nil, err
	}
	_ = syncFile(filepath.Dir(file)) // not every system syncs folders
	return secret, nil
}

func purpose(m classroom.Model) []byte {
	return []byte(strings.Join([]string{"colloquy model key", m.ID, m.Provider, m.BaseURL}, "\x00"))
}

// seal returns what the database keeps of a key; of none nothing.
func (s *Store) seal(m classroom.Model, key string) ([]byte, error) {
	if key == "" {
		return []byte{}, nil
	}
	aead, err := s.sealer(true)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	return aead.Seal(nonce, nonce, []byte(key), purpose(m)), nil
}

func (s *Store) unseal(m classroom.Model, sealed []byte) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	aead, err := s.sealer(false)
	if err != nil {
		return "", err
	}
	if len(sealed) < aead.NonceSize() {
		return "", errUnsealed
	}
	n := aead.NonceSize()
	key, err := aead.Open(nil, sealed[:n], sealed[n:], purpose(m))
	if err != nil {
		return "", errUnsealed
	}
	return string(key), nil
}
