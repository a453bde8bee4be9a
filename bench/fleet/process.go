package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// startTime is how long a process may take until it is ready, and stopTime until it has ended.
const (
	startTime = 30 * time.Second
	stopTime  = 20 * time.Second
)

// A process is a server that can be paused, killed and started again at the same address.
type process struct {
	name    string
	address string
	command []string
	env     []string // beside that of this program
	log     string   // the file of its output
	ready   func() error

	running *exec.Cmd
	ended   chan struct{} // closed when it has
}

// start runs it and waits until it is ready.
func (p *process) start(ctx context.Context) error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	p.running = exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	p.running.Env = append(os.Environ(), p.env...)
	p.running.Stdout, p.running.Stderr = log, log
	if err := p.running.Start(); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	p.ended = make(chan struct{})
	go func(process *exec.Cmd, ended chan struct{}) {
		_ = process.Wait() // the status is that of a signal
		close(ended)
	}(p.running, p.ended)
	for deadline := time.Now().Add(startTime); ; {
		if err = p.ready(); err == nil {
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("%s ended by itself: see %s", p.name, p.log)
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("%s is not ready after %v: %w: see %s", p.name, startTime, err, p.log), p.end(syscall.SIGKILL))
		}
	}
}

// signal sends a signal.
func (p *process) signal(s syscall.Signal) error {
	if err := p.running.Process.Signal(s); err != nil {
		return fmt.Errorf("%s ended by itself: %w: see %s", p.name, err, p.log)
	}
	return nil
}

// end sends a signal that ends it, and waits until it has.
func (p *process) end(s syscall.Signal) error {
	if err := p.signal(s); err != nil {
		return err
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopTime):
		return errors.Join(fmt.Errorf("%s did not end within %v", p.name, stopTime), p.running.Process.Kill())
	}
}

// A fault is a way in which a part goes away. leave makes it go, comeBack brings it back.
type fault struct {
	name            string
	leave, comeBack func(context.Context, *process) error
}

var (
	paused = fault{"paused",
		func(_ context.Context, p *process) error { return p.signal(syscall.SIGSTOP) },
		func(_ context.Context, p *process) error { return p.signal(syscall.SIGCONT) }}
	killed = fault{"killed",
		func(_ context.Context, p *process) error { return p.end(syscall.SIGKILL) },
		func(ctx context.Context, p *process) error { return p.start(ctx) }}
)

// freeAddress returns an address that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
