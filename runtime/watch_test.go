package runtime

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sabine/indexes/snapshot"
)

// A listener is a log handler that sends each record to a channel, so that a test can wait for messages.
type listener struct{ records chan slog.Record }

func (listener) Enabled(context.Context, slog.Level) bool { return true }
func (l listener) Handle(_ context.Context, r slog.Record) error {
	l.records <- r
	return nil
}
func (l listener) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l listener) WithGroup(string) slog.Handler      { return l }

// watched starts watching a shelf. The returned function waits until a message is logged, at most for the
// second that Watch promises. If its pauses take longer on a busy machine, the extra time is not counted,
// because the machine also delays Watch.
func (s *shelf) watched(reload <-chan struct{}) (await func(message string) map[string]slog.Value) {
	l := listener{make(chan slog.Record, 100)}
	s.log = slog.New(l)
	ctx, stop := context.WithCancel(context.Background())
	var watch sync.WaitGroup
	watch.Go(func() { s.Watch(ctx, reload) })
	s.t.Cleanup(func() {
		stop()
		watch.Wait()
	})
	return func(message string) map[string]slog.Value {
		s.t.Helper()
		const pause = 5 * time.Millisecond
		for deadline := time.Now().Add(time.Second); ; {
			began := time.Now()
			if began.After(deadline) {
				s.t.Fatalf("not within a second: the log says %q", message)
			}
			select {
			case r := <-l.records:
				if r.Message != message {
					continue
				}
				attrs := map[string]slog.Value{}
				r.Attrs(func(a slog.Attr) bool {
					attrs[a.Key] = a.Value
					return true
				})
				return attrs
			case <-time.After(pause):
				deadline = deadline.Add(time.Since(began) - pause)
			}
		}
	}
}

const (
	inForce      = "current snapshot"
	notGood      = "the snapshot that CURRENT names is not in use"
	isGood       = "the snapshot that CURRENT names is in use"
	contentHolds = "the content of the current snapshot matches its name"
	noneYet      = "there is no snapshot yet: run sabine build"
)

func TestWatchFollowsCurrent(t *testing.T) {
	s := newShelf(t)
	await := s.watched(nil)
	if got := await(noneYet)["reason"].String(); !strings.Contains(got, s.Dir+": the folder has no file CURRENT") {
		t.Errorf("logged %q, want that the folder is empty", got)
	}
	for _, text := range []string{"a", "bb", "a"} {
		name := s.switchTo(text)
		attrs := await(inForce)
		if got := attrs["generation"].String() + ".snapshot"; got != name {
			t.Errorf("the current file is %s, want %s", got, name)
		}
		if got, want := attrs["products"].Int64(), int64(2048+len(text)); got != want ||
			attrs["seconds"].Kind() != slog.KindFloat64 {
			t.Errorf("logged %v, want %d products and seconds", attrs, want)
		}
	}
	damaged := s.make("ccc")
	s.damage(damaged)
	s.must(s.Switch(damaged))
	if got := await(notGood); got["status"].String() != StatusDegraded {
		t.Errorf("logged %v, want degraded", got)
	}
	s.switchTo("ccc") // repaired, under the same name
	await(isGood)
	if got := s.serves(); got != "ccc" {
		t.Errorf("%q serves, want ccc", got)
	}
}

func TestWatchBeginsOnceTheFolderIsThere(t *testing.T) {
	s := newShelf(t)
	s.must(os.Remove(s.Dir))
	await := s.watched(nil)
	if got := await(noneYet)["reason"].String(); !strings.Contains(got, s.Dir+": the folder does not exist") {
		t.Errorf("logged %q, want that the folder does not exist", got)
	}
	s.must(os.Mkdir(s.Dir, 0o755))
	s.switchTo("a")
	await(inForce)
	s.must(os.RemoveAll(s.Dir)) // remove it a second time
	await(notGood)
	s.must(os.Mkdir(s.Dir, 0o755))
	s.switchTo("b")
	await(inForce)
}

// A Kubernetes volume is switched by renaming a link to another folder, without an event in the folder.
func TestWatchFollowsAFolderThatIsALink(t *testing.T) {
	s := newShelf(t)
	first, second := s.Dir, t.TempDir()
	link := filepath.Join(t.TempDir(), "data")
	s.must(os.Symlink(first, link))
	s.switchTo("a")
	s.Dir = second
	s.switchTo("b")
	s.folder = snapshot.Folder{Dir: link}

	await := s.watched(nil)
	await(inForce)
	s.must(os.Symlink(second, link+".new"))
	s.must(os.Rename(link+".new", link))
	await(inForce)
	if got := s.serves(); got != "b" {
		t.Errorf("%q serves, want b", got)
	}
}

func TestWatchLoadsOnReload(t *testing.T) {
	s := newShelf(t)
	reload := make(chan struct{})
	name := s.switchTo("a")
	s.must(s.Load(t.Context()))
	s.must(os.Remove(s.Path(name)))
	await := s.watched(reload)
	await(notGood)
	before := s.State().Refused
	reload <- struct{}{} // although nothing in the folder has changed
	reload <- struct{}{} // this value is received only after the previous load
	if after := s.State().Refused; after <= before || after > before+2 {
		t.Errorf("refused %d times, then %d: want one try for each reload", before, after)
	}
	close(reload) // a closed channel must not end the watch or make it loop without waiting
	s.switchTo("b")
	await(inForce)
}

