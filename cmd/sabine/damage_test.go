package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// overwrite overwrites a byte in the middle of a file in place, as no build does.
func overwrite(t testing.TB, path string) {
	t.Helper()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	middle := len(readFile(t, path)) / 2
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte{readFile(t, path)[middle] ^ 0x40}, int64(middle)); err != nil {
		t.Fatal(err)
	}
}

// TestTheCurrentFileIsVerified checks that a switch verifies the hash, and a change verifies the sections.
func TestTheCurrentFileIsVerified(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	older := buildLabelled(t, dir, "Alt", 2)
	name := buildLabelled(t, dir, "Neu", 2)
	folder := filepath.Join(dir, "snapshots")
	s := start(t, dir, generous...)
	hashed := func(name string) func() bool {
		return func() bool {
			_, ready := s.readiness(t)
			return ready.Get("hash").String() == strings.TrimSuffix(name, ".snapshot")
		}
	}
	eventually(t, soon, "/readyz reports the hash", hashed(name))
	if buildLabelled(t, dir, "Neu", 2) != name { // a build with the same content updates the file's time
		t.Fatal("the same content has another name")
	}
	eventually(t, soon, "the touched file is verified", hashed(name))

	const bodiless = "/public/search?page=9" // needs no body: a damaged one causes a 500 and a logged panic
	overwrite(t, filepath.Join(folder, name))
	eventually(t, soon, "the newest good one answers", func() bool {
		return s.get(t, bodiless).header.Get("X-Snapshot") == older[:16]
	})
	overwrite(t, filepath.Join(folder, older))
	eventually(t, soon, "nothing answers once none is good", func() bool {
		status, _ := s.readiness(t)
		return status == 503 && s.get(t, bodiless).status == 503
	})
	again := buildLabelled(t, dir, "Neu", 2)
	eventually(t, soon, "a new build of the same content answers", hashed(again))
}

// TestOnlyRegularFilesAreServed checks that a FIFO does not block the server and its replacement is served.
func TestOnlyRegularFilesAreServed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := buildLabelled(t, dir, "Alt", 2)
	s := start(t, dir, generous...)
	path := filepath.Join(dir, "snapshots", "CURRENT")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	eventually(t, soon, "/readyz reports the kind of CURRENT", func() bool {
		status, ready := s.readiness(t)
		return status == 200 && strings.Contains(ready.Get("reason").String(), "CURRENT: not a regular file")
	})
	for _, command := range []string{"verify", "inspect"} {
		if r := sabine(t, dir, command); r.status != 1 || !strings.Contains(r.err, "CURRENT: not a regular file") {
			t.Errorf("%s: status %d, %s", command, r.status, r.err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, name+"\n")
	eventually(t, soon, "/readyz is ready again", func() bool {
		_, ready := s.readiness(t)
		return ready.Get("status").String() == "ready"
	})
}

// TestStartingWithoutASnapshot checks that the server waits for a missing or an empty folder, with different
// log messages. Any other kind of file must be an error.
func TestStartingWithoutASnapshot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "file"), "")
	for folder, want := range map[string]string{
		"missing": "missing: the folder does not exist", "empty": "empty: the folder has no file CURRENT",
	} {
		s := start(t, dir, "--snapshots", folder, "--rate-limit-state", folder+".state")
		if line := s.log.line("there is no snapshot yet: run sabine build"); !strings.Contains(line, want) {
			t.Errorf("%s: logged %q, want %q", folder, line, want)
		}
		if status, ready := s.readiness(t); status != 503 || ready.Get("status").String() != "waiting" ||
			!strings.Contains(ready.Get("reason").String(), want) {
			t.Errorf("%s: /readyz: got %d %s", folder, status, ready.Raw)
		}
	}
	r := sabine(t, dir, "serve", "--snapshots", "file", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
	if r.status != 1 || !strings.Contains(r.err, "file: not a directory") {
		t.Errorf("a file: status %d, %s", r.status, r.err)
	}
}
