// The tests in this package run the real program with real files, signals, blocked logs and Redis. If the
// program runs as a separate process, the test binary serves as the program. Tests of usage, help, flags and
// environment run in the test process. The tests of package serve check API responses.
package main_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	commandline "sabine/cmd/sabine"
)

// program is the path of the tested program. work is a folder for files that several tests use.
var program, work string

// asProgram is the environment variable that makes the test binary run as the program.
const asProgram = "TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		commandline.Main()
	}
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	var err error
	if work, err = os.MkdirTemp("", "sabine-contract-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(work)
	_ = os.Setenv("GORACE", "atexit_sleep_ms=10") // otherwise every process sleeps for a second before it exits
	_ = os.Setenv(asProgram, "1")
	binary, err := os.Executable()
	program = filepath.Join(work, "sabine")
	if err == nil {
		err = os.Symlink(binary, program)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// inProcess runs a command line in the test process, with c's folder and environment, and returns the result.
// The test must not be parallel.
func (c command) inProcess(t *testing.T, args ...string) result {
	t.Helper()
	t.Chdir(cmp.Or(c.dir, t.TempDir()))
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "SABINE_") {
			t.Setenv(name, "") // an empty variable counts as unset
		}
	}
	for _, variable := range c.env {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	var out, stderr bytes.Buffer
	status := commandline.Run(t.Context(), append([]string{"sabine"}, args...), strings.NewReader(""), &out, &stderr)
	checkLog(t, stderr.String())
	return result{status, out.String(), stderr.String()}
}

// mustInProcess runs a command line that must succeed and returns its standard output.
func (c command) mustInProcess(t *testing.T, args ...string) string {
	t.Helper()
	r := c.inProcess(t, args...)
	if r.status != 0 || r.err != "" {
		t.Fatalf("sabine %s: status %d\n%s", strings.Join(args, " "), r.status, r.err)
	}
	return r.out
}
