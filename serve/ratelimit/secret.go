package ratelimit

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"sync"

	"sabine/serve/statefile"
)

// Minimum and maximum length of a secret in bytes, excluding surrounding white space.
const (
	minSecret = 16
	maxSecret = 4 << 10
	// maxSecretFile is the maximum size of a file with a secret, including white space.
	maxSecretFile = 1 << 20
)

// A Secret converts clients to names that do not identify them. Without the secret, names cannot be matched
// to clients, not even by hashing all addresses. Servers that share a store need the same secret.
type Secret struct {
	macs sync.Pool // pool of *mac values
}

// A name identifies a client in a store. It is the first half of an HMAC-SHA256.
type name [sha256.Size / 2]byte

// A mac contains the buffers for computing a name, so that computing does not allocate.
type mac struct {
	hash.Hash
	client, sum []byte
}

func newSecret(key []byte) *Secret {
	return &Secret{sync.Pool{New: func() any { return &mac{Hash: hmac.New(sha256.New, key)} }}}
}

// newKey returns a random secret, in hexadecimal digits because its file is a text.
func newKey() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	return hex.AppendEncode(nil, key)
}

// ReadSecret reads a secret of 16 bytes to 4 KiB from a regular file. It trims white space.
func ReadSecret(path string) (*Secret, error) {
	text, err := statefile.Read(path, maxSecretFile)
	if err != nil {
		return nil, err
	}
	key := bytes.TrimSpace(text)
	if len(key) < minSecret || len(key) > maxSecret {
		return nil, fmt.Errorf("%s: expected a secret of %d to %d bytes, got %d", path, minSecret, maxSecret, len(key))
	}
	return newSecret(key), nil
}

func (s *Secret) name(client string) (n name) {
	m := s.macs.Get().(*mac)
	m.Reset()
	m.client = append(m.client[:0], client...)
	m.Write(m.client)
	m.sum = m.Sum(m.sum[:0])
	copy(n[:], m.sum)
	s.macs.Put(m)
	return n
}

// fingerprint returns a text that is different for each secret and does not reveal it.
func (s *Secret) fingerprint() string {
	n := s.name("fingerprint") // differs from all names of clients, which contain a colon
	return hex.EncodeToString(n[:4])
}

// MarshalText returns a name in hexadecimal digits.
func (n name) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, n[:]), nil }

func parseName(text string) (n name, ok bool) {
	if len(text) != hex.EncodedLen(len(n)) {
		return n, false
	}
	_, err := hex.Decode(n[:], []byte(text))
	return n, err == nil
}
