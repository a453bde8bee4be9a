package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// These tests use containers with one section and no index, because they test the life cycle of a generation
// and not its answers.
const testKind snapshot.Kind = 1

// openContainer is like Open, but does not open an index.
func openContainer(ctx context.Context, path string) (*Generation, error) {
	file, err := snapshot.Open(path)
	if err != nil {
		return nil, err
	}
	if err := file.VerifyChecksums(ctx); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	g := &Generation{file: file, index: &indexes.Index{Docs: int(file.Size())}}
	g.references.Store(1)
	return g, nil
}

// A shelf is a folder of a test, with its Current. Each generation is identified by a text.
type shelf struct {
	t *testing.T
	snapshot.Folder
	*Current
	made int // number of generations; each is an hour newer than the previous one
}

func newShelf(t *testing.T) *shelf {
	s := &shelf{t: t, Folder: snapshot.Folder{Dir: t.TempDir()}}
	s.Current = NewCurrent(s.Folder, nil)
	s.open = openContainer
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// must fails the test on an error.
func (s *shelf) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// make writes a generation with a text and returns its file name.
func (s *shelf) make(text string) string {
	s.t.Helper()
	w, err := snapshot.Create(s.Dir)
	s.must(err)
	defer w.Abort()
	section, err := w.Section(testKind, 8)
	s.must(err)
	_, err = io.WriteString(section, text)
	s.must(err)
	info, err := w.Commit()
	s.must(err)
	s.must(os.Chmod(info.Path, 0o644)) // so that a test can damage it
	s.made++
	age := time.Date(2026, 1, 1, s.made, 0, 0, 0, time.UTC)
	s.must(os.Chtimes(info.Path, age, age))
	return filepath.Base(info.Path)
}

// switchTo makes a generation and makes it current.
func (s *shelf) switchTo(text string) string {
	s.t.Helper()
	name := s.make(text)
	s.must(s.Switch(name))
	return name
}

// damage flips the last byte of a file without changing its size.
func (s *shelf) damage(name string) {
	s.t.Helper()
	b, err := os.ReadFile(s.Path(name))
	s.must(err)
	b[len(b)-1] ^= 1
	s.must(os.WriteFile(s.Path(name), b, 0o644))
}

// prepareFlip returns a function that flips the last byte of a file without changing its modification time,
// because the system records only the first write to a mapped page.
func (s *shelf) prepareFlip(name string) (flip func()) {
	s.t.Helper()
	file, err := os.OpenFile(s.Path(name), os.O_RDWR, 0)
	s.must(err)
	defer file.Close()
	info, err := file.Stat()
	s.must(err)
	page, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	s.must(err)
	copy(page, bytes.Clone(page))
	return func() {
		page[len(page)-1] ^= 1
		s.must(unix.Munmap(page))
	}
}

// serves returns the text of the current generation, or "".
func (s *shelf) serves() string {
	g := s.Acquire()
	if g == nil {
		return ""
	}
	defer g.Release()
	b, _ := g.file.Section(testKind)
	return string(b)
}

// mappings counts the mappings of files in the folder.
func (s *shelf) mappings() int {
	s.t.Helper()
	if goruntime.GOOS != "linux" {
		s.t.Skip("only Linux lists the mappings of a process: that superseded files are unmapped was not tested")
	}
	maps, err := os.ReadFile("/proc/self/maps")
	s.must(err)
	return bytes.Count(maps, []byte(s.Dir+"/"))
}

func TestLoad(t *testing.T) {
	tests := []struct {
		rule string
		do   func(s *shelf) // performs the steps up to the last Load, whose result is verified
		want State          // only Status, Switches and Refused are compared
		// serves is the text of the current generation. reason is a substring of State.Reason, and fault a
		// substring of Load's error.
		serves string
		reason []string
		fault  []string
	}{
		{rule: "an empty folder: waiting",
			do:   func(*shelf) {},
			want: State{Status: StatusWaiting}, reason: []string{"no current snapshot"}},
		{rule: "no folder: waiting",
			do:   func(s *shelf) { s.must(os.Remove(s.Dir)) },
			want: State{Status: StatusWaiting}, reason: []string{"no current snapshot"}},
		{rule: "generations, but no CURRENT: waiting",
			do:   func(s *shelf) { s.make("a") },
			want: State{Status: StatusWaiting}, reason: []string{"no current snapshot"}},
		{rule: "a valid CURRENT: ready",
			do:   func(s *shelf) { s.make("a"); s.switchTo("b"); s.make("c") },
			want: State{Status: StatusReady, Switches: 1}, serves: "b"},
		{rule: "a damaged one at the start: the newest valid one",
			do: func(s *shelf) {
				s.make("old")
				s.make("newest good")
				s.damage(s.make("newer, but damaged"))
				s.damage(s.switchTo("current"))
			},
			want: State{Status: StatusDegraded, Switches: 1, Refused: 2}, serves: "newest good",
			reason: []string{".snapshot: section meta damaged at byte 2048"}},
		{rule: "CURRENT names a missing file at the start: the newest valid one",
			do: func(s *shelf) {
				s.make("good")
				s.must(os.Remove(s.Path(s.switchTo("gone"))))
			},
			want: State{Status: StatusDegraded, Switches: 1, Refused: 1}, serves: "good", reason: []string{"no such file"}},
		{rule: "CURRENT has no name at the start: the newest valid one",
			do: func(s *shelf) {
				s.make("good")
				s.must(os.WriteFile(s.Path("CURRENT"), []byte("\x00\x00"), 0o644))
			},
			want: State{Status: StatusDegraded, Switches: 1}, serves: "good", reason: []string{"CURRENT: damaged at byte 0"}},
		{rule: "none valid at the start: an error that names each",
			do: func(s *shelf) {
				s.damage(s.make("a"))
				s.damage(s.switchTo("bb"))
			},
			want:   State{Status: StatusWaiting, Refused: 2},
			reason: []string{"section meta damaged at byte 2048", "; "},
			fault:  []string{"expected 1 bytes with the checksum", "expected 2 bytes with the checksum"}},
		{rule: "CURRENT names a missing file and there is no other: an error",
			do:   func(s *shelf) { s.must(os.Remove(s.Path(s.switchTo("gone")))) },
			want: State{Status: StatusWaiting, Refused: 1}, reason: []string{"no such file"}, fault: []string{"no such file"}},
		{rule: "the same again: no change",
			do:   func(s *shelf) { s.switchTo("a"); s.must(s.Load(s.t.Context())) },
			want: State{Status: StatusReady, Switches: 1}, serves: "a"},
		{rule: "back and forth",
			do: func(s *shelf) {
				for _, text := range []string{"a", "b", "a"} {
					s.switchTo(text)
					s.must(s.Load(s.t.Context()))
				}
				s.switchTo("b")
			},
			want: State{Status: StatusReady, Switches: 4}, serves: "b"},
		{rule: "a damaged new one: the old one stays, although there is a newer valid one",
			do: func(s *shelf) {
				s.switchTo("old")
				s.must(s.Load(s.t.Context()))
				s.make("newer")
				s.damage(s.switchTo("new"))
			},
			want: State{Status: StatusDegraded, Switches: 1, Refused: 1}, serves: "old",
			reason: []string{"section meta damaged at byte 2048"}},
		{rule: "a new one of another format version: the old one stays",
			do: func(s *shelf) {
				s.switchTo("old")
				s.must(s.Load(s.t.Context()))
				name := s.switchTo("new")
				b, err := os.ReadFile(s.Path(name))
				s.must(err)
				b[8] = 9
				s.must(os.WriteFile(s.Path(name), b, 0o644))
			},
			want: State{Status: StatusDegraded, Switches: 1, Refused: 1}, serves: "old",
			reason: []string{"unsupported format version 9.0: this program reads version 8"}},
		{rule: "a refused one that was repaired: ready",
			do: func(s *shelf) {
				s.switchTo("old")
				s.must(s.Load(s.t.Context()))
				s.damage(s.switchTo("new"))
				s.must(s.Load(s.t.Context()))
				s.switchTo("new")
			},
			want: State{Status: StatusReady, Switches: 2, Refused: 1}, serves: "new"},
		{rule: "CURRENT is reset after a refusal: ready",
			do: func(s *shelf) {
				s.switchTo("old")
				s.must(s.Load(s.t.Context()))
				s.damage(s.switchTo("new"))
				s.must(s.Load(s.t.Context()))
				s.switchTo("old")
			},
			want: State{Status: StatusReady, Switches: 1, Refused: 1}, serves: "old"},
		{rule: "CURRENT is removed: no change",
			do: func(s *shelf) {
				s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.must(os.Remove(s.Path("CURRENT")))
			},
			want: State{Status: StatusDegraded, Switches: 1}, serves: "a", reason: []string{"no current snapshot"}},
		{rule: "the current file is deleted: it stays mapped",
			do: func(s *shelf) {
				name := s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.must(os.Remove(s.Path(name)))
			},
			want: State{Status: StatusDegraded, Switches: 1, Refused: 1}, serves: "a", reason: []string{"no such file"}},
		{rule: "the folder is deleted: no change",
			do: func(s *shelf) {
				s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.must(os.RemoveAll(s.Dir))
			},
			want: State{Status: StatusDegraded, Switches: 1}, serves: "a", reason: []string{"no current snapshot"}},
		{rule: "the current file is truncated in place: the newest valid one",
			do: func(s *shelf) {
				s.make("good")
				name := s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.must(os.Truncate(s.Path(name), 100))
			},
			want: State{Status: StatusDegraded, Switches: 2, Refused: 1}, serves: "good",
			reason: []string{"expected a head of 2048 bytes, not the end of the file"}},
		{rule: "the current file is overwritten in place at equal length: the newest valid one",
			do: func(s *shelf) {
				s.make("good")
				name := s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.damage(name)
			},
			want: State{Status: StatusDegraded, Switches: 2, Refused: 1}, serves: "good",
			reason: []string{"section meta damaged at byte 2048"}},
		{rule: "the current file grows: the newest valid one",
			do: func(s *shelf) {
				s.make("good")
				name := s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				file, err := os.OpenFile(s.Path(name), os.O_WRONLY|os.O_APPEND, 0)
				s.must(err)
				_, err = file.WriteString("b")
				s.must(errors.Join(err, file.Close()))
			},
			want: State{Status: StatusDegraded, Switches: 2, Refused: 1}, serves: "good",
			reason: []string{"expected the end of the file, not 1 more bytes"}},
		{rule: "the only file is overwritten in place at equal length: nothing serves",
			do: func(s *shelf) {
				name := s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.damage(name)
			},
			want: State{Status: StatusWaiting, Switches: 1, Refused: 1}, reason: []string{"section meta damaged at byte 2048"},
			fault: []string{"section meta damaged at byte 2048"}},
		{rule: "a current file that CURRENT does not name is overwritten in place: it is dropped",
			do: func(s *shelf) {
				name := s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.must(os.Remove(s.Path("CURRENT")))
				s.must(s.Load(s.t.Context()))
				s.damage(name)
			},
			want: State{Status: StatusWaiting, Switches: 1}, reason: []string{"no current snapshot"}},
		{rule: "CURRENT is a FIFO: no change",
			do: func(s *shelf) {
				s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.must(os.Remove(s.Path("CURRENT")))
				s.must(unix.Mkfifo(s.Path("CURRENT"), 0o644))
			},
			want: State{Status: StatusDegraded, Switches: 1}, serves: "a", reason: []string{"CURRENT: not a regular file"}},
		{rule: "CURRENT names a FIFO: no change until a file replaces the FIFO",
			do: func(s *shelf) {
				s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				name := s.switchTo("b")
				s.must(os.Rename(s.Path(name), s.Path("aside")))
				s.must(unix.Mkfifo(s.Path(name), 0o644))
				s.must(s.Load(s.t.Context()))
				if got := s.State(); !strings.Contains(got.Reason, "not a regular file") {
					s.t.Errorf("state %+v, want the FIFO refused", got)
				}
				s.must(os.Rename(s.Path("aside"), s.Path(name)))
			},
			want: State{Status: StatusReady, Switches: 2, Refused: 1}, serves: "b"},
		{rule: "an equal build touches the current file: no change",
			do: func(s *shelf) {
				s.switchTo("a")
				s.must(s.Load(s.t.Context()))
				s.switchTo("a")
			},
			want: State{Status: StatusReady, Switches: 1}, serves: "a"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			s := newShelf(t)
			tt.do(s)
			err := s.Load(t.Context())
			if (err == nil) != (tt.fault == nil) {
				t.Fatalf("Load: %v, want an error: %t", err, tt.fault != nil)
			}
			for _, part := range tt.fault {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("Load: %v, want %q in it", err, part)
				}
			}
			if got := s.serves(); got != tt.serves {
				t.Errorf("%q serves, want %q", got, tt.serves)
			}
			got := s.State()
			if got.Status != tt.want.Status || got.Switches != tt.want.Switches || got.Refused != tt.want.Refused {
				t.Errorf("state %+v, want %s after %d switches and %d refusals", got, tt.want.Status, tt.want.Switches,
					tt.want.Refused)
			}
			if (got.Reason == "") != (tt.reason == nil) || strings.Contains(got.Reason, "\n") {
				t.Errorf("reason %q, want one line: %t", got.Reason, tt.reason != nil)
			}
			for _, part := range tt.reason {
				if !strings.Contains(got.Reason, part) {
					t.Errorf("reason %q, want %q in it", got.Reason, part)
				}
			}
			want := 0
			if tt.serves != "" {
				want = 1
			}
			if n := s.mappings(); n != want {
				t.Errorf("%d files are mapped, want %d", n, want)
			}
		})
	}
}

