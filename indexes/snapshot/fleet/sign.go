package fleet

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"aead.dev/minisign"
)

// A Signer signs generations with a minisign key.
type Signer struct{ key minisign.PrivateKey }

// ReadSigner reads a private minisign key from a file. It calls password only if the key is encrypted.
func ReadSigner(path string, password func() (string, error)) (*Signer, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := new(Signer)
	if !minisign.IsEncrypted(b) {
		if err := s.key.UnmarshalText(b); err != nil {
			return nil, fmt.Errorf("%s: invalid minisign private key: %w", path, err)
		}
		return s, nil
	}
	secret, err := password()
	if err != nil {
		return nil, fmt.Errorf("%s is encrypted: %w", path, err)
	}
	if s.key, err = minisign.DecryptKey(secret, b); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// sign signs g for the store with the given name. See pointer.go for the two signatures.
func (s *Signer) sign(g *Generation, store string) {
	g.Store = store
	g.Signature = string(minisign.Sign(s.key, g.statement()))
	g.Signature2 = string(minisign.Sign(s.key, g.storeStatement()))
}

// hasSigned reports whether g has a valid signature by this key for this store.
func (s *Signer) hasSigned(g *Generation, store string) bool {
	return Trust{s.key.Public().(minisign.PublicKey)}.allow(g, store) == nil
}

// StoreName returns the default name of a store in signatures. It is the store's address without the query,
// credentials and trailing slash.
func StoreName(from Source) string {
	address, _, _ := strings.Cut(from.String(), "?") // String contains no credentials
	return strings.TrimRight(address, "/")
}

const maxStoreName = 1024

// CheckStoreName returns an error unless name is valid as a store name in signatures: one line of UTF-8.
func CheckStoreName(name string) error {
	if name == "" || len(name) > maxStoreName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("expected a name of 1 to %d bytes of UTF-8 without control characters, got %.100q", maxStoreName,
			name)
	}
	return nil
}

// A Trust is a list of public keys. Each generation must be signed with one of the keys. If the list is
// empty, signatures are not verified.
type Trust []minisign.PublicKey

var (
	errUntrusted = errors.New("not signed by a trusted key")
	errUnsigned  = fmt.Errorf("%w: no signature", errUntrusted)
)

// ParseTrust parses a list of public keys. Each element is either a minisign public key or the path of a file
// that contains one.
func ParseTrust(keys []string) (Trust, error) {
	var trust Trust
	for _, text := range keys {
		var key minisign.PublicKey
		if err := key.UnmarshalText([]byte(strings.TrimSpace(text))); err != nil {
			if key, err = minisign.PublicKeyFromFile(text); err != nil {
				return nil, fmt.Errorf("%q is neither a minisign public key (RW...) nor the path of one: %w", text, err)
			}
		}
		trust = append(trust, key)
	}
	return trust, nil
}

// allow returns an error if a generation must not become current in the store with the given name. Even if t
// is empty, a generation must not name another store. Unless t is empty, the generation must be signed for
// this store. A signature that names no store is refused, since it could come from any store with the same
// key.
func (t Trust) allow(g *Generation, store string) error {
	if err := g.CheckStore(store); err != nil {
		return err
	}
	switch {
	case len(t) == 0:
		return nil
	case g.Store != "":
		return t.check(g.storeStatement(), g.Signature2)
	case g.Signature != "":
		return fmt.Errorf("%w: the signature does not name the store %s: publish again with this version of sabine",
			errUntrusted, store)
	}
	return errUnsigned
}

// check returns an error unless the message is signed with a trusted key.
func (t Trust) check(message []byte, signature string) error {
	if signature == "" {
		return errUnsigned
	}
	if slices.ContainsFunc(t, func(k minisign.PublicKey) bool { return minisign.Verify(k, message, []byte(signature)) }) {
		return nil
	}
	return fmt.Errorf("%w: the signature is from another key or for other content", errUntrusted)
}

// signedAt returns the Unix time in a minisign signature, or 0 if there is none.
func signedAt(signature []byte) (seconds int64) {
	var s minisign.Signature
	if s.UnmarshalText(signature) == nil {
		_, _ = fmt.Sscanf(s.TrustedComment, "timestamp:%d", &seconds)
	}
	return seconds
}
