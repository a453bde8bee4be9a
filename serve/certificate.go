package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sabine/indexes/files"
	"sabine/serve/statefile"
)

// A Certificate is what the API is served with over TLS: a certificate with its chain, and its private key, in two PEM files
// that it follows. Connections that are open keep the pair that they began with.
type Certificate struct {
	files    [2]string // of the certificate and of its key
	log      *slog.Logger
	pair     atomic.Pointer[tls.Certificate] // in force
	fault    atomic.Pointer[certificateFault]
	failures atomic.Int64

	seen  [2]files.Stamp // of the files whose pair is in force
	tried [2]files.Stamp // of the files at the look before
}

// A certificateFault is what is wrong with the pair in force, or with the files that should replace it.
type certificateFault struct {
	since  time.Time
	reason string
}

// maxCertificateFile is the most that is read of a file: hundreds of certificates.
const maxCertificateFile = 1 << 20

// OpenCertificate reads a certificate and its key. A pair that has expired, or is not valid yet, is taken, and told of by the
// first looks: no server would be worse than one that some clients still speak to.
func OpenCertificate(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{files: [2]string{certFile, keyFile}, log: log}
	var err error
	if c.seen, err = c.stamps(); err != nil {
		return nil, fmt.Errorf("TLS certificate: %w", err)
	}
	pair, err := c.read()
	if err != nil {
		return nil, err
	}
	c.pair.Store(pair)
	return c, nil
}

// stamps returns the stamps of the files. Those of links, such as ..data of a mounted Kubernetes secret, are of what they
// lead to.
func (c *Certificate) stamps() (s [2]files.Stamp, err error) {
	for i, path := range c.files {
		var missing error
		s[i], missing = files.StampOf(path)
		err = errors.Join(err, missing)
	}
	return s, err
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

// validAt returns why clients refuse a pair at a time, as far as its dates say.
func validAt(pair *tls.Certificate, now time.Time) error {
	switch leaf := pair.Leaf; {
	case now.After(leaf.NotAfter):
		return fmt.Errorf("the TLS certificate expired at %s", leaf.NotAfter.UTC().Format(time.RFC3339))
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("the TLS certificate is not valid before %s", leaf.NotBefore.UTC().Format(time.RFC3339))
	}
	return nil
}

// watch puts the pair of the files in force when they change, within a second, until the context ends.
func (c *Certificate) watch(ctx context.Context) {
	tick := time.NewTicker(files.PollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			c.look(now)
		}
	}
}

// look reads the files when they are others than those of the pair in force. What is wrong is told once they stand still for
// two looks: one may be replaced before the other, or be half written.
func (c *Certificate) look(now time.Time) {
	fault := c.fault.Load()
	stamps, err := c.stamps()
	unchanged := err == nil && stamps == c.seen
	switch {
	case unchanged:
		err = validAt(c.pair.Load(), now)
	case err == nil:
		err = c.replace(stamps, now)
	}
	settled := stamps == c.tried
	c.tried = stamps
	switch {
	case err != nil && settled:
		c.fail(fault, err, now)
	case err == nil && (fault != nil || !unchanged):
		c.fault.Store(nil)
		c.log.Info("TLS certificate read", "expires", c.pair.Load().Leaf.NotAfter.UTC())
	}
}

// replace puts the pair of the files in force.
func (c *Certificate) replace(stamps [2]files.Stamp, now time.Time) error {
	pair, err := c.read()
	if err == nil {
		err = validAt(pair, now)
	}
	if err != nil {
		return err
	}
	c.pair.Store(pair)
	c.seen = stamps
	return nil
}

// fail notes what is wrong, and tells of every reason once.
func (c *Certificate) fail(before *certificateFault, err error, now time.Time) {
	fault := &certificateFault{now, strings.ReplaceAll(err.Error(), "\n", "; ")}
	if before != nil {
		if before.reason == fault.reason {
			return
		}
		fault.since = before.since
	}
	c.fault.Store(fault)
	c.failures.Add(1)
	c.log.Error("something is wrong with the TLS certificate; the one in force stays", "error", fault.reason)
}

// config returns the settings of a listener.
func (c *Certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.pair.Load(), nil },
	}
}

// state is what /readyz says of the certificate.
func (c *Certificate) state() partState {
	if fault := c.fault.Load(); fault != nil {
		return partState{"stale", &fault.reason, orNull(fault.since.UTC())}
	}
	return partState{Status: partOK}
}

// Describe sends nothing: see stateCollector.
func (c *Certificate) Describe(chan<- *prometheus.Desc) {}

// Collect reports on the certificate.
func (c *Certificate) Collect(to chan<- prometheus.Metric) {
	report := reporter(to)
	report(prometheus.GaugeValue, float64(c.pair.Load().Leaf.NotAfter.Unix()), "sabine_tls_certificate_expires_seconds",
		"Unix time at which the TLS certificate in force expires.", nil)
	report(prometheus.CounterValue, float64(c.failures.Load()), "sabine_tls_reload_failures_total",
		"Times that the TLS certificate in force had expired or could not be replaced.", nil)
}
