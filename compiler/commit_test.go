package compiler_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"sabine/compiler"
	"sabine/indexes/snapshot"
)

func TestAnyDropIsAllowedWithoutMaxDrop(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(100)...)})
	if r := mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(1)...)}); !r.Switched {
		t.Errorf("not switched: %+v", r)
	}
}

func TestMaxDrop(t *testing.T) {
	tests := []struct {
		rule          string
		before, after int
		percent       float64
		switched      bool
	}{
		{"as much as allowed is allowed", 100, 90, 10, true},
		{"more is refused", 100, 89, 10, false},
		{"fractions count", 200, 178, 10.9, false},
		{"0 allows no drop", 100, 99, 0, false},
		{"0 allows as many", 100, 100, 0, true},
		{"growing is no drop", 10, 100, 1, true},
		{"the first build has nothing to drop from", 0, 1, 1, true},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			folder := snapshot.Folder{Dir: t.TempDir()}
			before := ""
			if test.before > 0 {
				before = mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(test.before)...)}).File
			}
			r, err := build(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(test.after)...),
				MaxDrop: &test.percent})
			if r.Counts.Previous != test.before || r.Counts.Products != test.after {
				t.Errorf("counts %+v, want %d before and %d after", r.Counts, test.before, test.after)
			}
			if r.Switched != test.switched || errors.Is(err, compiler.ErrShrunk) == test.switched {
				t.Errorf("switched %v, %v, want switched %v", r.Switched, err, test.switched)
			}
			want := r.File
			if !test.switched {
				want = before
				if r.Outcome != "failed" || r.File != r.Hash+".refused" || !exists(folder.Path(r.File)) ||
					!reflect.DeepEqual(stored(t, folder.Path(r.Hash+".refused.report.json")), r) {
					t.Errorf("outcome %s, files %v", r.Outcome, names(t, folder))
				}
			}
			if got := current(t, folder); got != want {
				t.Errorf("CURRENT is %s, want %s", got, want)
			}
		})
	}
}

// The message after a refused build contains a command, which the test runs unchanged.
func TestMaxDropStoresTheRefusedSnapshot(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir() + "/the operator's"}
	before := mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(100)...)})
	percent := 12.5
	refused := func(n int) (*compiler.Report, error) {
		t.Helper()
		r, err := build(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(n)...), MaxDrop: &percent})
		if !errors.Is(err, compiler.ErrShrunk) {
			t.Fatal(err)
		}
		return r, err
	}
	r, err := refused(51)
	text, command, ok := strings.Cut(err.Error(), " or run:\n")
	want := "build: the catalogue shrank too much: from 100 to 51 products, by 49.0 % (the maximum is 12.5 %); " +
		"CURRENT was not switched, and the new snapshot is stored as " + folder.Path(r.File) +
		"\nTo accept it, build again with --max-drop 49 or more,"
	if !ok || text != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if generations, err := folder.Generations(); err != nil || len(generations) != 1 {
		t.Errorf("generations %v, %v, want only the current one", generations, err)
	}
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	if got := current(t, folder); got != r.Hash+".snapshot" {
		t.Errorf("CURRENT is %s, want the accepted %s", got, r.Hash)
	}
	if got := open(t, folder, current(t, folder)).Docs; got != 51 {
		t.Errorf("%d current products", got)
	}

	first, _ := refused(20)
	second, _ := refused(10)
	if got := names(t, folder); slices.Contains(got, first.File) || !slices.Contains(got, second.File) {
		t.Errorf("after two refused builds, the folder has %v", got)
	}
	good := mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(50)...), MaxDrop: &percent})
	stays := []string{"CURRENT"}
	for _, name := range []string{before.Hash, r.Hash, good.Hash} {
		stays = append(stays, name+".report.json", name+".snapshot")
	}
	slices.Sort(stays)
	if got := names(t, folder); !slices.Equal(got, stays) {
		t.Errorf("after a build that is not refused, the folder has\n%v, want\n%v", got, stays)
	}
}

