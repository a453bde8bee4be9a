package runtime

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"sabine/indexes/snapshot"
)

// pastText returns the text of the generation whose hash begins with digits.
func (s *shelf) pastText(digits string) (string, error) {
	now := s.Acquire()
	defer now.Release()
	g, err := s.AcquireOlder(s.t.Context(), now, digits)
	if err != nil {
		return "", err
	}
	defer g.Release()
	b, _ := g.file.Section(testKind)
	return string(b), nil
}

// countOpens counts how often files are opened.
func (s *shelf) countOpens() *atomic.Int32 {
	opens := new(atomic.Int32)
	s.open = func(ctx context.Context, path string) (*Generation, error) {
		opens.Add(1)
		return openContainer(ctx, path)
	}
	return opens
}

func hashOf(name string) string { return strings.TrimSuffix(name, ".snapshot") }

func TestAcquireOlder(t *testing.T) {
	tests := []struct {
		rule   string
		do     func(s *shelf, old string) (digits string) // old is the older of two; the newer is current
		want   string
		faults []error // expected error
		opens  int32   // number of files opened for two requests, excluding the current one
	}{
		{rule: "by its whole hash", do: func(_ *shelf, old string) string { return hashOf(old) }, want: "old", opens: 1},
		{rule: "by the first digits of its hash", do: func(_ *shelf, old string) string {
			return old[:16]
		}, want: "old", opens: 1},
		{rule: "the current one is already open", do: func(s *shelf, _ string) string {
			return s.State().Hash
		}, want: "new"},
		{rule: "the current one, after its file was removed", do: func(s *shelf, _ string) string {
			s.must(os.Remove(s.Path(s.State().Name)))
			return s.State().Hash[:16]
		}, want: "new"},
		{rule: "one that was never current", do: func(s *shelf, _ string) string {
			return hashOf(s.make("other"))
		}, want: "other", opens: 1},
		{rule: "one that never existed", do: func(*shelf, string) string {
			return strings.Repeat("0", 64)
		}, faults: []error{ErrGone}},
		{rule: "no hash with this prefix", do: func(*shelf, string) string {
			return strings.Repeat("0", 16)
		}, faults: []error{ErrGone}},
		{rule: "a pruned one", do: func(s *shelf, old string) string {
			s.must(os.Remove(s.Path(old)))
			return hashOf(old)
		}, faults: []error{ErrGone}},
		{rule: "a pruned one that was opened before", do: func(s *shelf, old string) string {
			_, err := s.pastText(hashOf(old))
			s.must(err)
			s.must(os.Remove(s.Path(old)))
			return hashOf(old)
		}, faults: []error{ErrGone}, opens: 1},
		{rule: "no folder at all", do: func(s *shelf, old string) string {
			s.must(os.RemoveAll(s.Dir))
			return hashOf(old)
		}, faults: []error{ErrGone}},
		{rule: "a refused file that was set aside is not a generation", do: func(s *shelf, old string) string {
			s.must(os.Rename(s.Path(old), s.Path(hashOf(old)+".refused")))
			return hashOf(old)
		}, faults: []error{ErrGone}},
		{rule: "a FIFO is none", do: func(s *shelf, old string) string {
			s.must(os.Remove(s.Path(old)))
			s.must(unix.Mkfifo(s.Path(old), 0o644))
			return hashOf(old)
		}, faults: []error{ErrGone}},
		{rule: "a damaged one is read once", do: func(s *shelf, old string) string {
			s.damage(old)
			return hashOf(old)
		}, faults: []error{ErrUnreadable, new(snapshot.CorruptError)}, opens: 1},
		{rule: "one that was damaged after it was opened", do: func(s *shelf, old string) string {
			_, err := s.pastText(hashOf(old))
			s.must(err)
			s.damage(old)
			return hashOf(old)
		}, faults: []error{ErrUnreadable, new(snapshot.CorruptError)}, opens: 2},
		{rule: "a damaged one that was repaired", do: func(s *shelf, old string) string {
			s.damage(old)
			_, _ = s.pastText(hashOf(old))
			s.make("old")
			return hashOf(old)
		}, want: "old", opens: 2},
		{rule: "one of another format", do: func(s *shelf, old string) string {
			b, err := os.ReadFile(s.Path(old))
			s.must(err)
			b[8]++
			s.must(os.WriteFile(s.Path(old), b, 0o644))
			return hashOf(old)
		}, faults: []error{ErrUnreadable, new(snapshot.VersionError)}, opens: 1},
		{rule: "one whose content does not match its name", do: func(s *shelf, old string) string {
			s.history.misnamed(old, stampOf(s.Path(old)), errors.New("misnamed"))
			return hashOf(old)
		}, faults: []error{ErrUnreadable}},
		{rule: "a prefix of several hashes", do: func(s *shelf, old string) string {
			b, err := os.ReadFile(s.Path(old))
			s.must(err)
			s.must(os.WriteFile(s.Path(old[:16]+strings.Repeat("0", 48)+".snapshot"), b, 0o644))
			return old[:16]
		}, faults: []error{ErrAmbiguous}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			s := newShelf(t)
			old := s.switchTo("old")
			s.must(s.Load(t.Context()))
			s.switchTo("new")
			s.must(s.Load(t.Context()))
			opens := s.countOpens()
			digits := tt.do(s, old)
			for range 2 {
				got, err := s.pastText(digits)
				if got != tt.want || (err == nil) != (tt.faults == nil) {
					t.Fatalf("got %q, %v; want %q", got, err, tt.want)
				}
				for _, fault := range tt.faults {
					if !isLike(err, fault) {
						t.Errorf("got %v, want %T %[2]v", err, fault)
					}
				}
			}
			if opens.Load() != tt.opens {
				t.Errorf("%d files were opened, want %d", opens.Load(), tt.opens)
			}
			if got := s.State(); got.Refused != 0 || s.suspect.Load() {
				t.Errorf("state %+v, suspect %t: an older generation must not affect the current one", got, s.suspect.Load())
			}
		})
	}
}

