// Package s3test runs a real S3 server for tests, and a proxy that does to its answers, or to those of any
// other server, what networks do.
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

// The credentials of every server, and its one bucket.
const (
	accessKey = "sabine-test"
	secretKey = "sabine-test-secret"
	Bucket    = "catalogue"
)

// setEnv gives the test's own process the credentials.
var setEnv = sync.OnceFunc(func() {
	_ = os.Setenv("AWS_ACCESS_KEY_ID", accessKey)
	_ = os.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
})

// A Server is a process of versitygw with one empty bucket.
type Server struct {
	Endpoint string // "http://127.0.0.1:port", the same after every Run
	Dir      string // the objects of the bucket, as files

	root    string
	process *exec.Cmd
}

// Start starts a server that ends with the test. Where versitygw was not built the test is skipped, but not
// in CI.
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

// find returns the path of the program, which lies in a folder .tools above the test, "" when there is none.
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

// URL is the address of a store in the bucket.
func (s *Server) URL(prefix string) string { return URL(s.Endpoint, prefix) }

// URL is the address of a store in the bucket of a server behind another endpoint, such as a Proxy's.
func URL(endpoint, prefix string) string {
	return "s3://" + Bucket + "/" + prefix + "?endpoint=" + url.QueryEscape(endpoint)
}

// Run runs the server again after Kill, on the same port and with the same objects, and returns once it
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

// Kill ends the process at once. A server that was killed before is left as it is.
func (s *Server) Kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// Pause stops the process as it is, and returns once it stands: it takes connections, and answers nothing
// until Continue.
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

// Continue lets a paused process run on.
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
