// The tests of this package are those that need the real program: they build it and run it as a process of its own, with
// real files, signals, a log that somebody reads or does not, and a Redis. What the API answers is tested in package serve.
package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// program is the path of the program under test, work a folder for what outlives a single test.
var program, work string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	var err error
	if work, err = os.MkdirTemp("", "sabine-contract-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(work)
	_ = os.Setenv("GORACE", "atexit_sleep_ms=10") // else every process of the program sleeps for a second before it ends
	program = filepath.Join(work, "sabine")
	args := []string{"build", "-ldflags=-s -w", "-o", program}
	if raceDetector {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the program does not build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}