// A damaged generation must not serve during the search for another, which may read entire files for seconds.
func TestADamagedFileIsClosedBeforeAnotherIsTried(t *testing.T) {
	s := newShelf(t)
	s.make("good")
	name := s.switchTo("a")
	s.must(s.Load(t.Context()))
	tries := 0
	s.open = func(ctx context.Context, path string) (*Generation, error) {
		tries++
		if got := s.State(); s.serves() != "" || got.Status != StatusWaiting ||
			!strings.Contains(got.Reason, "section meta damaged") {
			t.Errorf("try %d: %q serves, state %+v, want nothing, and why", tries, s.serves(), got)
		}
		return openContainer(ctx, path)
	}
	s.damage(name)
	s.must(s.Load(t.Context()))
	if tries != 2 || s.serves() != "good" {
		t.Errorf("after %d tries %q serves, want the valid one, with the damaged one refused", tries, s.serves())
	}
}

func TestStateDescribesTheCurrentGeneration(t *testing.T) {
	s := newShelf(t)
	name := s.switchTo("wool")
	s.must(s.Load(t.Context()))
	got := s.State()
	size := int64(2048 + 4)
	if got.Name != name || got.Hash+".snapshot" != name || got.Products != int(size) || got.Bytes != size ||
		got.Since.IsZero() {
		t.Errorf("state %+v of %s", got, name)
	}
	g := s.Acquire()
	defer g.Release()
	if g.Name() != name || g.Hash() != got.Hash || g.Products() != got.Products {
		t.Errorf("the generation reports %s, %s, %d", g.Name(), g.Hash(), g.Products())
	}
}

