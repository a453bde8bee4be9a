package browser

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// patience is the time limit for a condition. It is long enough for a busy machine. pause is the time between
// two checks.
const (
	patience = 30 * time.Second
	pause    = 5 * time.Millisecond
)

// Unlimited is a policy that does not refuse any request.
const Unlimited = "1000000000/1m"

// A Server is a running process of sabine serve.
type Server struct {
	URL string // URL of the site: http://127.0.0.1:PORT
	API string // path of the API

	dir     string // folder of the counters, which a restart does not delete
	args    []string
	process *exec.Cmd
	log     logBuffer
	ended   chan struct{} // closed when the process has ended
}

// Sample returns the server that all tests share, with the sample catalogue, public details and no limits.
func Sample(t testing.TB) *Server {
	t.Helper()
	needChromium(t)
	s, err := sharedSample()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func serveSample() (*Server, error) {
	s, err := start("--sample", "--snapshots", sampleFolder(), "--public-detail", "--public-limit", Unlimited)
	if err == nil {
		ends = append(ends, func() { _ = s.end() })
	}
	return s, err
}

func sampleFolder() string { return filepath.Join(sharedDir, "sample") }

// SampleFolder returns the folder with the sample snapshot, for servers with other flags.
func SampleFolder(t testing.TB) string {
	t.Helper()
	Sample(t) // fills the folder
	return sampleFolder()
}

// Build compiles source records, in any format of `sabine build -`, into a snapshot folder and makes the
// snapshot current.
func Build(t testing.TB, snapshots, records string) {
	t.Helper()
	needChromium(t)
	binary, err := sharedBinary()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(binary, "build", "--snapshots", snapshots, "-")
	c.Stdin = strings.NewReader(records)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("sabine build: %v\n%s", err, out)
	}
}

// Serve starts a server for a snapshot folder on a free port. The server is stopped when the test ends.
func Serve(t testing.TB, snapshots string, flags ...string) *Server {
	t.Helper()
	needChromium(t)
	s, err := start(append([]string{"--snapshots", snapshots}, flags...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.process != nil {
			s.Stop(t)
		}
	})
	return s
}

// Stop stops the server. Restart starts it again.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.end(); err != nil {
		t.Error(err)
	}
	s.process = nil
}

// Restart starts a stopped server at the same address.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	if err := s.run("--addr", strings.TrimPrefix(s.URL, "http://")); err != nil {
		t.Fatal(err)
	}
}

// start runs sabine serve and waits until it logs its address.
func start(args ...string) (*Server, error) {
	dir, err := os.MkdirTemp(sharedDir, "server")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, args: args}
	return s, s.run("--addr", "127.0.0.1:0")
}

func (s *Server) run(address ...string) error {
	binary, err := sharedBinary()
	if err != nil {
		return err
	}
	s.process = exec.Command(binary, slices.Concat([]string{"serve", "--admin-addr", "127.0.0.1:0"}, s.args, address)...)
	s.process.Dir = s.dir // folder without keys
	s.process.Stderr = &s.log
	s.log.reset()
	if err := s.process.Start(); err != nil {
		return err
	}
	s.ended = make(chan struct{})
	go func(p *exec.Cmd, ended chan struct{}) {
		_ = p.Wait()
		close(ended)
	}(s.process, s.ended)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(pause) {
		if api := gjson.Get(s.log.line("serving"), "api").String(); api != "" {
			scheme, rest, _ := strings.Cut(api, "//")
			host, path, _ := strings.Cut(rest, "/")
			if s.URL == "" { // a restart must not change URL, which tabs read
				s.URL, s.API = scheme+"//"+host, "/"+path
			}
			return nil
		}
		select {
		case <-s.ended:
			return fmt.Errorf("sabine %q ended: %s", s.args, s.log.text())
		default:
		}
	}
	return errors.Join(fmt.Errorf("sabine %q is not serving after %v: %s", s.args, patience, s.log.text()), s.end())
}

// end ends the process. After a time limit, it kills the process.
func (s *Server) end() error {
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("the server exited on its own: %s", s.log.text())
	}
	select {
	case <-s.ended:
	case <-time.After(patience):
		_ = s.process.Process.Kill()
		<-s.ended
		return fmt.Errorf("the server did not exit within %v of SIGTERM", patience)
	}
	if log := s.log.text(); strings.Contains(log, "panic") {
		return fmt.Errorf("the server's log has a panic:\n%s", log)
	}
	return nil
}

// A logBuffer collects the standard error of a process.
type logBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *logBuffer) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.Reset()
}

func (l *logBuffer) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// line returns the first complete line with a message, or "".
func (l *logBuffer) line(message string) string {
	for line := range strings.Lines(l.text()) {
		if strings.HasSuffix(line, "\n") && gjson.Get(line, "msg").String() == message {
			return line
		}
	}
	return ""
}
