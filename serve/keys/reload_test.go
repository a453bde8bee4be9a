package keys

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAReloadThatFailsIsTriedAgainAtEveryLook: what stood in the way goes away without a trace on the file, so that
// only a look that tries again finds the revoked key.
func TestAReloadThatFailsIsTriedAgainAtEveryLook(t *testing.T) {
	for _, tt := range []struct {
		what string
		// obstruct makes the file unreadable; clear lets it be read as it stands.
		obstruct, clear func(t *testing.T, path string)
		says            string
	}{
		{"no descriptor is left", func(t *testing.T, _ string) { limitDescriptors(t, 0) }, func(t *testing.T, _ string) { limitDescriptors(t, 1024) }, "too many open files"},
		{"another user's file", forbid, allow, "permission denied"},
		{"a disk that fails", func(t *testing.T, path string) {
			move(t, path, path+".whole")
			must(t, os.Symlink("/proc/self/mem", path)) // its first page cannot be read
		}, func(t *testing.T, path string) { move(t, path+".whole", path) }, "input/output error"},
		{"half a file", func(t *testing.T, path string) { move(t, path, path+".whole"); cut(t, path+".whole", path) },
			func(t *testing.T, path string) { move(t, path+".whole", path) }, "not a JSON object"},
		{"a named pipe", func(t *testing.T, path string) { move(t, path, path+".whole"); must(t, unix.Mkfifo(path, 0o600)) },
			func(t *testing.T, path string) { move(t, path+".whole", path) }, "a named pipe"},
		{"links in a circle", func(t *testing.T, path string) {
			move(t, path, path+".whole")
			must(t, os.Symlink("keys.json", path))
		}, func(t *testing.T, path string) { move(t, path+".whole", path) }, "too many levels of symbolic links"},
		{"a file without an end", func(t *testing.T, path string) {
			move(t, path, path+".whole")
			must(t, os.Truncate(touch(t, path), maxFileSize+1))
		},
			func(t *testing.T, path string) { move(t, path+".whole", path) }, "larger than 16 MiB"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "keys.json")
			secret, k := create(t, path, "acme", []string{ScopeRead}, nil)
			var logged bytes.Buffer
			s, err := OpenStore(path, slog.New(slog.NewTextHandler(&logged, nil)))
			must(t, err)
			must(t, Update(path, func(f *File) error { return f.SetStatus(k.ID, Revoked) }))
			tt.obstruct(t, path)
			for range 3 {
				s.poll()
			}
			stale := s.Stale()
			tt.clear(t, path)
			if stale == nil || !strings.Contains(stale.Reason, tt.says) || stale.Since.IsZero() {
				t.Errorf("meanwhile: got %+v, want %q", stale, tt.says)
			}
			if _, err := s.Authorize("Bearer "+secret, noon); err != nil {
				t.Errorf("meanwhile the last good state is not in force: %v", err)
			}
			for range 3 {
				s.poll()
			}
			if _, err := s.Authorize("Bearer "+secret, noon); !errors.Is(err, ErrRevoked) {
				t.Errorf("afterwards: got %v, want %v", err, ErrRevoked)
			}
			if s.Stale() != nil || s.ReloadFailures() != 1 {
				t.Errorf("afterwards: got %+v and %d failures, want 1", s.Stale(), s.ReloadFailures())
			}
			if log := logged.String(); strings.Count(log, "\n") != 2 || strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "can be read again") {
				t.Errorf("want one line when it cannot be read and one when it can, got\n%s", log)
			}
		})
	}
}

// A path that cannot be looked at, and then can, with the file as it was.
func TestAFileThatIsOutOfSightForAWhileIsStale(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "etc")
	must(t, os.Mkdir(dir, 0o700))
	path := filepath.Join(dir, "keys.json")
	create(t, path, "acme", []string{ScopeRead}, nil)
	s := openStore(t, path)
	move(t, dir, dir+".away")
	s.poll()
	if s.Stale() == nil {
		t.Error("nobody is told")
	}
	move(t, dir+".away", dir)
	s.poll()
	if s.Stale() != nil {
		t.Errorf("it is back: got %+v", s.Stale())
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.Rename(from, to))
}

// cut writes the first half of a file to another.
func cut(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	must(t, err)
	must(t, os.WriteFile(to, b[:len(b)/2], 0o600))
}

func touch(t *testing.T, path string) string {
	t.Helper()
	must(t, os.WriteFile(path, nil, 0o600))
	return path
}

// forbid takes the right to read a file from this test. root has it whatever the mode is, so it looks as somebody else,
// on a thread that nothing else runs on.
func forbid(t *testing.T, path string) {
	t.Helper()
	if os.Getuid() != 0 {
		must(t, os.Chmod(path, 0))
		return
	}
	must(t, os.Chmod(filepath.Dir(filepath.Dir(path)), 0o755)) // the file can be seen all the same
	goruntime.LockOSThread()
	must(t, unix.Setfsuid(nobody))
}

// allow gives it back.
func allow(t *testing.T, path string) {
	t.Helper()
	if os.Getuid() != 0 {
		must(t, os.Chmod(path, 0o600))
		return
	}
	must(t, unix.Setfsuid(0))
	goruntime.UnlockOSThread()
}

const nobody = 65534

func limitDescriptors(t *testing.T, n uint64) {
	t.Helper()
	var limit unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	limit.Cur = n
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
}