func TestAnAcquiredGenerationStaysMapped(t *testing.T) {
	s := newShelf(t)
	s.switchTo("old")
	s.must(s.Load(t.Context()))
	first, second := s.Acquire(), s.Acquire()
	b, _ := first.file.Section(testKind)
	s.must(os.Remove(s.Path(s.switchTo("old")))) // a file that is also deleted
	s.switchTo("new")
	s.must(s.Load(t.Context()))
	if got := s.serves(); got != "new" {
		t.Fatalf("%q serves, want new", got)
	}
	first.Release()
	if n := s.mappings(); n != 2 || string(b) != "old" {
		t.Errorf("%d files are mapped, the second holder reads %q; want 2 and old", n, b)
	}
	second.Release()
	if n := s.mappings(); n != 1 {
		t.Errorf("%d files are mapped once the last holder has left, want 1", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("an extra release is not detected")
		}
	}()
	second.Release()
}

func TestCloseOutlastsItsHolders(t *testing.T) {
	s := newShelf(t)
	s.switchTo("a")
	s.must(s.Load(t.Context()))
	g := s.Acquire()
	for range 2 {
		s.must(s.Close())
	}
	if s.Acquire() != nil {
		t.Error("a closed Current still returns its generation")
	}
	if n := s.mappings(); n != 1 {
		t.Errorf("%d files are mapped, want the one in use", n)
	}
	g.Release()
	if n := s.mappings(); n != 0 {
		t.Errorf("%d files are mapped, want none", n)
	}
	if err := s.Load(t.Context()); !errors.Is(err, errClosed) {
		t.Errorf("load after close: %v", err)
	}
	if got := s.State(); got.Status != StatusWaiting || got.Name != "" {
		t.Errorf("state %+v, want waiting for nothing", got)
	}
}

