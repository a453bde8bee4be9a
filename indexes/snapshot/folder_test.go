package snapshot

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// aged makes a file in the folder n hours old.
func aged(t testing.TB, f Folder, name string, n int) {
	t.Helper()
	then := time.Now().Add(-time.Duration(n) * time.Hour)
	if err := os.Chtimes(f.Path(name), then, then); err != nil {
		t.Fatal(err)
	}
}

func TestSwitchAndCurrent(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	if _, err := f.Current(); !errors.Is(err, ErrNoCurrent) {
		t.Errorf("an empty folder: %v, want ErrNoCurrent", err)
	}
	if _, err := (Folder{Dir: f.Path("none")}).Current(); !errors.Is(err, ErrNoCurrent) {
		t.Errorf("a missing folder: %v, want ErrNoCurrent", err)
	}
	for _, content := range []string{"a", "b", "a"} {
		name := generation(t, f, content)
		if err := f.Switch(name); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Current(); got != name || err != nil {
			t.Errorf("current is %s, %v, want %s", got, err, name)
		}
		if line, err := os.ReadFile(f.Path("CURRENT")); string(line) != name+"\n" || err != nil {
			t.Errorf("CURRENT is %q, want one line with the name", line)
		}
	}
	if got := names(t, f.Dir); len(got) != 3 {
		t.Errorf("the folder has %v, want two snapshots and CURRENT", got)
	}
}

func TestSwitchRefuses(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	for _, name := range []string{"", "CURRENT", "../" + FileName(strings.Repeat("a", 64)), strings.Repeat("A", 64) +
		suffix} {
		if err := f.Switch(name); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v, want an error for the invalid name", name, err)
		}
	}
	if err := f.Switch(FileName(strings.Repeat("a", 64))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing snapshot: %v, want fs.ErrNotExist", err)
	}
	if got := names(t, f.Dir); len(got) != 0 {
		t.Errorf("the folder has %v, want no files", got)
	}
}

func TestCurrentIsOneLineWithAName(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	name := FileName(hash)
	tests := []struct {
		rule, line string
		ok         bool
	}{
		{"a name", name, true},
		{"with a line feed", name + "\n", true},
		{"nothing", "", false},
		{"an empty line", "\n", false},
		{"two lines", name + "\n" + name + "\n", false},
		{"an empty line after it", name + "\n\n", false},
		{"a carriage return", name + "\r\n", false},
		{"a space before it", " " + name, false},
		{"capitals", strings.ToUpper(hash) + suffix, false},
		{"one digit too few", hash[1:] + suffix, false},
		{"one digit too many", "0" + name, false},
		{"not hexadecimal in the middle", hash[:30] + "g" + hash[31:] + suffix, false},
		{"no suffix", hash, false},
		{"another suffix", hash + ".report.json", false},
		{"another folder", "../" + name, false},
		{"a zero byte", name + "\x00", false},
		{"a large file", strings.Repeat("x", 1<<20), false},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			f := Folder{Dir: t.TempDir()}
			if err := os.WriteFile(f.Path("CURRENT"), []byte(tt.line), 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := f.Current()
			if tt.ok {
				if got != name || err != nil {
					t.Errorf("got %q, %v, want %q", got, err, name)
				}
				return
			}
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || corrupt.Path != f.Path("CURRENT") || len(err.Error()) > 500 {
				t.Errorf("got %q, %.500v, want a *CorruptError that names the file", got, err)
			}
		})
	}
}

