package serve

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"sabine/indexes/files"
	"sabine/serve/statefile"
)

// A Certificate is the TLS certificate of the API with its chain and private key. It reloads its two PEM
// files when they change. Open connections continue to use the old pair.
type Certificate struct {
	files  [2]string // paths of the certificate and the key
	log    *slog.Logger
	pair   atomic.Pointer[tls.Certificate] // current pair
	faults statefile.Faults                // errors in the current pair, or in the files that replace it

	seen  [2]files.Stamp // stamps of the files when the current pair was read
	tried [2]files.Stamp // stamps at the previous poll
}

// maxCertificateFile is the maximum size of a file in bytes, enough for hundreds of certificates.
const maxCertificateFile = 1 << 20

// OpenCertificate reads a certificate and its key. It accepts an expired or not yet valid pair, because some
// clients still accept it, and not starting would be worse. poll logs it later.
func OpenCertificate(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{files: [2]string{certFile, keyFile}, log: log}
	var err error
	if c.seen, err = c.stamps(); err != nil {
		return nil, fmt.Errorf("TLS certificate: %w", err)
	}
	pair, err := c.read()
	c.pair.Store(pair)
	return c, err
}

// stamps returns the stamps of the files. It follows symbolic links, such as ..data in a mounted Kubernetes
// secret.
func (c *Certificate) stamps() (s [2]files.Stamp, err error) {
	var missing [2]error
	for i, path := range c.files {
		s[i], missing[i] = files.StampOf(path)
	}
	return s, errors.Join(missing[:]...)
}

// read reads the files and checks that they are a pair.
func (c *Certificate) read() (*tls.Certificate, error) {
	var pem [2][]byte
	for i, path := range c.files {
		var err error
		if pem[i], err = statefile.Read(path, maxCertificateFile); err != nil {
			return nil, fmt.Errorf("TLS certificate: %w", err)
		}
	}
	pair, err := tls.X509KeyPair(pem[0], pem[1])
	if err != nil {
		return nil, fmt.Errorf("TLS certificate %s with key %s: %w", c.files[0], c.files[1], err)
	}
	return &pair, nil
}

// validAt returns an error if a certificate is expired or not yet valid at the given time.
func validAt(leaf *x509.Certificate, now time.Time) error {
	switch {
	case now.After(leaf.NotAfter):
		return fmt.Errorf("the TLS certificate expired at %s", leaf.NotAfter.UTC().Format(time.RFC3339))
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("the TLS certificate is not valid before %s", leaf.NotBefore.UTC().Format(time.RFC3339))
	}
	return nil
}

// watch reloads the pair within a second after a change to the files, until the context ends.
func (c *Certificate) watch(ctx context.Context) {
	for now := range statefile.Ticks(ctx, files.PollInterval) {
		c.poll(now)
	}
}

// poll reloads the files if they differ from the current pair, and otherwise only checks whether the pair is
// still valid. It logs an error only if the files did not change between two polls, because one file can be
// replaced before the other, or can be incomplete.
func (c *Certificate) poll(now time.Time) {
	stamps, err := c.stamps()
	pair, changed := c.pair.Load(), err != nil || stamps != c.seen
	if err == nil && changed {
		pair, err = c.read()
	}
	if err == nil {
		err = validAt(pair.Leaf, now)
	}
	stable := stamps == c.tried
	c.tried = stamps
	if err == nil {
		c.pair.Store(pair)
		c.seen = stamps
		if c.faults.Record(nil, now) || changed {
			c.log.Info("TLS certificate loaded", "expires", c.expires().UTC())
		}
	} else if stable {
		reason := strings.ReplaceAll(err.Error(), "\n", "; ")
		if c.faults.Record(errors.New(reason), now) {
			c.log.Error("the TLS certificate is invalid; the current certificate remains in use", "error", reason)
		}
	}
}

func (c *Certificate) expires() time.Time { return c.pair.Load().Leaf.NotAfter }

func (c *Certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.pair.Load(), nil },
	}
}
