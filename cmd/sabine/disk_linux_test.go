//go:build amd64

package main_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A disk simulates a folder after a power failure. A file has its content from its last fsync. A folder has
// its names from its last fsync, each as it was then or at any later time. A file that was written after its
// last fsync counts as lost, and so does a file with a failed fsync, even after a later successful fsync.
type disk struct {
	root    string
	content map[inode][]byte
	failed  map[inode]bool                // files with a failed fsync
	names   map[string][]map[string]inode // folder below root to its names at its last fsync and later
}

// An inode identifies a file or a folder, whatever its name.
type inode struct {
	number uint64
	born   unix.StatxTimestamp // because inode numbers are reused
	folder bool
}

// inodeOf returns the inode at a path, or the zero inode.
func inodeOf(path string, flags int) inode {
	var st unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, flags, unix.STATX_INO|unix.STATX_BTIME, &st); err != nil {
		return inode{}
	}
	return inode{st.Ino, st.Btime, st.Mode&unix.S_IFMT == unix.S_IFDIR}
}

// newDisk returns the disk for a folder that is completely durable.
func newDisk(t testing.TB, root string) *disk {
	d := &disk{root, map[inode][]byte{}, map[inode]bool{}, map[string][]map[string]inode{}}
	d.recordNames()
	for dir, states := range d.names {
		d.names[dir] = states[len(states)-1:]
		for name, file := range states[len(states)-1] {
			if !file.folder {
				d.content[file] = []byte(readFile(t, filepath.Join(root, dir, name)))
			}
		}
	}
	return d
}

// recordNames records the current names of the folders. A new folder is durably empty.
func (d *disk) recordNames() {
	for dirs := []string{"."}; len(dirs) > 0; dirs = dirs[1:] {
		dir, now := dirs[0], map[string]inode{}
		entries, _ := os.ReadDir(filepath.Join(d.root, dir))
		for _, e := range entries {
			if is := inodeOf(filepath.Join(d.root, dir, e.Name()), unix.AT_SYMLINK_NOFOLLOW); is != (inode{}) {
				now[e.Name()] = is
			}
			if e.IsDir() {
				dirs = append(dirs, filepath.Join(dir, e.Name()))
			}
		}
		states := d.names[dir]
		if states == nil {
			states = []map[string]inode{{}}
		}
		if !maps.Equal(states[len(states)-1], now) {
			states = append(states, now)
		}
		d.names[dir] = states
	}
}

// note records a call before it is executed or fails.
func (d *disk) note(c call, f fate) {
	d.recordNames()
	states, folder := d.names[c.path]
	switch {
	case c.name == "write" || c.name == "truncate":
		delete(d.content, c.file)
	case c.name != "fsync" || f.errno == unix.EINTR:
	case f.errno != 0:
		d.failed[c.file] = true
		delete(d.content, c.file)
	case folder:
		d.names[c.path] = states[len(states)-1:]
	case !d.failed[c.file]:
		d.content[c.file], _ = os.ReadFile(fmt.Sprintf("/proc/%d/fd/%d", c.made.tid, c.fd))
	}
}

// left returns the paths and contents of all sets of files that a power failure can leave: first the minimum,
// then the sets in which one name is as it was at another time.
func (d *disk) left() (views []map[string]string) {
	views = append(views, d.view("", "", nil))
	for dir, states := range d.names {
		for _, state := range states[1:] {
			for name := range union(states[0], state) {
				if states[0][name] != state[name] {
					views = append(views, d.view(dir, name, state))
				}
			}
		}
	}
	return views
}

func union(a, b map[string]inode) map[string]inode {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// view returns the files as of the last fsync of every folder, without names that were removed later, and
// with one name as it was in a given state.
func (d *disk) view(in, name string, state map[string]inode) map[string]string {
	files := map[string]string{}
	for dirs := []string{"."}; len(dirs) > 0; dirs = dirs[1:] {
		dir := dirs[0]
		names := maps.Clone(d.names[dir][0])
		maps.DeleteFunc(names, func(name string, _ inode) bool {
			return slices.ContainsFunc(d.names[dir], func(s map[string]inode) bool { return s[name] == inode{} })
		})
		if dir == in {
			delete(names, name)
			if is, ok := state[name]; ok {
				names[name] = is
			}
		}
		for name, is := range names {
			if path := filepath.Join(dir, name); is.folder {
				dirs = append(dirs, path)
			} else {
				files[path] = string(d.content[is])
			}
		}
	}
	return files
}

// TestADiskThatLosesPower checks the simulation of changes with known results.
func TestADiskThatLosesPower(t *testing.T) {
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, name) }
	writeFile(t, path("state"), "old")
	d := newDisk(t, root)
	expect := func(what string, want ...string) {
		t.Helper()
		d.recordNames()
		var got []string
		for _, view := range d.left() {
			got = append(got, strings.TrimPrefix(fmt.Sprint(view), "map"))
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: a loss of power leaves %q, want %q", what, got, want)
		}
	}
	writeFile(t, path("new"), "new")
	expect("a file that was not synced is empty or not there", "[new: state:old]", "[state:old]")
	d.content[inodeOf(path("new"), 0)] = []byte("new") // the fsync of the file
	expect("a file is there or not until its folder was synced", "[new:new state:old]", "[state:old]")
	if err := os.Rename(path("new"), path("state")); err != nil {
		t.Fatal(err)
	}
	expect("so is what took a name", "[new:new state:old]", "[state:new]", "[state:old]")
	d.note(call{name: "fsync", path: "."}, fate{})
	expect("the folder was synced", "[state:new]")
	d.note(call{name: "write", path: "state", file: inodeOf(path("state"), 0)}, fate{})
	expect("what is written over is lost", "[state:]")
}