func TestGenerationCloseTwice(t *testing.T) {
	s := newShelf(t)
	g, err := openContainer(t.Context(), s.Path(s.make("a")))
	s.must(err)
	s.must(g.Close())
	s.must(g.Close())
	if g.tryAcquire() {
		t.Error("a closed generation can be acquired")
	}
}

// While generations are switched, readers acquire, read and release them. Each reader must read the same
// generation to the end. Run with -race.
func TestReadersWhileGenerationsSwitch(t *testing.T) {
	s := newShelf(t)
	texts := []string{strings.Repeat("wool", 5000), strings.Repeat("felt", 9000), strings.Repeat("foam", 2000)}
	hashes := map[string]byte{}
	for _, text := range texts {
		hashes[strings.TrimSuffix(s.make(text), ".snapshot")] = text[2]
	}
	s.switchTo(texts[0])
	s.must(s.Load(t.Context()))

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var readers sync.WaitGroup
	var reads sync.WaitGroup // waits until each reader has read at least once
	for range 16 {
		reads.Add(1)
		readers.Go(func() {
			first := sync.OnceFunc(reads.Done)
			defer first()
			for ctx.Err() == nil {
				g := s.Acquire()
				b, _ := g.file.Section(testKind)
				want := hashes[g.Hash()]
				for i := 2; i < len(b); i += 4 {
					if b[i] != want {
						t.Errorf("byte %d of %s is %q, want %q", i, g.Name(), b[i], want)
						stop()
						break
					}
				}
				g.Release()
				first()
			}
		})
	}
	reads.Wait()
	switches := 100
	if testing.Short() {
		switches = 25
	}
	for i := range switches {
		s.must(s.Switch(snapshot.FileName(hashOfText(hashes, texts[i%len(texts)]))))
		s.must(s.Load(t.Context()))
	}
	stop()
	readers.Wait()
	if n := s.mappings(); n != 1 {
		t.Errorf("%d files are mapped, want only the current one", n)
	}
	if got := s.State(); got.Switches != switches {
		t.Errorf("%d switches, want %d", got.Switches, switches) // in the first round it is current already
	}
}

