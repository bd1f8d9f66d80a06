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

// The API key of a model is stored encrypted with AES-256-GCM: the nonce, then the
// ciphertext. The model's id, protocol and address are its additional data, so a key
// cannot be decrypted for another address. The encryption key is a file of its own, so
// that the database or a backup alone reveals no API key.

const keyFileName = "key"

var errCannotDecrypt = errors.New("it was encrypted for another address, or with another key file")

// KeyFile returns the path of the file that holds the encryption key.
func KeyFile(dir string) string { return filepath.Join(dir, keyFileName) }

// newAEAD reads the folder's encryption key. If the file is missing and create is set,
// it makes one.
func (s *Store) newAEAD(create bool) (cipher.AEAD, error) {
	s.keyFile.Lock()
	defer s.keyFile.Unlock()
	file := KeyFile(s.dir)
	secret, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) && create {
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

// newSecret writes the file under another name first, so that a crash leaves no file
// with half a secret.
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
	syncFolder(filepath.Dir(file))
	return secret, nil
}

// additionalData is what an encrypted key is bound to.
func additionalData(m classroom.Model) []byte {
	return []byte(strings.Join([]string{"colloquy model key", m.ID, m.Provider, m.BaseURL}, "\x00"))
}

// encrypt returns the encrypted key; for an empty key nothing.
func (s *Store) encrypt(m classroom.Model, key string) ([]byte, error) {
	if key == "" {
		return []byte{}, nil
	}
	aead, err := s.newAEAD(true)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	return aead.Seal(nonce, nonce, []byte(key), additionalData(m)), nil
}

func (s *Store) decrypt(m classroom.Model, encrypted []byte) (string, error) {
	if len(encrypted) == 0 {
		return "", nil
	}
	aead, err := s.newAEAD(false)
	if err != nil {
		return "", err
	}
	n := aead.NonceSize()
	if len(encrypted) < n {
		return "", errCannotDecrypt
	}
	key, err := aead.Open(nil, encrypted[:n], encrypted[n:], additionalData(m))
	if err != nil {
		return "", errCannotDecrypt
	}
	return string(key), nil
}
