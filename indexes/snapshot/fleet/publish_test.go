package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aead.dev/minisign"

	"sabine/indexes/snapshot"
)

// fileStoreOf returns a store in a new temporary folder.
func fileStoreOf(t *testing.T) Store {
	t.Helper()
	store, err := OpenStore("file://"+filepath.Join(t.TempDir(), "store"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// stores are the kinds of stores with which publishing is tested.
var stores = map[string]func(t *testing.T) Store{
	"memory": func(*testing.T) Store { return newMemStore() },
	"file":   fileStoreOf,
}

func newSigner(t *testing.T) (*Signer, minisign.PublicKey) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Signer{private}, public
}

// publishTo publishes a generation that has the given content.
func publishTo(t *testing.T, p *Publisher, content string) *Move {
	t.Helper()
	from := snapshot.Folder{Dir: t.TempDir()}
	built(t, from, content)
	m, err := p.Publish(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// listed returns the hashes of all generations in the pointer of a store.
func listed(t *testing.T, store Store) (hashes []string) {
	t.Helper()
	pointer, _, err := ReadPointer(t.Context(), store, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range pointer.Generations {
		hashes = append(hashes, g.Hash)
	}
	return hashes
}

func TestPublishAndRollback(t *testing.T) {
	t.Parallel()
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			p := &Publisher{Store: open(t), Keep: 2}
			a := publishTo(t, p, "a")
			if a.Previous != nil || a.AlreadyCurrent || a.Uploaded != a.Bytes || a.Report != tagOf([]byte("report of a")) {
				t.Errorf("the first: %+v", a)
			}
			if again := publishTo(t, p, "a"); !again.AlreadyCurrent || again.Uploaded != 0 ||
				!again.Published.Equal(a.Published) {
				t.Errorf("the same again: %+v", again)
			}
			b := publishTo(t, p, "b")
			if b.Previous.Hash != a.Hash || !b.Published.After(a.Published) {
				t.Errorf("the second: %+v", b)
			}
			back := func(target, want string) *Move {
				t.Helper()
				m, err := p.Rollback(t.Context(), target)
				if err != nil || m.Hash != want {
					t.Fatalf("rollback to %s: got %+v, %v; want %s", target, m, err, want)
				}
				return m
			}
			if m := back(Previous, a.Hash); m.AlreadyCurrent || !m.Published.After(b.Published) || m.Previous.Hash != b.Hash {
				t.Errorf("rollback to the previous one: %+v", m)
			}
			back(Previous, b.Hash)
			back(a.Hash[:8], a.Hash)
			if m := back(a.Hash, a.Hash); !m.AlreadyCurrent {
				t.Errorf("rollback to the current snapshot: got %+v", m)
			}
			c := publishTo(t, p, "c")
			if got := listed(t, p.Store); !slices.Equal(got, []string{c.Hash, a.Hash}) || len(c.Removed) != 2 ||
				c.CleanupErr != nil {
				t.Errorf("listed are %v, removed %v, %v", got, c.Removed, c.CleanupErr)
			}
			if _, err := p.Rollback(t.Context(), b.Hash); !errors.Is(err, ErrNoGeneration) {
				t.Errorf("rollback to a removed one: %v", err)
			}
			if err := p.Store.Remove(t.Context(), a.snapshotName()); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Rollback(t.Context(), a.Hash); !errors.Is(err, ErrNotFound) {
				t.Errorf("rollback to a missing one: %v", err)
			}
			if m := publishTo(t, p, "a"); m.Uploaded != a.Bytes {
				t.Errorf("a missing file is uploaded again: %+v", m)
			}
		})
	}
}

func TestPublishersNeverOverwriteEachOther(t *testing.T) {
	t.Parallel()
	const publishers = 6
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			store := open(t)
			var done sync.WaitGroup
			for i := range publishers {
				from := snapshot.Folder{Dir: t.TempDir()}
				built(t, from, fmt.Sprint("of publisher ", i))
				done.Go(func() {
					for {
						switch _, err := (&Publisher{Store: store, Keep: publishers}).Publish(t.Context(), from); {
						case err == nil:
							return
						case !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "has been current since") ||
							!strings.Contains(err.Error(), "nothing was changed"):
							t.Error(err)
							return
						}
					}
				})
			}
			done.Wait()
			pointer, _, err := ReadPointer(t.Context(), store, "")
			if err != nil || len(pointer.Generations) != publishers {
				t.Fatalf("after %d publishers, the pointer is %+v, %v", publishers, pointer, err)
			}
			for i, g := range pointer.Generations[1:] {
				if !pointer.Generations[i].Published.After(g.Published) {
					t.Errorf("the times of moves do not increase: %+v", pointer)
				}
			}
		})
	}
}

