package main

import (
	"cmp"
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

// startTime is how long a server may take until it is ready, stopTime until it has ended, and probeTime until
// it says that it is there.
const (
	startTime = 30 * time.Second
	stopTime  = 20 * time.Second
	probeTime = time.Second
)

// A server is a program that listens at an address, and is started again at the same.
type server struct {
	run     *run
	name    string
	address string
	admin   string // address of a sabine's metrics
	command []string
	env     []string // beside that of this program
	ready   func() error

	process *os.Process
	ended   chan struct{} // closed when the process has
	down    bool          // it was ended
}

// newServer returns a server that is not started, with an address of its own.
func (r *run) newServer(name string) *server {
	s := &server{run: r, name: name, address: r.freeAddress()}
	s.ready = func() error { // once it listens
		c, err := net.DialTimeout("tcp", s.address, probeTime)
		if err == nil {
			c.Close()
		}
		return err
	}
	return s
}

// newSabine returns a sabine that is not started, which follows a key file.
func (r *run) newSabine(name, snapshots, keys, limit string, flags ...string) *server {
	s := r.newServer(name)
	s.admin, s.env = r.freeAddress(), r.env
	s.command = append([]string{r.sabine, "serve", "--addr", s.address, "--admin-addr", s.admin, "--snapshots", snapshots,
		"--keys", keys, "--account-limit", limit, "--public-limit", "1000000000/1m"}, flags...)
	s.ready = func() error {
		resp, err := (&http.Client{Timeout: probeTime}).Get("http://" + s.admin + "/readyz")
		if err == nil && resp.StatusCode != http.StatusOK {
			err = errors.New(resp.Status)
		}
		if resp != nil {
			resp.Body.Close()
		}
		return err
	}
	return s
}

// log is the file of the server's output.
func (s *server) log() string { return filepath.Join(s.run.dir, s.name+".log") }

// start runs the server and waits until it is ready.
func (s *server) start() {
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	s.run.check(err)
	defer log.Close()
	c := exec.CommandContext(s.run, s.command[0], s.command[1:]...)
	c.Env = append(os.Environ(), s.env...)
	c.Stdout, c.Stderr = log, log
	if err := c.Start(); err != nil {
		s.run.check(fmt.Errorf("%s: %w", s.name, err))
	}
	if s.process == nil {
		s.run.running = append(s.run.running, s)
	}
	ended := make(chan struct{})
	s.process, s.ended, s.down = c.Process, ended, false
	alive, dies := context.WithCancelCause(s.run)
	go func() {
		dies(fmt.Errorf("it ended by itself, %w", cmp.Or(c.Wait(), errors.New("without an error"))))
		close(ended)
	}()
	if err := await(alive, startTime, s.ready); err != nil {
		said, _ := os.ReadFile(s.log())
		s.run.check(fmt.Errorf("%s is not ready: %w: its log ends with %s", s.name, err, said[max(0, len(said)-1000):]))
	}
}

func (s *server) signal(signal syscall.Signal) {
	if err := s.process.Signal(signal); err != nil {
		s.run.check(fmt.Errorf("%s ended by itself: %w: see %s", s.name, err, s.log()))
	}
}

// stop sends a signal that ends the server, and waits until it has.
func (s *server) stop(signal syscall.Signal) error {
	if s.down {
		return nil
	}
	s.down = true
	if err := s.process.Signal(signal); err != nil && s.run.Err() == nil {
		return fmt.Errorf("%s ended by itself: %w: see %s", s.name, err, s.log())
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(stopTime):
		return errors.Join(fmt.Errorf("%s did not end within %v", s.name, stopTime), s.process.Kill())
	}
}

// freeAddress returns an address that nobody listens on.
func (r *run) freeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	r.check(err)
	defer l.Close()
	return l.Addr().String()
}
