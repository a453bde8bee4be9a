package keys

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheLastUsesOfKeysAreSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	secret, k := create(t, path, "acme", []string{ScopeRead}, nil)
	paused, p := create(t, path, "acme", []string{ScopeRead}, nil)
	must(t, Update(path, func(f *File) error { return f.SetStatus(p.ID, Paused) }))
	one, two := openStore(t, path), openStore(t, path) // two servers that share the file
	lastUse := func(what string, want time.Time) {
		t.Helper()
		got, err := LastUses(path)
		if err != nil || !got[k.ID].Equal(want) {
			t.Errorf("%s: got %v, %v, want %v", what, got[k.ID], err, want)
		}
		if _, ok := got[p.ID]; ok {
			t.Errorf("%s: a refused key has a last use, %v", what, got[p.ID])
		}
	}
	use := func(s *Store, at time.Time) {
		_, _ = s.Authorize("Bearer "+secret, at)
		_, _ = s.Authorize("Bearer "+paused, at)
		must(t, s.saveUses())
	}
	must(t, one.saveUses())
	lastUse("a key without requests", time.Time{})
	use(one, noon.Add(30*time.Second))
	lastUse("to the minute", noon)
	use(two, noon.Add(-time.Hour))
	lastUse("an earlier use on another server", noon)
	use(two, noon.Add(time.Hour))
	lastUse("a later use on another server", noon.Add(time.Hour))
	use(one, noon.Add(-time.Hour))
	lastUse("the clock was set back", noon.Add(time.Hour))
	must(t, os.WriteFile(path+usesSuffix, []byte("{"), 0o600))
	use(one, noon)
	lastUse("a damaged file is overwritten", noon)
	use(two, noon)
	lastUse("the server with the later use restores it", noon.Add(time.Hour))
}

// A stalledLog blocks when a warning is logged, until it is released.
type stalledLog struct {
	slog.Handler
	release chan struct{}
}

func (l stalledLog) Enabled(_ context.Context, level slog.Level) bool { return level == slog.LevelWarn }

func (l stalledLog) Handle(context.Context, slog.Record) error {
	<-l.release
	return nil
}

func TestAKeyIsRevokedWhileUsesAreSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "keys.json")
		secret, k := create(t, path, "acme", []string{ScopeRead}, nil)
		must(t, os.Mkdir(path+usesSuffix, 0o700)) // saving now fails with a warning
		log := stalledLog{slog.DiscardHandler, make(chan struct{})}
		s, err := OpenStore(path, slog.New(log))
		must(t, err)
		if _, err := s.Authorize("Bearer "+secret, noon); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		var watching sync.WaitGroup
		watching.Go(func() { s.Watch(ctx) })
		time.Sleep(time.Minute) // on the fake clock; uses are saved every few seconds
		synctest.Wait()
		must(t, Update(path, func(f *File) error { return f.SetStatus(k.ID, Revoked) }))
		time.Sleep(time.Second)
		synctest.Wait()
		if _, err := s.Authorize("Bearer "+secret, noon); !errors.Is(err, ErrRevoked) {
			t.Errorf("got %v, want %v", err, ErrRevoked)
		}
		close(log.release)
		stop()
		watching.Wait()
	})
}

func TestUsesSurviveAReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	secret, k := create(t, path, "acme", []string{ScopeRead}, nil)
	s := openStore(t, path)
	_, _ = s.Authorize("Bearer "+secret, noon)
	create(t, path, "other", []string{ScopeRead}, nil)
	s.poll()
	_, _ = s.Authorize("Bearer "+secret, noon)
	got := map[string]int64{}
	s.EachKey(func(c *Caller, requests int64) { got[c.Account+" "+c.Key] = requests })
	if len(got) != 2 || got["acme "+k.ID] != 2 {
		t.Errorf("got %v, want 2 requests of %s", got, k.ID)
	}
}

func TestAuthorizeAllocatesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	secret, _ := create(t, path, "acme", []string{ScopeRead}, nil)
	s, header := openStore(t, path), "Bearer "+secret
	if n := testing.AllocsPerRun(100, func() {
		if _, err := s.Authorize(header, noon); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("got %v allocations", n)
	}
}