// A clearingStore loses objects before the pointer lists them, as if a publisher's clock were days ahead.
type clearingStore struct{ *memStore }

func (s clearingStore) Swap(ctx context.Context, name string, b []byte, tag string) (string, error) {
	for object := range s.objects {
		if object != name {
			_ = s.Remove(ctx, object) // Remove of a memStore never fails
		}
	}
	return s.memStore.Swap(ctx, name, b, tag)
}

func TestTheCurrentGenerationIsInTheStore(t *testing.T) {
	t.Parallel()
	store := clearingStore{newMemStore()}
	m := publishTo(t, &Publisher{Store: store}, "felt")
	if size, err := store.Size(t.Context(), m.snapshotName()); err != nil || size != m.Bytes || m.Uploaded != 2*m.Bytes {
		t.Errorf("%d bytes, %v; the move is %+v", size, err, m)
	}
}

func TestALostResponse(t *testing.T) {
	t.Parallel()
	store := newMemStore()
	store.lost = true
	if m := publishTo(t, &Publisher{Store: store}, "felt"); m.AlreadyCurrent || listed(t, store)[0] != m.Hash {
		t.Errorf("the store has replaced the pointer, but returned an error: %+v", m)
	}
}

func TestTheTimesOfMovesIncrease(t *testing.T) {
	t.Parallel()
	store, ahead := newMemStore(), generationOf(snapshot.FormatMajor, 1)
	ahead.Published = time.Now().UTC().Add(24 * time.Hour).Truncate(time.Millisecond) // by another publisher's clock
	store.set(pointerName, []byte(pointerOf(t, ahead)))
	behind := publishTo(t, &Publisher{Store: store}, "c")
	if !behind.Published.Equal(ahead.Published.Add(time.Millisecond)) {
		t.Errorf("with a clock that is a day ahead %v, then %v", ahead.Published, behind.Published)
	}
}

func TestAStoreWithTwoFormats(t *testing.T) {
	t.Parallel()
	store := newMemStore()
	older, newer := generationOf(snapshot.FormatMajor-1, 1), generationOf(snapshot.FormatMajor+1, 2)
	for _, g := range []Generation{older, newer} {
		store.set(g.snapshotName(), []byte("x"))
	}
	store.set(pointerName, []byte(pointerOf(t, newer, older)))
	store.age = 2 * orphanAge
	p := &Publisher{Store: store, Keep: 1}
	publishTo(t, p, "a")
	b := publishTo(t, p, "b")
	if got := listed(t, store); !slices.Equal(got, []string{b.Hash, newer.Hash, older.Hash}) ||
		b.NewerFormat != newer.Format ||
		b.Previous == nil {
		t.Errorf("listed are %v after %+v", got, b)
	}
	for _, g := range []Generation{older, newer} {
		if _, err := store.Size(t.Context(), g.snapshotName()); err != nil {
			t.Errorf("format %d: %v", g.Format, err)
		}
		if _, err := p.Rollback(t.Context(), g.Hash); !errors.Is(err, ErrNoGeneration) {
			t.Errorf("a rollback to format %d: %v", g.Format, err)
		}
	}
}

