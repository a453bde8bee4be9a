// Package s3test runs a real S3 server for tests, and a proxy that simulates network faults for any server.
package s3test

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Credentials and bucket of every server.
const (
	accessKey = "sabine-test"
	secretKey = "sabine-test-secret"
	Bucket    = "catalogue"
)

// setEnv sets the credentials in the test's environment.
var setEnv = sync.OnceFunc(func() {
	_ = os.Setenv("AWS_ACCESS_KEY_ID", accessKey)
	_ = os.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
})

// A Server is a process of versitygw with one bucket, which is initially empty.
type Server struct {
	Endpoint string // "http://127.0.0.1:port"; Run does not change it
	Dir      string // folder that contains the bucket's objects as files

	root    string
	process *exec.Cmd
}

// Start starts a server that ends with the test. Without versitygw, it skips the test, or fails it in CI.
func Start(t testing.TB) *Server {
	t.Helper()
	program := find()
	if program == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("versitygw is not built: make check builds it")
		}
		t.Skip("versitygw is not built: make .tools/versitygw does it")
	}
	setEnv()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = free.Close()
	root := t.TempDir()
	s := &Server{Endpoint: "http://" + free.Addr().String(), Dir: filepath.Join(root, Bucket), root: root}
	if err := os.Mkdir(s.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.Run(t)
	t.Cleanup(s.Kill)
	return s
}

// find returns the path of the program, in a folder .tools above the test, or "" if it does not exist.
func find() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		program := filepath.Join(dir, ".tools", "versitygw")
		if _, err := os.Stat(program); err == nil {
			return program
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// URL returns the address of a store in the server's bucket.
func (s *Server) URL(prefix string) string { return URL(s.Endpoint, prefix) }

// URL returns the address of a store in the bucket at an endpoint, such as the endpoint of a Proxy.
func URL(endpoint, prefix string) string {
	return "s3://" + Bucket + "/" + prefix + "?endpoint=" + url.QueryEscape(endpoint)
}

// Run restarts the server after Kill, on the same port and with the same objects, and waits until the server
// answers.
func (s *Server) Run(t testing.TB) {
	t.Helper()
	s.process = exec.Command(find(), "--port", s.Endpoint[len("http://"):], "--keep-alive", "--quiet", "--health",
		"/health", "posix", s.root)
	s.process.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+accessKey, "ROOT_SECRET_KEY="+secretKey)
	said, err := os.Create(filepath.Join(t.TempDir(), "versitygw.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	s.process.Stdout, s.process.Stderr = said, said
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		answer, err := http.Get(s.Endpoint + "/health")
		if err == nil && answer.Body.Close() == nil && answer.StatusCode == http.StatusOK {
			return
		}
	}
	s.Kill()
	text, _ := os.ReadFile(said.Name())
	t.Fatalf("versitygw does not answer: %s", text)
}

// Kill kills the process. After an earlier Kill it does nothing.
func (s *Server) Kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// Pause stops the process and waits until it has stopped. Until Continue is called, the process accepts
// connections but does not answer.
func (s *Server) Pause(t testing.TB) {
	t.Helper()
	s.signal(t, syscall.SIGSTOP)
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(s.process.Process.Pid, &status, syscall.WUNTRACED, nil)
		if err == nil && status.Stopped() {
			return
		}
		if !errors.Is(err, syscall.EINTR) {
			t.Fatalf("versitygw was not stopped: %v, %v", status, err)
		}
	}
}

// Continue resumes a paused process.
func (s *Server) Continue(t testing.TB) {
	t.Helper()
	s.signal(t, syscall.SIGCONT)
}

func (s *Server) signal(t testing.TB, sig syscall.Signal) {
	t.Helper()
	if err := s.process.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}