func TestGenerationsNewestFirst(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	a, b, c := generation(t, f, "a"), generation(t, f, "bb"), generation(t, f, "ccc")
	aged(t, f, a, 1)
	aged(t, f, b, 3)
	aged(t, f, c, 2)
	for _, other := range []string{"CURRENT", "notes.txt", "short.snapshot", ".building-1.snapshot",
		strings.Repeat("a", 64) + reportSuffix} {
		if err := os.WriteFile(f.Path(other), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(f.Path(FileName(strings.Repeat("a", 64))), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(f.Path("gone"), f.Path(FileName(strings.Repeat("b", 64)))); err != nil {
		t.Fatal(err)
	}
	got, err := f.Generations()
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, g := range got {
		order = append(order, g.Name)
	}
	if want := []string{a, c, b}; !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
	if got[1].Bytes != headSize+3 {
		t.Errorf("%d bytes, want %d", got[1].Bytes, headSize+3)
	}
	if _, err := (Folder{Dir: f.Path("none")}).Generations(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v, want fs.ErrNotExist", err)
	}
}

func TestPrune(t *testing.T) {
	tests := []struct {
		rule    string
		current int // age of the current generation; -1 if there is no CURRENT
		keep    int
		want    []int // ages of the retained generations
	}{
		{"the newest are retained", 0, 3, []int{0, 1, 2}},
		{"the current one is retained even if it is old", 4, 2, []int{0, 1, 4}},
		{"only the current one is retained", 2, 0, []int{2}},
		{"fewer than keep", 0, 9, []int{0, 1, 2, 3, 4}},
		{"a negative keep is 0", 1, -1, []int{1}},
		{"without CURRENT", -1, 2, []int{0, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			f := Folder{Dir: t.TempDir()}
			var want, all []string
			for age := range 5 {
				name := generation(t, f, strings.Repeat("x", age))
				report := ReportOf(name)
				if err := os.WriteFile(f.Path(report), nil, 0o644); err != nil {
					t.Fatal(err)
				}
				if age == tt.current {
					if err := f.Switch(name); err != nil {
						t.Fatal(err)
					}
				}
				aged(t, f, name, age)
				all = append(all, name, report)
				if slices.Contains(tt.want, age) {
					want = append(want, name, report)
				}
			}
			leftovers := []string{".building-123.snapshot", ".CURRENT456", "." + strings.Repeat("a", 64) + reportSuffix + "789",
				strings.Repeat("b", 64) + refusedSuffix, ReportOf(strings.Repeat("b", 64) + refusedSuffix)}
			for _, name := range slices.Concat(leftovers, []string{"notes.txt", "notes.refused", ".lock"}) {
				if err := os.WriteFile(f.Path(name), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			removed, err := f.Prune(tt.keep)
			if err != nil {
				t.Fatal(err)
			}
			stays := slices.Concat(want, []string{"notes.txt", "notes.refused", ".lock"})
			if tt.current >= 0 {
				stays = append(stays, "CURRENT")
			}
			slices.Sort(stays)
			if got := names(t, f.Dir); !slices.Equal(got, stays) {
				t.Errorf("the folder has\n%v, want\n%v", got, stays)
			}
			gone := slices.DeleteFunc(slices.Concat(all, leftovers), func(n string) bool { return slices.Contains(want, n) })
			slices.Sort(gone)
			slices.Sort(removed)
			if !slices.Equal(removed, gone) {
				t.Errorf("removed %v, want %v", removed, gone)
			}
		})
	}
	t.Run("if CURRENT cannot be read, nothing is removed", func(t *testing.T) {
		f := Folder{Dir: t.TempDir()}
		name := generation(t, f, "a")
		if err := os.WriteFile(f.Path("CURRENT"), []byte("damaged"), 0o644); err != nil {
			t.Fatal(err)
		}
		if removed, err := f.Prune(0); err == nil || len(removed) > 0 {
			t.Errorf("removed %v, error %v", removed, err)
		}
		if _, err := os.Stat(f.Path(name)); err != nil {
			t.Error(err)
		}
	})
}

func TestPruneRemovesReportsWithoutASnapshot(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	kept := generation(t, f, "kept")
	gone := strings.Repeat("ab", hashDigits/2) + reportSuffix
	for _, name := range []string{gone, ReportOf(kept)} {
		if err := os.WriteFile(f.Path(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if removed, err := f.Prune(1); err != nil || !slices.Equal(removed, []string{gone}) {
		t.Errorf("removed %v, %v, want %s", removed, err, gone)
	}
}

func TestLock(t *testing.T) {
	f := Folder{Dir: filepath.Join(t.TempDir(), "made", "on", "demand")}
	unlock, err := f.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lock(); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), f.Dir) {
		t.Errorf("a second lock: %v, want ErrLocked with the name of the folder", err)
	}
	unlock()
	unlock, err = f.Lock()
	if err != nil {
		t.Fatalf("locked again: %v", err)
	}
	unlock()
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (Folder{Dir: blocked}).Lock(); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("a file instead of the folder: %v, want the error of the file system", err)
	}
}

// TestBuildThatDies kills a build in a separate process at each step. It checks that CURRENT is complete,
// that the lock is free, and that the next Lock removes the unfinished files.
func TestBuildThatDies(t *testing.T) {
	if step := os.Getenv("SABINE_TEST_DIE_AT"); step != "" {
		dieAt(t, step, Folder{Dir: os.Getenv("SABINE_TEST_FOLDER")})
		return
	}
	for _, step := range buildSteps {
		t.Run(step, func(t *testing.T) {
			f := Folder{Dir: t.TempDir()}
			old := generation(t, f, "old")
			if err := f.Switch(old); err != nil {
				t.Fatal(err)
			}
			child := exec.Command(os.Args[0], "-test.run=^TestBuildThatDies$")
			child.Env = append(os.Environ(), "SABINE_TEST_DIE_AT="+step, "SABINE_TEST_FOLDER="+f.Dir)
			out, err := child.CombinedOutput()
			if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("the build was not killed at this step: %v\n%s", err, out)
			}
			current, err := f.Current()
			if err != nil {
				t.Fatal(err)
			}
			if switched := current != old; switched != (step == "switched") {
				t.Errorf("CURRENT names %s, the old one is %s", current, old)
			}
			generations, err := f.Generations()
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range generations {
				opened, err := Open(f.Path(g.Name))
				if err != nil {
					t.Fatalf("an incomplete generation has its final name: %v", err)
				}
				if err := errors.Join(opened.VerifyChecksums(t.Context()), opened.VerifyHash(t.Context()),
					opened.Close()); err != nil {
					t.Error(err)
				}
			}
			unlock, err := f.Lock()
			if err != nil {
				t.Fatalf("the dead build still has the lock: %v", err)
			}
			defer unlock()
			for _, name := range names(t, f.Dir) {
				if strings.HasPrefix(name, ".") && name != ".lock" {
					t.Errorf("%s was not removed", name)
				}
			}
		})
	}
}

var buildSteps = []string{"created", "in a section", "sections written", "committed", "CURRENT half written",
	"switched"}

// dieAt builds a generation and kills its own process at the given step.
func dieAt(t *testing.T, last string, f Folder) {
	reached := func(step string) {
		if step == last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // waits until the signal arrives
		}
	}
	if _, err := f.Lock(); err != nil {
		t.Fatal(err)
	}
	w, err := Create(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	reached("created")
	section, err := w.Section(1, 8)
	if err != nil {
		t.Fatal(err)
	}
	text := bufio.NewWriterSize(section, 1000)
	for i := range 3 * writeBuffer / 10 {
		fmt.Fprintf(text, "%9d\n", i)
		if i == 2*writeBuffer/10 {
			reached("in a section")
		}
	}
	if err := text.Flush(); err != nil {
		t.Fatal(err)
	}
	reached("sections written")
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	reached("committed")
	name := filepath.Base(info.Path)
	if last == "CURRENT half written" { // simulates an interrupted Switch
		if err := os.WriteFile(f.Path(".CURRENT0"), []byte(name[:20]), 0o600); err != nil {
			t.Fatal(err)
		}
		reached(last)
	}
	if err := f.Switch(name); err != nil {
		t.Fatal(err)
	}
	reached("switched")
}
