package main_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAFullDisk runs actions on disks that have one more page each time, until the actions succeed. It also
// runs them on a read-only disk. The current data must remain until the new data are complete, and the next
// run must repair the damage.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for _, a := range w.actions {
		if a.status != 0 || !slices.Contains([]string{"build", "revoke"}, a.name) && *faultStride == 0 {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			step := max(1, *faultStride)
			if *faultStride == 0 {
				step = 6
			}
			for pages, done := 0, false; !done; pages += step {
				done = a.crowded(t, w, pages)
			}
			a.locked(t, w)
		})
	}
}

const page = 4096

// mounted returns a small file system that contains the files that an action needs.
func (a action) mounted(t *testing.T, w *workshop) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("sabine", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("NOT TESTED: full disks: this system permits no mount: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	w.fill(t, dir, a.needs)
	return dir
}

// crowded runs an action on a disk with the given number of free pages, and then with enough space. It
// reports whether the first run succeeded.
func (a action) crowded(t *testing.T, w *workshop, pages int) (done bool) {
	t.Helper()
	dir := a.mounted(t, w)
	before := a.must(t, dir)
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer filler.Close()
	for err == nil {
		_, err = filler.Write(make([]byte, page))
	}
	size, _ := filler.Seek(0, 2)
	if !errors.Is(err, unix.ENOSPC) || filler.Truncate(max(0, size-int64(pages*page))) != nil {
		t.Fatal(err)
	}
	r := sabine(t, dir, a.arguments(dir)...)
	after := a.must(t, dir)
	switch {
	case r.status == 0 && after == before, r.status == 1 && !strings.Contains(r.err, unix.ENOSPC.Error()), r.status > 1:
		t.Errorf("%s with room for %d pages: %q became %q: %+v", a.name, pages, before, after, r)
	case r.status == 0:
		return true
	}
	if err := filler.Truncate(0); err != nil {
		t.Fatal(err)
	}
	must(t, dir, a.arguments(dir)...)
	for _, name := range tree(t, dir) {
		if strings.Contains(name, "*") && !a.later.MatchString(name) {
			t.Errorf("%s with room for %d pages leaves %s", a.name, pages, name)
		}
	}
	return false
}

// locked runs an action on a read-only disk.
func (a action) locked(t *testing.T, w *workshop) {
	t.Helper()
	dir := a.mounted(t, w)
	before := a.must(t, dir)
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	r := sabine(t, dir, a.arguments(dir)...)
	if after := a.must(t, dir); r.status != 1 || r.out != "" || after != before ||
		!strings.Contains(r.err, unix.EROFS.Error()) {
		t.Errorf("%s on a read-only disk: %q became %q: %+v", a.name, before, after, r)
	}
}
