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

// How long a secret may be, in bytes, without the blanks around it.
const (
	minSecret = 16
	maxSecret = 4 << 10
	// maxSecretFile is how much of a secret's file is read, blanks and all.
	maxSecretFile = 1 << 20
)

// A Secret turns clients into names that tell nothing of them: without it nobody can say whose counters are
// kept, not even by trying every address that there is. Servers that share a store need the same one.
type Secret struct {
	macs sync.Pool // of *mac
}

// A name is what a client is kept under: the first half of its HMAC-SHA256.
type name [sha256.Size / 2]byte

// A mac has what the computing of a name needs, so that it leaves nothing behind.
type mac struct {
	hash.Hash
	client, sum []byte
}

func newSecret(key []byte) *Secret {
	return &Secret{sync.Pool{New: func() any { return &mac{Hash: hmac.New(sha256.New, key)} }}}
}

func newKey() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // it never fails
	return hex.AppendEncode(nil, key)
}

// ReadSecret returns the secret that a regular file holds between blanks: 16 bytes to 4 KiB.
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

// fingerprint tells two secrets apart, and nothing else of them.
func (s *Secret) fingerprint() string {
	n := s.name("fingerprint") // no client's: their names have a colon
	return hex.EncodeToString(n[:4])
}

// MarshalText writes a name in hexadecimal digits.
func (n name) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, n[:]), nil }

func parseName(text string) (n name, ok bool) {
	if len(text) != hex.EncodedLen(len(n)) {
		return n, false
	}
	_, err := hex.Decode(n[:], []byte(text))
	return n, err == nil
}
