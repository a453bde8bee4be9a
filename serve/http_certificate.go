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

// A Certificate is what the API is served with over TLS: a certificate with its chain, and its private key,
// in two PEM files that it follows. Connections that are open keep the pair that they began with.
type Certificate struct {
	files  [2]string // of the certificate and of its key
	log    *slog.Logger
	pair   atomic.Pointer[tls.Certificate] // in force
	faults statefile.Faults                // of the pair in force, or of the files that should replace it

	seen  [2]files.Stamp // of the files whose pair is in force
	tried [2]files.Stamp // of the files at the look before
}

// maxCertificateFile is the most that is read of a file: hundreds of certificates.
const maxCertificateFile = 1 << 20

// OpenCertificate reads a certificate and its key. A pair that has expired, or is not valid yet, is taken,
// and logged by the first looks: no server would be worse than one that some clients still speak to.
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

// stamps returns the stamps of the files. Those of links, such as ..data of a mounted Kubernetes secret, are
// of what they lead to.
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

// validAt returns why clients refuse a certificate at a time, as far as its dates say.
func validAt(leaf *x509.Certificate, now time.Time) error {
	switch {
	case now.After(leaf.NotAfter):
		return fmt.Errorf("the TLS certificate expired at %s", leaf.NotAfter.UTC().Format(time.RFC3339))
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("the TLS certificate is not valid before %s", leaf.NotBefore.UTC().Format(time.RFC3339))
	}
	return nil
}

// watch puts the pair of the files in force when they change, within a second, until the context ends.
func (c *Certificate) watch(ctx context.Context) {
	for now := range statefile.Ticks(ctx, files.PollInterval) {
		c.look(now)
	}
}

// look reads the files when they are others than those of the pair in force. What is wrong is logged once
// they stand still for two looks: one may be replaced before the other, or be half written.
func (c *Certificate) look(now time.Time) {
	stamps, err := c.stamps()
	pair, changed := c.pair.Load(), err != nil || stamps != c.seen
	if err == nil && changed {
		pair, err = c.read()
	}
	if err == nil {
		err = validAt(pair.Leaf, now)
	}
	settled := stamps == c.tried
	c.tried = stamps
	if err == nil {
		c.pair.Store(pair)
		c.seen = stamps
		if c.faults.Record(nil, now) || changed {
			c.log.Info("TLS certificate read", "expires", c.expires().UTC())
		}
	} else if settled {
		reason := strings.ReplaceAll(err.Error(), "\n", "; ")
		if c.faults.Record(errors.New(reason), now) {
			c.log.Error("something is wrong with the TLS certificate; the one in force stays", "error", reason)
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