// hashOfText returns the hash of the generation whose text has the same third letter.
func hashOfText(hashes map[string]byte, text string) string {
	for hash, letter := range hashes {
		if letter == text[2] {
			return hash
		}
	}
	return ""
}

// The current file is truncated while a request reads it. The request panics and can recover, as in the
// server, and the process continues. The next load makes a valid generation current.
func TestATruncatedCurrentFileFailsOneRequest(t *testing.T) {
	s := newShelf(t)
	s.make("good")
	name := s.switchTo(strings.Repeat("wool", os.Getpagesize()))
	s.must(s.Load(t.Context()))
	s.must(os.Truncate(s.Path(name), int64(os.Getpagesize())))

	request := func() (fault any) {
		g := s.Acquire()
		defer g.Release()
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() { fault = recover() }()
		b, _ := g.file.Section(testKind)
		return b[len(b)-1]
	}
	if fault, ok := request().(goruntime.Error); !ok {
		t.Errorf("reading after the end of the file: %v, want a run-time error", fault)
	}
	s.must(s.Load(t.Context()))
	if got := s.serves(); got != "good" {
		t.Errorf("%q serves, want good", got)
	}
	if n := s.mappings(); n != 1 {
		t.Errorf("%d files are mapped, want 1: a request with a fault has released its generation", n)
	}
}