// A file that is overwritten in place must be detected although no name changes.
func TestWatchVerifiesTheCurrentFileAgain(t *testing.T) {
	s := newShelf(t)
	s.make("good")
	name := s.switchTo("a")
	s.must(s.Load(t.Context()))
	await := s.watched(nil)
	s.damage(name)
	if got := await(inForce)["generation"].String(); got == strings.TrimSuffix(name, ".snapshot") || s.serves() != "good" {
		t.Errorf("%s is current, want the valid file", got)
	}
	await(contentHolds) // for the valid generation; an earlier switch would cancel its check
	s.switchTo("a")
	await(contentHolds) // for generation a
	if got := s.serves(); got != "a" {
		t.Errorf("%q serves, want a", got)
	}
}

func TestWatchVerifiesASuspectFileThatSeemsUnchanged(t *testing.T) {
	reload := make(chan struct{})
	for rule, doubt := range map[string]func(*shelf){
		"a request calls Recheck": func(s *shelf) { s.Recheck() },
		"a reload is requested":   func(*shelf) { reload <- struct{}{} },
	} {
		t.Run(rule, func(t *testing.T) {
			s := newShelf(t)
			s.make("good")
			name := s.switchTo("a")
			flip := s.prepareFlip(name)
			s.must(s.Load(t.Context()))
			await := s.watched(reload)
			await(contentHolds)
			flip()
			doubt(s)
			if await(inForce); s.serves() != "good" {
				t.Errorf("%q serves, want the valid one", s.serves())
			}
		})
	}
}

// A file with valid sections whose content does not match its name is dropped after it has been hashed, and
// is not opened again.
func TestWatchComparesTheContentWithTheName(t *testing.T) {
	s := newShelf(t)
	s.make("good")
	name, other := s.make("other"), strings.Repeat("0", 64)+".snapshot"
	s.must(os.Rename(s.Path(name), s.Path(other)))
	s.must(s.Switch(other))
	s.must(s.Load(t.Context()))
	if got := s.State(); got.Name != other || got.Hashed {
		t.Errorf("state %+v, want the generation of CURRENT, not hashed yet", got)
	}
	await := s.watched(nil)
	if got := await(notGood); !strings.Contains(got["reason"].String(), "SHA-256 in the file name") {
		t.Errorf("logged %v, want the reason", got)
	}
	await(contentHolds)
	if got := s.State(); s.serves() != "good" || got.Status != StatusDegraded || !got.Hashed {
		t.Errorf("%q serves, state %+v, want the valid one", s.serves(), got)
	}
	s.must(s.Load(t.Context()))
	if got := s.State(); s.serves() != "good" || got.Refused != 2 {
		t.Errorf("%q serves, state %+v, want the misnamed one refused twice", s.serves(), got)
	}
}

func TestWatchWithoutFileEvents(*testing.T) {
	var s subscription // must neither panic nor deliver anything
	s.renew()
	s.close()
}

// A refused generation is not opened again before a change, because opening reads the entire file.
func TestNothingIsLoadedWhileNothingChanges(t *testing.T) {
	s := newShelf(t)
	s.damage(s.make("a"))
	s.damage(s.switchTo("b"))
	if err := s.Load(t.Context()); err == nil {
		t.Fatal("a damaged folder was loaded")
	}
	if s.changed() {
		t.Error("changed without a change")
	}
	steps := []struct {
		what string
		do   func()
	}{
		{"a snapshot comes", func() { s.make("c") }},
		{"CURRENT is replaced", func() { s.switchTo("b") }},
		{"a file goes", func() { s.must(os.Remove(s.Path(s.make("c")))) }},
		{"the current file is written to", func() { s.must(os.Truncate(s.Path(s.make("b")), 10)) }},
		{"CURRENT is overwritten in place", func() { s.must(os.WriteFile(s.Path("CURRENT"), []byte("x"), 0o644)) }},
	}
	for _, step := range steps {
		step.do()
		if !s.changed() {
			t.Errorf("%s: not detected", step.what)
		}
		_ = s.Load(t.Context()) // the result is verified in TestLoad
	}
}

// The current file may be removed while its mapping exists; this is also detected once.
func TestAChangedCurrentFileIsLoadedOnlyOnce(t *testing.T) {
	tests := []struct {
		rule string
		do   func(s *shelf, name string) // changes the current file
	}{
		{"it is removed, and CURRENT names it", func(s *shelf, name string) { s.must(os.Remove(s.Path(name))) }},
		{"it is removed, and CURRENT too", func(s *shelf, name string) {
			s.must(errors.Join(os.Remove(s.Path(name)), os.Remove(s.Path("CURRENT"))))
		}},
		{"it is removed, and CURRENT names a damaged one", func(s *shelf, name string) {
			s.must(os.Remove(s.Path(name)))
			s.damage(s.switchTo("b"))
		}},
		{"a damaged one has its name", func(s *shelf, name string) {
			s.must(os.Rename(s.Path(name), s.Path("aside"))) // the two files must not have the same inode
			s.damage(s.make("a"))
		}},
		{"another has its name, and CURRENT is removed", func(s *shelf, name string) {
			s.must(os.Rename(s.Path(name), s.Path("aside")))
			s.make("a")
			s.must(os.Remove(s.Path("CURRENT")))
		}},
		{"it is damaged, without a replacement", func(s *shelf, name string) { s.damage(name) }},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			s := newShelf(t)
			name := s.switchTo("a")
			s.must(s.Load(t.Context()))
			tt.do(s, name)
			if !s.changed() {
				t.Fatal("not detected")
			}
			_ = s.Load(t.Context()) // the result is verified in TestLoad
			if s.changed() {
				t.Error("changed again without a change")
			}
		})
	}
}
