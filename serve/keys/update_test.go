package keys

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// statOf returns the owner, group and mode of a file.
func statOf(t *testing.T, path string) [3]int {
	t.Helper()
	var st unix.Stat_t
	must(t, unix.Stat(path, &st))
	return [3]int{int(st.Uid), int(st.Gid), int(st.Mode & 0o777)}
}

func TestAnUpdateKeepsOwnerModeAndLinks(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"etc", "data", "data/real", "tmp"} {
		must(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
	}
	tmp, untouched := filepath.Join(dir, "tmp"), noon
	must(t, os.Chtimes(tmp, untouched, untouched))
	t.Setenv("TMPDIR", tmp)
	target := filepath.Join(dir, "data", "keys.json")
	must(t, os.Symlink("data/real", filepath.Join(dir, "linked")))
	for path, to := range map[string]string{"etc/keys.json": filepath.Join(dir, "etc", "second"),
		"etc/second": "../linked/../keys.json"} {
		must(t, os.Symlink(to, filepath.Join(dir, path)))
	}
	link := filepath.Join(dir, "etc", "keys.json")
	create(t, link, "acme", []string{ScopeRead}, nil)
	if got := statOf(t, target)[2]; got != 0o600 {
		t.Errorf("a new file at the end of a link has mode %o, want 600", got)
	}
	if os.Getuid() == 0 { // only root can change the owner of a file
		must(t, os.Chown(target, 1234, 4321))
	}
	must(t, os.Chmod(target, 0o640))
	before := statOf(t, target)
	create(t, link, "acme", []string{ScopeRead}, nil)
	if got := statOf(t, target); got != before {
		t.Errorf("owner, group and mode: got %v, want %v", got, before)
	}
	if f, err := Read(target); err != nil || len(f.Keys) != 2 {
		t.Errorf("got %v, %v", f, err)
	}
	if info, err := os.Stat(tmp); err != nil || !info.ModTime().Equal(untouched) {
		t.Errorf("the temporary file was in the folder for temporary files: %v, %v", info.ModTime(), err)
	}
	for _, path := range []string{link, filepath.Join(dir, "etc", "second")} {
		if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no longer a link: %v, %v", path, info, err)
		}
	}
}

func TestCircularLinksAreAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	must(t, os.Symlink("keys.json", path))
	if err := Update(path, func(*File) error {
		return nil
	}); err == nil || !strings.Contains(err.Error(), "too many levels of symbolic links") {
		t.Errorf("got %v", err)
	}
}

func TestWarnings(t *testing.T) {
	for _, tt := range []struct {
		rule               string
		file, folder       os.FileMode
		owner, folderOwner int // -1 means the user that runs the test
		want               string
	}{
		{"private", 0o600, 0o755, -1, -1, ""},
		{"readable by its group", 0o640, 0o755, -1, -1, ""},
		{"writable by its group", 0o660, 0o755, -1, -1, "mode 0660: users other than its owner can write to it"},
		{"writable by all", 0o602, 0o755, -1, -1, "mode 0602: users other than its owner can write to it"},
		{"in a folder that is writable by all", 0o600, 0o777, -1, -1, "mode 0777: users other than its owner can replace"},
		{"in a folder where only owners can replace files", 0o600, 0o777 | os.ModeSticky, -1, -1, ""},
		{"owned by root, in a folder of the server", 0o600, 0o755, 0, 1234, "a server of that user cannot read it"},
		{"owned by root and readable, in a folder of the server", 0o644, 0o755, 0, 1234, ""},
		{"owned by the server, in its folder", 0o600, 0o755, 1234, 1234, ""},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			if tt.owner >= 0 && os.Getuid() != 0 {
				t.Skip("only root can change the owner of files")
			}
			dir := filepath.Join(t.TempDir(), "etc")
			path := filepath.Join(dir, "keys.json")
			must(t, os.Mkdir(dir, 0o755))
			touch(t, path)
			must(t, os.Chown(path, tt.owner, -1))
			must(t, os.Chown(dir, tt.folderOwner, -1))
			must(t, os.Chmod(path, tt.file))
			must(t, os.Chmod(dir, tt.folder))
			got := strings.Join(Warnings(path), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