// If no valid file can replace the damaged one, there is no current generation.
func TestNothingServesWhileTheOnlyFileIsDamaged(t *testing.T) {
	s := newShelf(t)
	name := s.switchTo(strings.Repeat("wool", os.Getpagesize()))
	whole, err := os.ReadFile(s.Path(name))
	s.must(err)
	s.must(s.Load(t.Context()))
	s.must(os.Truncate(s.Path(name), int64(os.Getpagesize())))
	if err := s.Load(t.Context()); err == nil {
		t.Error("the damage is not detected")
	}
	if got := s.State(); got.Status != StatusWaiting || got.Reason == "" || got.Name != "" || s.Acquire() != nil {
		t.Errorf("state %+v, want waiting, with a reason", got)
	}
	s.must(os.Remove(s.Path(name)))
	s.must(os.WriteFile(s.Path(name), whole, 0o444))
	s.must(s.Load(t.Context()))
	if got := s.State(); got.Status != StatusReady {
		t.Errorf("state %+v, want ready", got)
	}
}

// A system error, such as too little memory for the mapping, may be temporary, so Load tries again even if
// the folder has not changed.
func TestASystemFailureIsRetried(t *testing.T) {
	s := newShelf(t)
	s.switchTo("old")
	s.must(s.Load(t.Context()))
	s.switchTo("new")
	s.open = func(context.Context, string) (*Generation, error) { return nil, fmt.Errorf("map: %w", unix.ENOMEM) }
	s.must(s.Load(t.Context()))
	if got := s.State(); got.Status != StatusDegraded || !s.changed() {
		t.Errorf("state %+v, changed %t, want degraded and to be tried again", got, s.changed())
	}
	s.open = openContainer
	s.must(s.Load(t.Context()))
	if s.serves() != "new" || s.changed() {
		t.Errorf("%q serves, changed %t", s.serves(), s.changed())
	}
}

func TestAnEndedContextRefusesNothing(t *testing.T) {
	s := newShelf(t)
	s.switchTo("a")
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.Load(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("load: %v, want context.Canceled", err)
	}
	if got := s.State(); got.Refused != 0 || got.Switches != 0 {
		t.Errorf("state %+v, want nothing refused", got)
	}
	if !s.changed() {
		t.Error("the watch would not load after an unknown state")
	}
	s.must(s.Load(t.Context()))
	if s.serves() != "a" || s.changed() {
		t.Errorf("%q serves, changed %t", s.serves(), s.changed())
	}
}

// TestACURRENTThatChangesBackIsLoadedAgain rewrites CURRENT in place, which does not change the folder's
// stamp: the watch reads a name, Load finds no name, and then CURRENT contains the first name again.
func TestACURRENTThatChangesBackIsLoadedAgain(t *testing.T) {
	s := newShelf(t)
	name := s.switchTo("content")
	s.must(s.Load(t.Context()))
	if s.changed() {
		t.Fatal("it changed too early")
	}
	s.must(os.WriteFile(s.Path("CURRENT"), nil, 0o644))
	s.seen.current = name
	if _, why := s.choose(t.Context(), s.inForce.Load()); why == nil {
		t.Fatal("an empty CURRENT is accepted")
	}
	s.must(os.WriteFile(s.Path("CURRENT"), []byte(name+"\n"), 0o644))
	if !s.changed() {
		t.Error("the watch does not load a refused file again after a change")
	}
}

// TestASnapshotIsRemovedWhileAServerOpensIt checks that running and starting servers always have data and
// report no errors while builds that retain one generation switch generations and remove files.
func TestASnapshotIsRemovedWhileAServerOpensIt(t *testing.T) {
	s := newShelf(t)
	s.switchTo("0")
	s.must(s.Load(t.Context()))
	var done atomic.Bool
	var servers sync.WaitGroup
	for range 2 {
		servers.Go(func() {
			for !done.Load() {
				if err := s.Load(t.Context()); err != nil || s.serves() == "" {
					t.Errorf("a server that serves: %v, %+v", err, s.State())
				}
				begins := NewCurrent(s.Folder, nil)
				begins.open = openContainer
				if err := begins.Load(t.Context()); err != nil || begins.State().Status != StatusReady {
					t.Errorf("a server that begins: %v, %+v", err, begins.State())
				}
				if err := begins.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 30 {
		s.switchTo(fmt.Sprint(i))
		_, err := s.Prune(1)
		s.must(err)
	}
	done.Store(true)
	servers.Wait()
	s.must(s.Load(t.Context()))
	if state := s.State(); state.Status != StatusReady || s.serves() != "29" {
		t.Errorf("at the end: %q, %+v", s.serves(), state)
	}
}