func TestMaxDropNeedsTheCurrentSnapshot(t *testing.T) {
	for what, damage := range map[string]func(folder snapshot.Folder, name string) error{
		"gone":      func(folder snapshot.Folder, name string) error { return os.Remove(folder.Path(name)) },
		"truncated": func(folder snapshot.Folder, name string) error { return rewrite(folder.Path(name), nil) },
		"no name":   func(folder snapshot.Folder, _ string) error { return rewrite(folder.Path("CURRENT"), []byte("?\n")) },
		"another format": func(folder snapshot.Folder, name string) error {
			b, err := os.ReadFile(folder.Path(name))
			b[8]++ // major version
			return errors.Join(err, rewrite(folder.Path(name), b))
		},
		"flipped bit": func(folder snapshot.Folder, name string) error {
			b, err := os.ReadFile(folder.Path(name))
			b[len(b)-1] ^= 1
			return errors.Join(err, rewrite(folder.Path(name), b))
		},
	} {
		t.Run(what, func(t *testing.T) {
			folder := snapshot.Folder{Dir: t.TempDir()}
			r := mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(100)...)})
			if err := damage(folder, r.File); err != nil {
				t.Fatal(err)
			}
			before := names(t, folder)
			percent := 10.0
			o := compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(1)...), MaxDrop: &percent}
			r, err := build(t, o)
			if !errors.Is(err, compiler.ErrUnknownDrop) || r.Switched || r.File != "" ||
				!slices.Equal(names(t, folder), before) {
				t.Errorf("got %v, switched %v, files %v", err, r.Switched, names(t, folder))
			}
			if err == nil || !strings.Contains(err.Error(), "--max-drop-unknown") {
				t.Errorf("%v has no remedy", err)
			}
			o.UnknownDrop = true
			r = mustBuild(t, o)
			if r.Counts.Previous != 0 || len(r.Notes) != 1 || current(t, folder) != r.File {
				t.Errorf("counts %+v, notes %q, CURRENT %s", r.Counts, r.Notes, current(t, folder))
			}
		})
	}
}

func TestWithoutMaxDropAnUnreadableCurrentSnapshotIsReported(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	r := mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(100)...)})
	if err := os.Remove(folder.Path(r.File)); err != nil {
		t.Fatal(err)
	}
	r = mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(1)...)})
	if r.Counts.Previous != 0 || len(r.Notes) != 1 || current(t, folder) != r.File {
		t.Errorf("counts %+v, notes %q, CURRENT %s", r.Counts, r.Notes, current(t, folder))
	}
}

// rewrite replaces the content of a file that may be read-only.
func rewrite(path string, content []byte) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// TestFaultsAroundTheSwitch checks that a failure before the switch leaves no new files, and that an error
// after the switch reports that CURRENT was switched.
func TestFaultsAroundTheSwitch(t *testing.T) {
	// This build has the same content and therefore the same hash.
	elsewhere := mustBuild(t, compiler.Options{Inputs: catalogue(t, newRecords(5)...)})
	// A folder that is not empty cannot be replaced or removed.
	block := func(name string) func(snapshot.Folder) error {
		return func(folder snapshot.Folder) error {
			_ = os.Remove(folder.Path(name))
			return os.MkdirAll(folder.Path(name)+"/full", 0o755)
		}
	}
	tests := []struct {
		rule     string
		damage   func(snapshot.Folder) error
		switched bool
		reported string
	}{
		{"no report, no switch", block(elsewhere.Hash + ".report.json"), false, "write the report: "},
		{"no switch, no file", block("CURRENT"), false, "switch CURRENT to " + elsewhere.File},
		{"a file that can't be removed results in a note", block(".building-1.snapshot"), true,
			"CURRENT was switched, but older files could not be removed: "},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			folder := snapshot.Folder{Dir: t.TempDir()}
			if err := test.damage(folder); err != nil {
				t.Fatal(err)
			}
			r, err := build(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(5)...)})
			reported := strings.Join(r.Notes, "")
			if err != nil {
				reported += err.Error()
			}
			if r.Switched != test.switched || (err == nil) != test.switched || !strings.Contains(reported, test.reported) {
				t.Errorf("switched %v, reported %q, %v", r.Switched, reported, err)
			}
			if exists(folder.Path(elsewhere.File)) != test.switched {
				t.Errorf("the folder holds %v", names(t, folder))
			}
		})
	}
}

