package trial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// StartTime is how long a server may take until it is ready, stopTime until it has ended, and ProbeTime until
// it says that it is there.
const (
	StartTime = 30 * time.Second
	stopTime  = 20 * time.Second
	ProbeTime = time.Second
)

// A Server is a program that listens at an address, and is started again at the same.
type Server struct {
	Name    string
	Address string
	Admin   string // address of a sabine's metrics
	Command []string
	Env     []string     // beside that of this program
	Ready   func() error // nil: it is ready once it listens

	t       *T
	process *os.Process
	ended   chan struct{} // closed when the process has
	down    bool          // it was ended
}

// NewServer returns a server of a program that is not started, with an address of its own.
func (t *T) NewServer(name string) *Server {
	return &Server{t: t, Name: name, Address: t.FreeAddress()}
}

// NewSabine returns a sabine that is not started, with addresses of its own.
func (t *T) NewSabine(sabine, name string, flags ...string) *Server {
	s := t.NewServer(name)
	s.Admin, s.Env = t.FreeAddress(), t.Env
	s.Command = append([]string{sabine, "serve", "--addr", s.Address, "--admin-addr", s.Admin}, flags...)
	s.Ready = func() error {
		resp, err := (&http.Client{Timeout: ProbeTime}).Get("http://" + s.Admin + "/readyz")
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return errors.New(resp.Status)
		}
		return nil
	}
	return s
}

// Log is the file of the server's output.
func (s *Server) Log() string { return filepath.Join(s.t.logs, s.Name+".log") }

// Start runs the server and waits until it is ready.
func (s *Server) Start() {
	log, err := os.OpenFile(s.Log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	s.t.Check(err)
	defer log.Close()
	c := exec.CommandContext(s.t, s.Command[0], s.Command[1:]...)
	c.Env = append(os.Environ(), s.Env...)
	c.Stdout, c.Stderr = log, log
	if err := c.Start(); err != nil {
		s.t.Check(fmt.Errorf("%s: %w", s.Name, err))
	}
	if s.process == nil {
		s.t.running = append(s.t.running, s)
	}
	ended := make(chan struct{})
	s.process, s.ended, s.down = c.Process, ended, false
	alive, dies := context.WithCancelCause(s.t)
	go func() {
		dies(fmt.Errorf("it ended by itself, %w", c.Wait()))
		close(ended)
	}()
	err = Await(alive, StartTime, func() error {
		if s.Ready != nil {
			return s.Ready()
		}
		c, err := net.DialTimeout("tcp", s.Address, ProbeTime)
		if err == nil {
			c.Close()
		}
		return err
	})
	if err != nil {
		said, _ := os.ReadFile(s.Log())
		s.t.Check(fmt.Errorf("%s is not ready: %w: its log ends with %s", s.Name, err, said[max(0, len(said)-1000):]))
	}
}

// Started reports whether the server was ever started.
func (s *Server) Started() bool { return s.process != nil }

// ID is the number that the system knows the process by.
func (s *Server) ID() int { return s.process.Pid }

// Signal sends a signal.
func (s *Server) Signal(signal syscall.Signal) {
	if err := s.process.Signal(signal); err != nil {
		s.t.Check(fmt.Errorf("%s ended by itself: %w: see %s", s.Name, err, s.Log()))
	}
}

// End sends a signal that ends the server, and waits until it has.
func (s *Server) End(signal syscall.Signal) { s.t.Check(s.end(signal)) }

func (s *Server) end(signal syscall.Signal) error {
	if s.down {
		return nil
	}
	s.down = true
	if err := s.process.Signal(signal); err != nil && s.t.Err() == nil {
		return fmt.Errorf("%s ended by itself: %w: see %s", s.Name, err, s.Log())
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(stopTime):
		return errors.Join(fmt.Errorf("%s did not end within %v", s.Name, stopTime), s.process.Kill())
	}
}

// FreeAddress returns an address that nobody listens on.
func (t *T) FreeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	t.Check(err)
	defer l.Close()
	return l.Addr().String()
}