func TestOrphansAreRemoved(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("ab", 32)
	orphans := []string{"." + hash + ".snapshot1234", probePrefix + "ABC", hash + ".from-" + hash + ".patch",
		hash + ".report.json", hash + ".snapshot"}
	others := []string{hash, "README", "ab.snapshot", hash + ".snapshot.old", hash + ".from-ab.patch"}
	for _, old := range []bool{false, true} {
		store := newMemStore()
		for _, name := range append(orphans, others...) {
			store.set(name, nil)
		}
		if old {
			store.age = orphanAge + time.Second
		}
		m := publishTo(t, &Publisher{Store: store}, "felt")
		var want []string
		if old {
			want = orphans
		}
		slices.Sort(m.Removed)
		if !slices.Equal(m.Removed, want) {
			t.Errorf("old: %t, removed %v, want %v", old, m.Removed, want)
		}
	}
}

func TestPublishErrors(t *testing.T) {
	t.Parallel()
	signer, _ := newSigner(t)
	for _, tt := range []struct {
		rule    string
		prepare func(p *Publisher, from snapshot.Folder, name string) error
		want    string
	}{
		{"a folder without CURRENT", func(_ *Publisher, f snapshot.Folder, _ string) error {
			return os.Remove(f.Path("CURRENT"))
		}, "no current snapshot"},
		{"a damaged snapshot", func(_ *Publisher, f snapshot.Folder, name string) error {
			b, err := os.ReadFile(f.Path(name))
			b[len(b)-1] ^= 1
			return errors.Join(err, os.Chmod(f.Path(name), 0o644), os.WriteFile(f.Path(name), b, 0o644))
		}, "SHA-256"},
		{"an unsigned generation after a signed one", func(p *Publisher, _ snapshot.Folder, _ string) error {
			publishTo(t, &Publisher{Store: p.Store, Signer: signer}, "signed")
			return nil
		}, ErrSigned.Error()},
		{"an unsigned generation after one with only the newer signature", func(p *Publisher, _ snapshot.Folder, _ string) error {
			g := publishTo(t, &Publisher{Store: p.Store, Signer: signer}, "signed").Generation
			g.Signature = ""
			p.Store.(*memStore).set(pointerName, []byte(pointerOf(t, g)))
			return nil
		}, ErrSigned.Error()},
		{"an invalid pointer", func(p *Publisher, _ snapshot.Folder, _ string) error {
			_, err := p.Store.Swap(t.Context(), pointerName, []byte(strings.Repeat("ab", 32)+".snapshot\n"), "")
			return err
		}, "not a list of generations"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			p, from := &Publisher{Store: newMemStore()}, snapshot.Folder{Dir: t.TempDir()}
			hash := built(t, from, "felt")
			if err := tt.prepare(p, from, snapshot.FileName(hash)); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Publish(t.Context(), from); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if _, err := p.Store.Size(t.Context(), snapshot.FileName(hash)); !errors.Is(err, ErrNotFound) {
				t.Errorf("it was uploaded: %v", err)
			}
		})
	}
}

func TestPublishReportsARefusedBuild(t *testing.T) {
	t.Parallel()
	from := snapshot.Folder{Dir: t.TempDir()}
	hash := built(t, from, "felt")
	aside := strings.Repeat("ab", 32) + ".refused"
	later := time.Now().Add(time.Minute)
	for _, name := range []string{aside, snapshot.ReportOf(aside)} {
		if err := errors.Join(os.WriteFile(from.Path(name), nil, 0o644), os.Chtimes(from.Path(name), later,
			later)); err != nil {
			t.Fatal(err)
		}
	}
	m, err := (&Publisher{Store: newMemStore()}).Publish(t.Context(), from)
	if err != nil || m.RefusedBuild != aside || m.Hash != hash {
		t.Errorf("got %+v, %v", m, err)
	}
	if err := os.Chtimes(from.Path("CURRENT"), later.Add(time.Hour), later.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if name, err := from.Refused(); name != "" || err != nil {
		t.Errorf("a snapshot that was accepted later is still refused: %s, %v", name, err)
	}
}

func TestTooManyGenerationsForAPointer(t *testing.T) {
	t.Parallel()
	p := &Pointer{Version: pointerVersion, Generations: make([]Generation, maxPointerSize/100)}
	if _, err := p.encode(); err == nil || !strings.Contains(err.Error(), "retain fewer") {
		t.Errorf("got %v", err)
	}
}