// The new snapshot is equal to an earlier generation, which the interrupted build must not remove.
func TestAnInterruptedCommitChangesNothing(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	first := mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(5)...)})
	mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(6)...)})
	before := names(t, folder)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := compiler.Build(ctx, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(5)...),
		Progress: func(p compiler.Progress) {
			if p.Stage == "commit" {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) || r.Switched || !slices.Equal(names(t, folder), before) {
		t.Errorf("got %v, switched %v, files %v, want those from before: %v", err, r.Switched, names(t, folder), before)
	}
	if !reflect.DeepEqual(stored(t, folder.Path(first.Hash+".report.json")), first) {
		t.Error("the report of the earlier build was replaced")
	}
}

// TestAFailedSwitchChangesNothing checks that a failed build does not remove an earlier generation.
func TestAFailedSwitchChangesNothing(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	o := compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(5)...)}
	first := mustBuild(t, o)
	if err := os.Remove(folder.Path("CURRENT")); err != nil {
		t.Fatal(err)
	}
	// A folder that is not empty cannot be replaced.
	if err := os.MkdirAll(folder.Path("CURRENT")+"/full", 0o755); err != nil {
		t.Fatal(err)
	}
	if r, err := build(t, o); err == nil || r.Switched || !exists(folder.Path(first.File)) {
		t.Errorf("switched %v, %v, files %v, want that %s stays", r.Switched, err, names(t, folder), first.File)
	}
}

// A descriptorless context takes all file descriptors from the process as soon as the build report is in the
// folder, just before the switch.
type descriptorless struct {
	context.Context
	t      *testing.T
	folder snapshot.Folder
}

func (c descriptorless) Err() error {
	if reports, _ := filepath.Glob(c.folder.Path("*.report.json")); len(reports) > 0 {
		limitDescriptors(c.t, 0)
	}
	return nil
}

// limitDescriptors sets the limit for open files of the process, and returns the previous limit.
func limitDescriptors(t *testing.T, n uint64) (before uint64) {
	t.Helper()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	before, limit.Cur = limit.Cur, n
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	return before
}

// If the switch failed and CURRENT cannot be read, it may name the new snapshot, which must remain.
func TestASnapshotThatCurrentMightNameRemains(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	before := limitDescriptors(t, 256) // enough for a build
	r, err := compiler.Build(descriptorless{context.Background(), t, folder},
		compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(5)...)})
	limitDescriptors(t, before)
	if !errors.Is(err, unix.EMFILE) || !strings.Contains(err.Error(), "switch CURRENT to "+r.File) || r.Switched {
		t.Errorf("switched %v, %v, want too many open files at the switch", r.Switched, err)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "the new snapshot is retained") ||
		!exists(folder.Path(r.Hash+".snapshot")) {
		t.Errorf("notes %q, files %v, want the snapshot of %s, and why", r.Notes, names(t, folder), r.Hash)
	}
}

// A build uses the folder to which its path led at the start, even if a link in the path is replaced later.
func TestAFolderThatIsExchangedDuringABuild(t *testing.T) {
	for _, stage := range []string{"read", "number", "bodies", "indexes", "commit"} {
		t.Run(stage, func(t *testing.T) {
			dir := t.TempDir()
			link, one, two := filepath.Join(dir, "link"), snapshot.Folder{Dir: filepath.Join(dir, "one")},
				snapshot.Folder{Dir: filepath.Join(dir, "two")}
			before := mustBuild(t, compiler.Options{Folder: two, Inputs: catalogue(t, newRecords(2)...)}).File
			there := names(t, two)
			if err := errors.Join(os.Mkdir(one.Dir, 0o755), os.Symlink("one", link)); err != nil {
				t.Fatal(err)
			}
			exchange := sync.OnceFunc(func() {
				if err := errors.Join(os.Remove(link), os.Symlink("two", link)); err != nil {
					t.Error(err)
				}
			})
			r := mustBuild(t, compiler.Options{Folder: snapshot.Folder{Dir: link}, Inputs: catalogue(t, newRecords(3)...),
				Progress: func(p compiler.Progress) {
					if p.Stage == stage {
						exchange()
					}
				}})
			if got := current(t, one); got != r.File {
				t.Errorf("the folder where it began: CURRENT is %s, want %s", got, r.File)
			}
			if got := names(t, two); current(t, two) != before || !slices.Equal(got, there) {
				t.Errorf("the other folder: %v, before %v", got, there)
			}
		})
	}
}
