package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestResultsThatCannotBeWritten checks that no command succeeds if writes to standard output fail.
func TestResultsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	createKey(t, dir, "A")
	name := filepath.Join("snapshots", current(t, dir))
	write(t, dir, "c.ndjson", aProduct(1, ""))
	write(t, dir, "t.csv", "Name;Hersteller;125 Hz\nFilz;Werk;0,1\n")
	other := compiled(t, aProduct(1, ""))
	for _, args := range []string{
		"--help", "search", "search --json", "search --explain", "show panel-2", "show panel-2 --json",
		"room --volume 9 --surface " + wall, "room --json --volume 9 --surface " + wall, "inspect", "inspect --json",
		"verify",
		"diff " + name + " " + other, "diff --json " + name + " " + other, "diff --exit-code " + name + " " + other,
		"export", "export --format csv", "generate 3",
		"keys create --account A", "keys list", "keys list --json",
		"version", "version --json", "completion bash",
		"build c.ndjson", "build c.ndjson --json", "import table t.csv", "import table t.csv --dry-run", "import template",
	} {
		t.Run(args, func(t *testing.T) {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer full.Close()
			p := command{dir: dir}.process(t.Context(), t, strings.Fields(args))
			var stderr bytes.Buffer
			p.Stdout, p.Stderr = full, &stderr
			_ = p.Run()
			if status := p.ProcessState.ExitCode(); status != 1 || !strings.Contains(stderr.String(), "no space left") {
				t.Errorf("got %d %s", status, &stderr)
			}
		})
	}
}
