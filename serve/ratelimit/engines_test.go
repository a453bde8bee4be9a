package ratelimit

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"sabine/internal/freeport"
)

var secret = newSecret([]byte("a secret of the tests"))

// nameOfA is the name of account:a, as computed by openssl:
//
//	printf account:a | openssl dgst -sha256 -hmac "a secret of the tests"
const nameOfA = "e763c1c7e1be66690b363155be06d050"

// do sends a command to the server that contains a store's counters.
func (r *Redis) do(name string, args ...any) (any, error) {
	return r.cluster.Load().do(newCall(context.Background(), "", name, args...))
}

// A client is a connection with which a test reads the data of an engine.
type client struct{ redis.Conn }

// client connects to an engine without a password.
func (e *engine) client(t testing.TB) client {
	t.Helper()
	var conn redis.Conn
	eventually(t, "the engine accepts connections", func() bool {
		var err error
		conn, err = redis.Dial("tcp", "127.0.0.1:"+e.port)
		return err == nil
	})
	t.Cleanup(func() { _ = conn.Close() })
	return client{conn}
}

// text returns the reply to a command as a string, or "" if there is no reply.
func (c client) text(name string, args ...any) string {
	text, _ := redis.String(c.Do(name, args...))
	return text
}

// eventually waits until a condition is true.
func eventually(t testing.TB, expected string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout: expected that %s", expected)
		}
	}
}

// An engine is a real redis-server or valkey-server process on a free port.
type engine struct {
	program string
	port    string
	options []string
	dir     string
	process *exec.Cmd
}

// startRedis starts a server for a test. If redis-server is not installed, it skips the test; in CI, the test
// fails.
func startRedis(t testing.TB, options ...string) *engine {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed: make test installs it")
		}
		t.Skip("redis-server is not installed: make test installs it if possible")
	}
	return startEngine(t, "redis-server", options...)
}

func startEngine(t testing.TB, program string, options ...string) *engine {
	t.Helper()
	e := &engine{program: program, port: freeport.New(), options: options, dir: t.TempDir()}
	e.start(t)
	t.Cleanup(e.kill)
	return e
}

// start starts the server and returns when it accepts connections. If an engine uses TLS, it has no port
// without TLS.
func (e *engine) start(t testing.TB) {
	t.Helper()
	ports := []string{"--port", e.port}
	if e.secure() {
		ports = []string{"--port", "0", "--tls-port", e.port}
	}
	e.process = exec.Command(e.program, slices.Concat(ports, []string{"--bind", "127.0.0.1", "--save", "", "--dir",
		e.dir}, e.options)...)
	out, err := e.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.process.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if said = append(said, lines.Text()); strings.Contains(lines.Text(), "Ready to accept connections") {
			return
		}
	}
	if text := strings.Join(said, "\n"); strings.Contains(text, "Bad directive") && e.secure() {
		t.Skip(e.program + " was built without TLS")
	}
	t.Fatalf("%s ended before it was ready:\n%s", e.program, strings.Join(said, "\n"))
}

func (e *engine) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := e.process.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

func (e *engine) kill() {
	_ = e.process.Process.Kill() // the test may already have killed it
	_ = e.process.Wait()
}

func (e *engine) secure() bool { return slices.Contains(e.options, "--tls-cert-file") }

// address returns the engine's address in the form that a store accepts.
func (e *engine) address() string {
	if e.secure() {
		return "rediss://sabine:geheim@127.0.0.1:" + e.port
	}
	return "redis://127.0.0.1:" + e.port
}

// open returns a store whose counters are in the engine.
func (e *engine) open(t testing.TB) *Redis {
	t.Helper()
	store := openStore(t, e.address())
	if e.secure() {
		roots, err := os.ReadFile(e.options[slices.Index(e.options, "--tls-cert-file")+1])
		if err != nil {
			t.Fatal(err)
		}
		store.address.tls.RootCAs = x509.NewCertPool()
		store.address.tls.RootCAs.AppendCertsFromPEM(roots)
		store.connect()
	}
	return store
}

func openStore(t testing.TB, address string) *Redis {
	t.Helper()
	store, err := NewRedis(address, secret)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	store.wait(20 * time.Second)
	return store
}

// wait sets the timeout for requests to a store. On busy machines, tests need a longer timeout than users.
func (r *Redis) wait(d time.Duration) {
	r.address.timeout = d
	r.connect()
}

// tlsOptions returns the options for an engine with a certificate for 127.0.0.1 and a user named sabine that
// has only the permissions that a store needs.
func tlsOptions(t testing.TB) []string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return []string{
		"--tls-cert-file", write("cert.pem", "CERTIFICATE", certificate), "--tls-key-file",
		write("key.pem", "PRIVATE KEY", private),
		"--tls-auth-clients", "no",
		"--user", "sabine", "on", ">geheim", "~sabine:*", "+eval", "+evalsha", "+hmget", "+hset", "+expire", "+time",
	}
}
