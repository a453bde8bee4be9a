package trial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// StartTime is how long a process may take until it is ready, and stopTime until it has ended.
const (
	StartTime = 30 * time.Second
	stopTime  = 20 * time.Second
)

// A Process is a server that can be paused, killed and started again at the same address.
type Process struct {
	Name    string
	Address string
	Command []string
	Env     []string // beside that of this program
	Log     string   // the file of its output
	Ready   func() error

	running *exec.Cmd
	ended   chan struct{} // closed when it has
}

// NewServer returns a sabine that is not started, with addresses of its own. It writes its log beside those
// of other processes.
func NewServer(sabine, name, log string, flags ...string) (p *Process, admin string, err error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, "", err
	}
	if admin, err = FreeAddress(); err != nil {
		return nil, "", err
	}
	command := append([]string{sabine, "serve", "--addr", address, "--admin-addr", admin, "--public-detail"}, flags...)
	return &Process{Name: name, Address: address, Command: command, Log: log, Ready: func() error {
		return isReady(admin)
	}}, admin, nil
}

// Start runs it and waits until it is ready.
func (p *Process) Start(ctx context.Context) error {
	log, err := os.OpenFile(p.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	p.running = exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	p.running.Env = append(os.Environ(), p.Env...)
	p.running.Stdout, p.running.Stderr = log, log
	if err := p.running.Start(); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	p.ended = make(chan struct{})
	go func(process *exec.Cmd, ended chan struct{}) {
		_ = process.Wait() // the status is that of a signal
		close(ended)
	}(p.running, p.ended)
	for deadline := time.Now().Add(StartTime); ; {
		if err = p.Ready(); err == nil {
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("%s ended by itself: see %s", p.Name, p.Log)
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("%s is not ready after %v: %w: see %s", p.Name, StartTime, err, p.Log),
				p.End(syscall.SIGKILL))
		}
	}
}

// Started reports whether it was ever started.
func (p *Process) Started() bool { return p.running != nil }

// ID is the number that the system knows it by.
func (p *Process) ID() int { return p.running.Process.Pid }

// Signal sends a signal.
func (p *Process) Signal(s syscall.Signal) error {
	if err := p.running.Process.Signal(s); err != nil {
		return fmt.Errorf("%s ended by itself: %w: see %s", p.Name, err, p.Log)
	}
	return nil
}

// End sends a signal that ends it, and waits until it has.
func (p *Process) End(s syscall.Signal) error {
	if err := p.Signal(s); err != nil {
		return err
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopTime):
		return errors.Join(fmt.Errorf("%s did not end within %v", p.Name, stopTime), p.running.Process.Kill())
	}
}

// Run runs a program and returns what it prints on standard output. It gives way to the servers, which
// elsewhere do not share a machine with a build.
func Run(ctx context.Context, env []string, command ...string) (string, error) {
	c := exec.CommandContext(ctx, "nice", append([]string{"-n", "19"}, command...)...)
	c.Env = append(os.Environ(), env...)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("sabine %s: %w: %s", command[1], err, said.String())
	}
	return string(out), nil
}

// FreeAddress returns an address that nobody listens on.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// ProbeTime is how long a part may take to say that it is there.
const ProbeTime = time.Second

// isReady returns nil once the server with an admin address is.
func isReady(admin string) error {
	resp, err := (&http.Client{Timeout: ProbeTime}).Get("http://" + admin + "/readyz")
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}

// Tell tells of a step, for who watches.
func Tell(format string, what ...any) {
	fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().UTC().Format("15:04:05.000"), fmt.Sprintf(format, what...))
}
