package statefile

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestOnlyARegularFileOfALimitedSizeIsRead(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.WriteFile(path("file"), []byte("12345678"), 0o600),
		os.Symlink("file", path("link")),
		os.Symlink("/dev/zero", path("device")),
		unix.Mkfifo(path("pipe"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", path("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, tt := range []struct {
		name  string
		limit int64
		want  string // part of the error; "" means no error
	}{
		{"file", 8, ""},
		{"link", 8, ""},
		{"file", 7, "larger than the limit"},
		{"pipe", 8, "a named pipe, expected a regular file"},
		{"socket", 8, "a socket, expected a regular file"},
		{"device", 8, "a device, expected a regular file"},
		{".", 8, "a folder, expected a regular file"},
	} {
		b, err := Read(path(tt.name), tt.limit)
		if tt.want == "" {
			if err != nil || string(b) != "12345678" {
				t.Errorf("%s: got %q, %v", tt.name, b, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path(tt.name)) {
			t.Errorf("%s: got %q, %v, want %q and the path", tt.name, b, err, tt.want)
		}
	}
	if _, err := Read(path("missing"), 8); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: got %v", err)
	}
}

func TestWriteDoesNotUseTheTemporaryFolder(t *testing.T) {
	dir := t.TempDir()
	tmp, untouched := filepath.Join(dir, "tmp"), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	if err := errors.Join(os.Mkdir(tmp, 0o700), os.Chtimes(tmp, untouched, untouched)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", tmp)
	for _, text := range []string{"one", "two"} {
		if err := Write(filepath.Join(dir, "state"), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "state")); err != nil || string(b) != text {
			t.Errorf("got %q, %v", b, err)
		}
	}
	if info, err := os.Stat(tmp); err != nil || !info.ModTime().Equal(untouched) {
		t.Errorf("the folder for temporary files was used: %v, %v", info.ModTime(), err)
	}
}

func TestAnErrorOfWritingNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "state")
	if err := Write(path, nil); !errors.Is(err, fs.ErrNotExist) || err.Error() != "write "+path+
		": no such file or directory" {
		t.Errorf("got %v", err)
	}
}

func Example() {
	_, err := Read("/dev/null", 1<<20)
	fmt.Println(err)
	// Output: /dev/null is a device, expected a regular file
}

func TestAnErrorOfSavingIsLoggedOnce(t *testing.T) {
	var logged []string
	s := Saver{LogError: func(err error) { logged = append(logged, err.Error()) }}
	for _, fault := range []string{"", "full", "full", "read-only", "", "read-only"} {
		var err error
		if fault != "" {
			err = errors.New(fault)
		}
		s.Record(err)
	}
	if want := []string{"full", "read-only", "read-only"}; !slices.Equal(logged, want) {
		t.Errorf("got %q, want %q", logged, want)
	}
}
