package keys

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"sabine/indexes/files"
)

// TestAFailedReloadIsRetriedAtEveryCheck removes the obstacle without changing the file's stamp, so that
// only another attempt finds the revoked key.
func TestAFailedReloadIsRetriedAtEveryCheck(t *testing.T) {
	for _, tt := range []struct {
		what string
		// obstruct makes the file unreadable. clear makes it readable again and does not change its content.
		obstruct, clear func(t *testing.T, path string)
		reason          string
	}{
		{"no free descriptor", func(t *testing.T, _ string) {
			limitDescriptors(t, 0)
		}, func(t *testing.T, _ string) { limitDescriptors(t, 1024) }, "too many open files"},
		{"a file of another user", forbid, allow, "permission denied"},
		{"an input/output error", func(t *testing.T, path string) {
			move(t, path, path+".whole")
			must(t, os.Symlink("/proc/self/mem", path)) // its first page cannot be read
		}, func(t *testing.T, path string) { move(t, path+".whole", path) }, "input/output error"},
		{"half a file", func(t *testing.T, path string) { move(t, path, path+".whole"); cut(t, path+".whole", path) },
			func(t *testing.T, path string) { move(t, path+".whole", path) }, "not a JSON object"},
		{"a named pipe", func(t *testing.T, path string) { move(t, path, path+".whole"); must(t, unix.Mkfifo(path, 0o600)) },
			func(t *testing.T, path string) { move(t, path+".whole", path) }, "a named pipe"},
		{"a folder", func(t *testing.T, path string) { move(t, path, path+".whole"); must(t, os.Mkdir(path, 0o700)) },
			func(t *testing.T, path string) { must(t, os.Remove(path)); move(t, path+".whole", path) }, "a folder"},
		{"a link to nothing", func(t *testing.T, path string) {
			move(t, path, path+".whole")
			must(t, os.Symlink("gone", path))
		},
			func(t *testing.T, path string) { move(t, path+".whole", path) }, "no such file"},
		{"circular links", func(t *testing.T, path string) {
			move(t, path, path+".whole")
			must(t, os.Symlink("keys.json", path))
		}, func(t *testing.T, path string) { move(t, path+".whole", path) }, "too many levels of symbolic links"},
		{"a file that is too large", func(t *testing.T, path string) {
			move(t, path, path+".whole")
			must(t, os.Truncate(touch(t, path), maxFileSize+1))
		},
			func(t *testing.T, path string) { move(t, path+".whole", path) }, "the limit of 16 MiB"},
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
			stale := s.Faults.Now.Load()
			tt.clear(t, path)
			if stale == nil || !strings.Contains(stale.Reason, tt.reason) || stale.Since.IsZero() {
				t.Errorf("while obstructed: got %+v, want %q", stale, tt.reason)
			}
			if _, err := s.Authorize("Bearer "+secret, noon); err != nil {
				t.Errorf("while obstructed, the last valid keys are not used: %v", err)
			}
			s.retry = time.Time{} // on a busy machine, a failed read can be slow and delay the next attempt
			for range 3 {
				s.poll()
			}
			if _, err := s.Authorize("Bearer "+secret, noon); !errors.Is(err, ErrRevoked) {
				t.Errorf("afterwards: got %v, want %v", err, ErrRevoked)
			}
			if s.Faults.Now.Load() != nil || s.Faults.Count.Load() != 1 {
				t.Errorf("afterwards: got %+v and %d failures, want 1", s.Faults.Now.Load(), s.Faults.Count.Load())
			}
			if log := logged.String(); strings.Count(log, "\n") != 2 || strings.Count(log, "level=ERROR") != 1 ||
				!strings.Contains(log, "is readable again") {
				t.Errorf("want one line when reading fails and one when it succeeds again, got\n%s", log)
			}
		})
	}
}

// TestRefusalsTakeEffectWithinASecond checks that refusals take effect at the next poll, which leaves half a
// second for reading a large file.
func TestRefusalsTakeEffectWithinASecond(t *testing.T) {
	for _, tt := range []struct {
		rule   string
		change func(f *File, k Key) error
		want   error
	}{
		{"revoked", func(f *File, k Key) error { return f.SetStatus(k.ID, Revoked) }, ErrRevoked},
		{"paused", func(f *File, k Key) error { return f.SetStatus(k.ID, Paused) }, ErrPaused},
		{"the account is disabled", func(f *File, _ Key) error { return f.SetActive("acme", false) }, ErrInactive},
		{"removed", func(f *File, _ Key) error { f.Keys = []Key{}; return nil }, ErrInvalid},
		{"its scope is removed", func(f *File, _ Key) error { f.Keys[0].Scopes = nil; return nil }, ErrNotAllowed},
		{"it expires now", func(f *File, _ Key) error {
			now := time.Now()
			f.Keys[0].ExpiresAt = &now
			return nil
		}, ErrExpired},
		{"it expires later", func(*File, Key) error { return nil }, ErrExpired},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "keys.json")
			synctest.Test(t, func(t *testing.T) {
				expires := time.Now().Add(time.Hour)
				secret, k := create(t, path, "acme", []string{ScopeRead}, &expires)
				s := openStore(t, path)
				ctx, end := context.WithCancel(t.Context())
				defer end()
				go s.Watch(ctx)
				time.Sleep(59 * time.Minute)
				if _, err := s.Authorize("Bearer "+secret, time.Now()); err != nil {
					t.Errorf("before: %v", err)
				}
				must(t, Update(path, func(f *File) error { return tt.change(f, k) }))
				if tt.rule == "it expires later" {
					time.Sleep(time.Minute)
				}
				time.Sleep(pollInterval)
				synctest.Wait()
				if _, err := s.Authorize("Bearer "+secret, time.Now()); !errors.Is(err, tt.want) {
					t.Errorf("got %v, want %v", err, tt.want)
				}
			})
		})
	}
}