// isLike reports whether err is want or has its type.
func isLike(err, want error) bool {
	switch {
	case errors.As(want, new(*snapshot.CorruptError)):
		return errors.As(err, new(*snapshot.CorruptError))
	case errors.As(want, new(*snapshot.VersionError)):
		return errors.As(err, new(*snapshot.VersionError))
	}
	return errors.Is(err, want)
}

func TestRequestsShareAnOlderGeneration(t *testing.T) {
	s := newShelf(t)
	old := s.make("old")
	s.switchTo("new")
	s.must(s.Load(t.Context()))
	begun, goOn := make(chan struct{}), make(chan struct{})
	opens := 0
	s.open = func(ctx context.Context, path string) (*Generation, error) {
		opens++
		close(begun)
		<-goOn
		return openContainer(ctx, path)
	}
	now := s.Acquire()
	defer now.Release()
	ended, end := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := s.AcquireOlder(ended, now, hashOf(old))
		first <- err
	}()
	<-begun
	end()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the canceled request got %v", err)
	}
	var others sync.WaitGroup
	for range 8 {
		others.Go(func() {
			if got, err := s.pastText(hashOf(old)); got != "old" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	close(goOn) // other requests still wait for the file to be opened
	others.Wait()
	if n := s.mappings(); opens != 1 || n != 2 {
		t.Errorf("opened %d times, %d files are mapped; want one in addition to the current one", opens, n)
	}
}

func TestAFileThatIsFoundMisnamedWhileItIsOpened(t *testing.T) {
	s := newShelf(t)
	old := s.make("old")
	s.switchTo("new")
	s.must(s.Load(t.Context()))
	s.open = func(ctx context.Context, path string) (*Generation, error) {
		s.history.misnamed(old, stampOf(path), errors.New("misnamed"))
		return openContainer(ctx, path)
	}
	if got, err := s.pastText(hashOf(old)); !errors.Is(err, ErrUnreadable) || s.mappings() != 1 {
		t.Errorf("got %q, %v, %d files are mapped", got, err, s.mappings())
	}
}

// A system error, such as too little memory for the mapping, does not mean that the file is damaged.
func TestAnOlderGenerationIsRetriedAfterASystemFailure(t *testing.T) {
	s := newShelf(t)
	old := s.make("old")
	s.switchTo("new")
	s.must(s.Load(t.Context()))
	s.open = func(context.Context, string) (*Generation, error) { return nil, unix.ENOMEM }
	if _, err := s.pastText(hashOf(old)); !errors.Is(err, unix.ENOMEM) || errors.Is(err, ErrUnreadable) {
		t.Errorf("got %v, want the error of the system", err)
	}
	s.open = openContainer
	if got, err := s.pastText(hashOf(old)); got != "old" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestOlderGenerationsDoNotStayMapped(t *testing.T) {
	tests := []struct {
		rule string
		do   func(s *shelf, names []string) // names[len-1] is current; the others were requested in order
		want int                            // expected number of mappings
	}{
		{"a few stay", func(*shelf, []string) {}, maxOlder + 1},
		{"one that is pruned goes with the next load", func(s *shelf, names []string) {
			s.must(os.Remove(s.Path(names[len(names)-2])))
			s.must(s.Load(s.t.Context()))
		}, maxOlder},
		{"one that is replaced goes with the next load", func(s *shelf, names []string) {
			s.damage(names[len(names)-2])
			s.must(s.Load(s.t.Context()))
		}, maxOlder},
		{"one that becomes current is mapped once, and the previous one is unmapped", func(s *shelf, names []string) {
			s.must(s.Switch(names[len(names)-2]))
			s.must(s.Load(s.t.Context()))
		}, maxOlder},
		{"one that is in use stays mapped", func(s *shelf, names []string) {
			now := s.Acquire()
			g, err := s.AcquireOlder(s.t.Context(), now, hashOf(names[0]))
			s.must(err)
			s.must(os.Remove(s.Path(names[0])))
			s.must(s.Load(s.t.Context()))
			for _, name := range names[1:] {
				_, err := s.pastText(hashOf(name))
				s.must(err)
			}
			if b, _ := g.file.Section(testKind); string(b) != "text 0" || s.mappings() != maxOlder+2 {
				s.t.Errorf("the holder reads %q, %d files are mapped", b, s.mappings())
			}
			g.Release()
			now.Release()
		}, maxOlder + 1},
		{"none stays mapped after Close", func(s *shelf, names []string) {
			now := s.Acquire()
			s.must(s.Close())
			if _, err := s.AcquireOlder(s.t.Context(), now, hashOf(names[1])); !errors.Is(err, errClosed) {
				s.t.Errorf("after Close: %v", err)
			}
			now.Release()
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			s := newShelf(t)
			var names []string
			for i := range maxOlder + 3 {
				names = append(names, s.make("text "+string(rune('0'+i))))
			}
			names = append(names, s.switchTo("current"))
			s.must(s.Load(t.Context()))
			for _, name := range names {
				_, err := s.pastText(hashOf(name))
				s.must(err)
			}
			tt.do(s, names)
			if n := s.mappings(); n != tt.want {
				t.Errorf("%d files are mapped, want %d", n, tt.want)
			}
		})
	}
}

func TestReportDamage(t *testing.T) {
	s := newShelf(t)
	old := s.make("old")
	s.switchTo("new")
	s.must(s.Load(t.Context()))
	opens := s.countOpens()
	now := s.Acquire()
	defer now.Release()
	g, err := s.AcquireOlder(t.Context(), now, hashOf(old))
	s.must(err)
	s.ReportDamage(g, g.Damaged(7))
	g.Release()
	if _, err := s.pastText(hashOf(old)); !errors.Is(err, ErrUnreadable) || !errors.As(err, new(*DamagedBody)) {
		t.Errorf("an older one that was found damaged: %v", err)
	}
	if s.suspect.Load() || opens.Load() != 1 || s.mappings() != 1 {
		t.Errorf("suspect %t, opened %d times, %d files are mapped: want the current one unchanged", s.suspect.Load(),
			opens.Load(), s.mappings())
	}
	s.ReportDamage(now, now.Damaged(7))
	if !s.suspect.Load() {
		t.Error("the current one is not suspect")
	}
}

// While generations are switched, pruned and written again, each request for an older generation must return
// its bytes or ErrGone. Run with -race.
func TestOlderGenerationsWhileGenerationsSwitch(t *testing.T) {
	s := newShelf(t)
	texts := []string{strings.Repeat("wool", 3000), strings.Repeat("felt", 4000), strings.Repeat("foam", 2000),
		strings.Repeat("cork", 1000)}
	var hashes []string
	for _, text := range texts {
		hashes = append(hashes, hashOf(s.make(text)))
	}
	s.switchTo(texts[0])
	s.must(s.Load(t.Context()))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var readers, reads sync.WaitGroup
	for i := range 8 {
		reads.Add(1)
		readers.Go(func() {
			first := sync.OnceFunc(reads.Done)
			defer first()
			for n := i; ctx.Err() == nil; n++ {
				digits := hashes[n%len(hashes)][:16+48*(n%2)]
				got, err := s.pastText(digits)
				if err == nil && got != texts[n%len(texts)] || err != nil && !errors.Is(err, ErrGone) {
					t.Errorf("%s: %d bytes, %v", digits, len(got), err)
					return
				}
				first()
			}
		})
	}
	reads.Wait()
	switches := 60
	if testing.Short() {
		switches = 15
	}
	for i := range switches {
		s.switchTo(texts[i%len(texts)])
		s.must(s.Load(t.Context()))
		if i%3 == 0 {
			s.must(os.Remove(s.Path(snapshot.FileName(hashes[(i+2)%len(hashes)]))))
		}
	}
	stop()
	readers.Wait()
	s.must(s.Load(t.Context()))
	if n := s.mappings(); n > len(texts) {
		t.Errorf("%d files are mapped, want at most the files in the folder", n)
	}
}
