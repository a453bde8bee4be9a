package serve

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/renameio/v2"
)

// certified is the period of validity of test certificates. It includes the year 2000, in which the clock of
// synctest starts.
var certified = [2]time.Time{time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)}

// newPair returns a PEM certificate for this machine with a serial number, and its key.
func newPair(t testing.TB, serial int64, valid [2]time.Time) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: valid[0], NotAfter: valid[1], DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// pairFiles contains the paths of a test's certificate and key.
type pairFiles struct{ cert, key string }

func newPairFiles(t testing.TB) pairFiles {
	dir := t.TempDir()
	return pairFiles{filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")}
}

// put replaces files by renaming. A file whose new content is nil remains unchanged.
func (f pairFiles) put(t testing.TB, cert, key []byte) {
	t.Helper()
	for path, content := range map[string][]byte{f.cert: cert, f.key: key} {
		if content == nil {
			continue
		}
		if err := renameio.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// state returns the state of the certificate in /readyz.
func (c *Certificate) state() partState { return partStateOf(c.faults.Now.Load(), partStale) }

// serial returns the serial number of the current certificate.
func (c *Certificate) serial() int64 { return c.pair.Load().Leaf.SerialNumber.Int64() }

// TestACertificateFollowsItsFiles polls three times in each step, because an error is logged only after the
// files have stopped changing.
func TestACertificateFollowsItsFiles(t *testing.T) {
	f, log := newPairFiles(t), new(logBuffer)
	cert, key := newPair(t, 1, certified)
	f.put(t, cert, key)
	c, err := OpenCertificate(f.cert, f.key, slog.New(slog.NewJSONHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	second, secondKey := newPair(t, 2, certified)
	third, thirdKey := newPair(t, 3, certified)
	old, oldKey := newPair(t, 8, [2]time.Time{certified[0], now.Add(-time.Second)})
	early, earlyKey := newPair(t, 9, [2]time.Time{now.Add(time.Hour), certified[1]})
	for _, tt := range []struct {
		rule     string
		change   func()
		serial   int64
		reason   string // "" means ok
		failures int64
	}{
		{"nothing changes", func() {}, 1, "", 0},
		{"another pair", func() { f.put(t, second, secondKey) }, 2, "", 0},
		{"a certificate without its key", func() { f.put(t, third, nil) }, 2, "private key does not match public key", 1},
		{"the key comes too", func() { f.put(t, nil, thirdKey) }, 3, "", 1},
		{"half a certificate", func() { f.put(t, cert[:len(cert)/2], key) }, 3, "failed to find", 2},
		{"half a key", func() { f.put(t, cert, key[:len(key)/2]) }, 3, "failed to find any PEM data in key", 3},
		{"a key in the place of the certificate", func() { f.put(t, key, key) }, 3, "may have been switched", 4},
		{"one that has expired", func() {
			f.put(t, old, oldKey)
		}, 3, "the TLS certificate expired at " + now.Add(-time.Second).UTC().Format(time.RFC3339), 5},
		{"one of tomorrow", func() { f.put(t, early, earlyKey) }, 3, "is not valid before", 6},
		{"a file that is gone", func() { _ = os.Remove(f.key) }, 3, "no such file", 7},
		{"a folder", func() { _ = os.Mkdir(f.key, 0o700) }, 3, "is a folder", 8},
		{"more than a certificate is", func() {
			_ = os.Remove(f.key)
			f.put(t, make([]byte, maxCertificateFile+1), key)
		}, 3, "larger than the limit of 1 MiB", 9},
		{"the first again", func() { f.put(t, cert, key) }, 1, "", 9},
		{"its time passes", func() {
			now = certified[1].Add(time.Second)
		}, 1, "the TLS certificate expired at 2099-01-01T00:00:00Z", 10},
		{"the clock was wrong", func() { now = time.Now() }, 1, "", 10},
	} {
		lines, before := strings.Count(log.String(), "\n"), c.tried
		tt.change()
		c.poll(now)
		if reason := c.state().Reason; c.tried != before && tt.reason != "" && reason != nil &&
			strings.Contains(*reason, tt.reason) {
			t.Errorf("%s: reported while the files can still change", tt.rule)
		}
		c.poll(now)
		c.poll(now)
		s := c.state()
		if s.Reason == nil {
			s.Reason = new(string)
		}
		if ok := s.Status == partOK && *s.Reason == ""; c.serial() != tt.serial || ok != (tt.reason == "") ||
			!strings.Contains(*s.Reason, tt.reason) || c.faults.Count.Load() != tt.failures {
			t.Errorf("%s: got certificate %d, %s: %s, %d failures", tt.rule, c.serial(), s.Status, *s.Reason,
				c.faults.Count.Load())
		}
		if got := strings.Count(log.String(), "\n") - lines; got > 1 {
			t.Errorf("%s: %d lines, want one at most:\n%s", tt.rule, got, log)
		}
	}
	if strings.Contains(log.String(), "PRIVATE") {
		t.Errorf("the log holds a key:\n%s", log)
	}
}

// TestACertificateInTheFolderOfALink changes only the link ..data, as in a mounted Kubernetes secret.
func TestACertificateInTheFolderOfALink(t *testing.T) {
	dir := t.TempDir()
	turn := func(n int64, name string) {
		cert, key := newPair(t, n, certified)
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		pairFiles{filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")}.put(t, cert, key)
		if err := renameio.Symlink(name, filepath.Join(dir, "..data")); err != nil {
			t.Fatal(err)
		}
	}
	turn(1, "first")
	f := pairFiles{filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")}
	for _, path := range []string{f.cert, f.key} {
		if err := os.Symlink(filepath.Join("..data", filepath.Base(path)), path); err != nil {
			t.Fatal(err)
		}
	}
	c, err := OpenCertificate(f.cert, f.key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	turn(2, "second")
	c.poll(time.Now())
	if c.serial() != 2 {
		t.Errorf("got certificate %d, want 2", c.serial())
	}
}

// TestAnInvalidPairIsNotServed starts with an expired pair. This pair is served, because some clients still
// accept it.
func TestAnInvalidPairIsNotServed(t *testing.T) {
	f, log := newPairFiles(t), new(logBuffer)
	logger := slog.New(slog.NewJSONHandler(log, nil))
	if _, err := OpenCertificate(f.cert, f.key, logger); err == nil || !strings.Contains(err.Error(), "tls.crt") ||
		!strings.Contains(err.Error(), "tls.key") {
		t.Errorf("no files: got %v", err)
	}
	cert, key := newPair(t, 1, [2]time.Time{certified[0], certified[0].Add(time.Hour)})
	_, other := newPair(t, 2, certified)
	f.put(t, cert, other)
	if _, err := OpenCertificate(f.cert, f.key, logger); err == nil ||
		!strings.Contains(err.Error(), "private key does not match") {
		t.Errorf("not a pair: got %v", err)
	}
	f.put(t, nil, key)
	c, err := OpenCertificate(f.cert, f.key, logger)
	if err != nil {
		t.Fatal(err)
	}
	c.poll(time.Now())
	c.poll(time.Now())
	if s := c.state(); s.Status != "stale" || !strings.Contains(log.String(), "expired at 1999-01-01T01:00:00Z") {
		t.Errorf("an expired one: got %s, log %s", s.Status, log)
	}
}

// over makes a server use TLS with a new certificate.
func (s *Server) over(t testing.TB) pairFiles {
	t.Helper()
	f := newPairFiles(t)
	cert, key := newPair(t, 1, certified)
	f.put(t, cert, key)
	c, err := OpenCertificate(f.cert, f.key, s.options.Log)
	if err != nil {
		t.Fatal(err)
	}
	s.options.Certificate = c
	s.registerMetrics()
	return f
}

// insecure accepts every certificate. It is for tests of other properties.
var insecure = &tls.Config{InsecureSkipVerify: true}