// TestAnUnchangedKeyIsNeverRefused changes other keys, both by replacing the file and by writing it in place,
// when a reader may see only half of it.
func TestAnUnchangedKeyIsNeverRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	unchanged, _ := create(t, path, "acme", []string{ScopeRead}, nil)
	_, other := create(t, path, "acme", []string{ScopeRead}, nil)
	s := openStore(t, path)
	var group sync.WaitGroup
	var done atomic.Bool
	for range 2 {
		group.Go(func() {
			for !done.Load() {
				if _, err := s.Authorize("Bearer "+unchanged, noon); err != nil {
					t.Errorf("refused: %v", err)
					return
				}
			}
		})
	}
	group.Go(func() {
		for !done.Load() {
			s.poll()
		}
	})
	for round := range 12 {
		must(t, Update(path, func(f *File) error { return f.SetStatus(other.ID, []Status{Paused, Active}[round%2]) }))
		text, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, text, 0o600))
	}
	done.Store(true)
	group.Wait()
	for range 2 { // try twice, because the last poll of the loop may have failed
		s.poll()
	}
	if s.Faults.Now.Load() != nil {
		t.Errorf("at the end: %+v", s.Faults.Now.Load())
	}
}

// TestAFolderOfLinks tests the layout of a Kubernetes volume: its files are links to the folder of a version,
// through a link that is replaced for each new version.
func TestAFolderOfLinks(t *testing.T) {
	dir := t.TempDir()
	for version := range 3 {
		must(t, os.Mkdir(filepath.Join(dir, fmt.Sprint(version)), 0o755))
	}
	path := filepath.Join(dir, "keys.json")
	must(t, os.Symlink("..data/keys.json", path))
	use := func(version string) {
		must(t, os.Symlink(version, filepath.Join(dir, "..next")))
		move(t, filepath.Join(dir, "..next"), filepath.Join(dir, "..data"))
	}
	use("0")
	secret, k := create(t, path, "acme", []string{ScopeRead}, nil) // creates the target of the links
	text, err := os.ReadFile(filepath.Join(dir, "0", "keys.json"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "1", "keys.json"), text, 0o600))
	must(t, Update(filepath.Join(dir, "1", "keys.json"), func(f *File) error { return f.SetStatus(k.ID, Paused) }))
	s := openStore(t, path)
	for _, step := range []struct {
		version string
		want    error
		stale   bool
	}{{"0", nil, false}, {"1", ErrPaused, false}, {"0", nil, false}, {"2", nil, true}, {"1", ErrPaused, false}} {
		use(step.version)
		s.poll()
		if _, err := s.Authorize("Bearer "+secret, noon); !errors.Is(err, step.want) ||
			(s.Faults.Now.Load() != nil) != step.stale {
			t.Errorf("version %s: got %v, stale %v", step.version, err, s.Faults.Now.Load())
		}
	}
}

// TestASlowInvalidFileIsReadLessOften checks that the file is read again after a pause or a change.
func TestASlowInvalidFileIsReadLessOften(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	create(t, path, "acme", []string{ScopeRead}, nil)
	s := openStore(t, path)
	cut(t, path, path)
	stamp, err := files.StampOf(path)
	must(t, err)
	s.refused, s.retry = stamp, time.Now().Add(time.Hour)
	s.poll()
	if n := s.Faults.Count.Load(); n != 0 {
		t.Errorf("it was read again: %d failures", n)
	}
	cut(t, path, path)
	s.poll()
	if n := s.Faults.Count.Load(); n != 1 {
		t.Errorf("it has changed: got %d failures, want 1", n)
	}
}

// TestAFileThatDisappearsForAWhileIsStale moves the file's folder away and back, without changing the file.
func TestAFileThatDisappearsForAWhileIsStale(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "etc")
	must(t, os.Mkdir(dir, 0o700))
	path := filepath.Join(dir, "keys.json")
	create(t, path, "acme", []string{ScopeRead}, nil)
	s := openStore(t, path)
	move(t, dir, dir+".away")
	s.poll()
	if s.Faults.Now.Load() == nil {
		t.Error("the missing file is not reported")
	}
	move(t, dir+".away", dir)
	s.poll()
	if s.Faults.Now.Load() != nil {
		t.Errorf("it is back: got %+v", s.Faults.Now.Load())
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

// cut writes the first half of a file to another file.
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

// forbid removes the permission of this test to read a file. Because root can read any file, forbid switches
// from root to another user, on a locked thread.
func forbid(t *testing.T, path string) {
	t.Helper()
	if os.Getuid() != 0 {
		must(t, os.Chmod(path, 0))
		return
	}
	must(t, os.Chmod(filepath.Dir(filepath.Dir(path)), 0o755)) // so that stat still works
	goruntime.LockOSThread()
	must(t, unix.Setfsuid(nobody))
}

// allow restores the permission that forbid removed.
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
