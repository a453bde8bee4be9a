package fleet

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"aead.dev/minisign"
)

// A Signer signs generations with a minisign key.
type Signer struct{ key minisign.PrivateKey }

// ReadSigner reads a private key as minisign writes it. The password is asked for only when the key is
// encrypted.
func ReadSigner(path string, password func() (string, error)) (*Signer, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := new(Signer)
	if !minisign.IsEncrypted(b) {
		if err := s.key.UnmarshalText(b); err != nil {
			return nil, fmt.Errorf("%s: expected a private key of minisign: %w", path, err)
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

func (s *Signer) sign(g *Generation, store string) {
	g.Store = store
	g.Signature = string(minisign.Sign(s.key, g.statement()))
	g.Signature2 = string(minisign.Sign(s.key, g.storeStatement()))
}

func (s *Signer) signed(g *Generation, store string) bool {
	return Trust{s.key.Public().(minisign.PublicKey)}.allow(g, store) == nil
}

// StoreName returns the name that signatures use for a store unless another is given: its address, without
// query, credentials and trailing slash.
func StoreName(from Source) string {
	address, _, _ := strings.Cut(from.String(), "?")
	return strings.TrimRight(address, "/")
}

const maxStoreName = 1024

// CheckStoreName returns an error unless a text can be the name of a store in a signature: one line of UTF-8.
func CheckStoreName(name string) error {
	if name == "" || len(name) > maxStoreName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("expected a name of 1 to %d bytes of UTF-8 without control characters, got %.100q", maxStoreName,
			name)
	}
	return nil
}

// Trust is the public keys whose owners may bring a generation into force. None means that anybody may who
// can write to the store.
type Trust []minisign.PublicKey

var errUntrusted = errors.New("not signed by a trusted key")

// ParseTrust reads public keys, each as minisign prints it or as the path of its file.
func ParseTrust(keys []string) (Trust, error) {
	var trust Trust
	for _, text := range keys {
		var key minisign.PublicKey
		if err := key.UnmarshalText([]byte(strings.TrimSpace(text))); err != nil {
			if key, err = minisign.PublicKeyFromFile(text); err != nil {
				return nil, fmt.Errorf("%q is neither a public key of minisign (RW...) nor the path of one: %w", text, err)
			}
		}
		trust = append(trust, key)
	}
	return trust, nil
}

// allow returns an error unless a generation may come into force in the store of that name. A generation
// without the name of a store is refused when anybody is trusted: it could come from every store that the
// same key signs for.
func (t Trust) allow(g *Generation, store string) error {
	switch err := g.CheckStore(store); {
	case err != nil:
		return err
	case g.Store != "":
		return t.check(g.storeStatement(), g.Signature2)
	case len(t) > 0 && g.Signature != "":
		return fmt.Errorf("%w: its signature does not name the store %s: publish it again with this version of sabine",
			errUntrusted, store)
	}
	return t.check(nil, "")
}

// check returns errUntrusted unless a message is signed by one who is trusted, or nobody has to be.
func (t Trust) check(message []byte, signature string) error {
	if len(t) == 0 {
		return nil
	}
	if signature == "" {
		return fmt.Errorf("%w: it has no signature", errUntrusted)
	}
	for _, key := range t {
		if minisign.Verify(key, message, []byte(signature)) {
			return nil
		}
	}
	return fmt.Errorf("%w: its signature is by another key, or of something else", errUntrusted)
}

// signedAt returns the unix time that minisign notes in a signature, 0 for none.
func signedAt(signature []byte) (seconds int64) {
	var s minisign.Signature
	if s.UnmarshalText(signature) == nil {
		_, _ = fmt.Sscanf(s.TrustedComment, "timestamp:%d", &seconds)
	}
	return seconds
}
