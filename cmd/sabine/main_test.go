// The tests of this package are the contract, kept by the real program: they build it, run it as a process of its own
// with real files, and talk to it over real connections. Their names are the rules. Read judge_test.go first: whatever
// a test asks, it asks through there, and what holds for every response is checked there.
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
	program = filepath.Join(work, "sabine")
	args := []string{"build", "-o", program}
	if raceDetector {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the program does not build: %v\n%s", err, out)
		return 1
	}
	status := m.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}
