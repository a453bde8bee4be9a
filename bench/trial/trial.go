// Package trial runs real servers: processes that start, pause and end, in a folder of their own
// (bench/scenarios, bench/load). It neither loads nor judges them.
//
// A run is played as a test is: Check ends it, and with it whatever it has started.
package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A T is one run.
type T struct {
	context.Context          // ends when the run does
	Env             []string // of sabine, beside that of this program

	logs    string // the folder of logs, which are kept when the run fails
	data    string // the folder of everything else
	memory  string // the same, in memory; "": none was made
	end     context.CancelCauseFunc
	running []*Server // in the order in which they started
}

// Main plays a run and exits: with 1 when it has ended by Check.
func Main(name string, play func(*T)) {
	if err := run(name, play); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func run(name string, play func(*T)) error {
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "sabine-"+name)
	if err != nil {
		return err
	}
	t := &T{logs: dir, data: filepath.Join(dir, "data")}
	t.Context, t.end = context.WithCancelCause(interrupted)
	var playing sync.WaitGroup
	playing.Go(func() {
		t.Check(os.Mkdir(t.data, 0o700))
		play(t)
	})
	playing.Wait()
	err = context.Cause(t.Context)
	err = errors.Join(err, t.stop(syscall.SIGKILL), os.RemoveAll(t.data), os.RemoveAll(t.memory))
	if err != nil {
		return fmt.Errorf("%w (logs are kept in %s)", err, dir)
	}
	return os.RemoveAll(dir)
}

// Check ends the run, and the goroutine that it is called on, when there is an error.
func (t *T) Check(err error) {
	if err != nil {
		t.end(err)
		goruntime.Goexit()
	}
}

// All does things at once and returns when all have ended, unless the run has.
func (t *T) All(things ...func()) {
	var all sync.WaitGroup
	for _, do := range things {
		all.Go(do)
	}
	all.Wait()
	t.Check(t.Err())
}

// Path returns the path of a file, or a folder, of the run.
func (t *T) Path(name ...string) string { return filepath.Join(append([]string{t.data}, name...)...) }

// Memory makes a folder for files that are no burden to a disk, where the system has memory for them.
func (t *T) Memory() string {
	var err error
	if t.memory, err = os.MkdirTemp("/dev/shm", "sabine"); err != nil {
		return t.data
	}
	return t.memory
}

// Stop ends all that runs, the servers before what they need. One that has ended by itself ends the run.
func (t *T) Stop() { t.Check(t.stop(syscall.SIGTERM)) }

func (t *T) stop(how syscall.Signal) (err error) {
	for _, s := range slices.Backward(t.running) {
		err = errors.Join(err, s.end(how))
	}
	t.running = nil
	return err
}

// Run runs a program and returns what it prints on standard output, without the end of the line.
func (t *T) Run(command ...string) string {
	out, err := t.Try(command...)
	t.Check(err)
	return out
}

// Try is Run for a program that may fail. It gives way to the servers, which elsewhere do not share a machine
// with a build.
func (t *T) Try(command ...string) (string, error) {
	c := exec.CommandContext(t, "nice", append([]string{"-n", "19"}, command...)...)
	c.Env = append(os.Environ(), t.Env...)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(command[:2], " "), err, said.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// Await tries something again and again until it succeeds, for a time at most and while the context lasts.
func Await(ctx context.Context, within time.Duration, try func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("not within %v", within))
	defer cancel()
	for {
		err := try()
		if err == nil {
			return nil
		}
		if Pause(ctx, 2*time.Millisecond); ctx.Err() != nil {
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		}
	}
}

// Pause waits, unless the context ends before.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Quantile returns the value that a share of a list does not exceed, 0 of an empty list. It sorts the list.
func Quantile[T cmp.Ordered](list []T, share float64) (value T) {
	if len(list) > 0 {
		slices.Sort(list)
		value = list[int(share*float64(len(list)-1))]
	}
	return value
}
