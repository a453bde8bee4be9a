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

// A disk simulates a folder after a power failure. A file has its content at its last fsync. A folder has the
// names at its last fsync; each name can also be as it was at any later time. A file written after its last
// fsync is lost. So is a file whose fsync has failed, even if a later fsync succeeds.
type disk struct {
	root    string
	content map[inode][]byte
	failed  map[inode]bool                // files with a failed fsync
	names   map[string][]map[string]inode // by folder below root, from its last fsync onwards
}

// An inode identifies a file or a folder independently of its name.
type inode struct {
	number uint64
	born   unix.StatxTimestamp // distinguishes files with reused inode numbers
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

// newDisk returns the disk of a folder that is completely durable.
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

// recordNames records the current names in all folders. A new folder is durable and empty.
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

// left returns, for each state that a power failure can leave, the contents of the files by path. The first
// state is the minimum. In each other state, one name is as it was at another time.
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

// view returns the files as of the last fsync of every folder, without the names that were removed later. One
// name is as it was in the given state.
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

// TestADiskThatLosesPower checks the simulation with changes whose results are known.
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
	d.content[inodeOf(path("new"), 0)] = []byte("new") // simulates the fsync of the file
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
