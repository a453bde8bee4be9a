package fleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sabine/indexes/snapshot"
)

// A memStore is a store in memory. Tests can replace its responses with faulty ones.
type memStore struct {
	address string // "" means mem://store
	mu      sync.Mutex
	objects map[string][]byte
	age     time.Duration // age that Names reports for every object
	opened  map[string]int
	spoil   map[string]spoiler // spoilers by object name; the name "" applies to all other objects
	lost    bool               // whether the next Swap succeeds but its response is lost
}

// A spoiler returns a faulty response instead of the requested bytes.
type spoiler func(ctx context.Context, b []byte) (io.Reader, error)

func newMemStore() *memStore {
	return &memStore{objects: map[string][]byte{}, opened: map[string]int{}, spoil: map[string]spoiler{}}
}

func (s *memStore) String() string { return cmp.Or(s.address, "mem://store") }

func (s *memStore) Open(ctx context.Context, name string, r ReadOptions) (*Object, error) {
	s.mu.Lock()
	s.opened[name]++
	spoil, ok := s.spoil[name]
	if !ok {
		spoil = s.spoil[""]
	}
	whole, ok := s.objects[name]
	s.mu.Unlock()
	b := whole[min(r.At, int64(len(whole))):]
	switch {
	case spoil != nil:
		body, err := spoil(ctx, b)
		return &Object{io.NopCloser(body), ""}, err
	case !ok:
		return nil, ErrNotFound
	case r.Tag == tagOf(whole):
		return nil, ErrUnchanged
	}
	return &Object{io.NopCloser(bytes.NewReader(b)), tagOf(whole)}, nil
}

func (s *memStore) Probe(context.Context) error { return nil }

func (s *memStore) Size(_ context.Context, name string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.objects[name]
	if !ok {
		return 0, ErrNotFound
	}
	return int64(len(b)), nil
}

func (s *memStore) Put(_ context.Context, name string, file *os.File, size int64, _ func(int)) error {
	b, err := io.ReadAll(io.NewSectionReader(file, 0, size))
	s.set(name, b)
	return err
}

func (s *memStore) Swap(_ context.Context, name string, b []byte, tag string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, ok := s.objects[name]
	if ok != (tag != "") || ok && tagOf(now) != tag {
		return "", ErrChanged
	}
	s.objects[name] = b
	if s.lost {
		return "", errors.New("connection reset by peer")
	}
	return tagOf(b), nil
}

func (s *memStore) Names(context.Context) (names []Named, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.objects {
		names = append(names, Named{name, s.age})
	}
	return names, nil
}

func (s *memStore) Remove(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, name)
	return nil
}

func (s *memStore) set(name string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[name] = b
}

// names returns the sorted names of all objects.
func (s *memStore) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects))
}

// spoiled sets the fault in responses for the named object. A nil spoiler removes the fault.
func (s *memStore) spoiled(name string, by spoiler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.spoil, name)
	if by != nil {
		s.spoil[name] = by
	}
}

// mended removes all faults and returns them.
func (s *memStore) mended() (before map[string]spoiler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.spoil = s.spoil, map[string]spoiler{}
	return before
}

func (s *memStore) openedTimes(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened[name]
}

// The following spoilers are the faults that a response can have.

func down(context.Context, []byte) (io.Reader, error) { return nil, errors.New("connection refused") }

func vanished(context.Context, []byte) (io.Reader, error) { return nil, ErrNotFound }

// silent returns a response that never begins.
func silent(ctx context.Context, _ []byte) (io.Reader, error) { return nil, stalled(ctx) }

// stalled waits like a Source whose server is silent, and returns the error with which the Source gives up.
func stalled(ctx context.Context) error {
	pause(ctx, stallTimeout)
	return cmp.Or(ctx.Err(), errors.New("no data received for 30s"))
}

func wrong(_ context.Context, b []byte) (io.Reader, error) {
	b = bytes.Clone(b)
	if len(b) > 0 {
		b[len(b)/2] ^= 1
	}
	return bytes.NewReader(b), nil
}

// ended returns a response that ends halfway as if it were complete.
func ended() spoiler {
	whole := 0
	return func(_ context.Context, b []byte) (io.Reader, error) {
		whole = max(whole, len(b))
		return bytes.NewReader(b[:max(len(b)-whole/2, 0)]), nil
	}
}

// refusing returns a spoiler that is like by, but fails if the requested range begins after the end.
func refusing(by spoiler) spoiler {
	return func(ctx context.Context, b []byte) (io.Reader, error) {
		body, err := by(ctx, b)
		if left, ok := body.(*bytes.Reader); ok && left.Len() == 0 {
			return nil, errPastEnd
		}
		return body, err
	}
}

// cut returns a response that fails halfway.
func cut(_ context.Context, b []byte) (io.Reader, error) {
	return io.MultiReader(bytes.NewReader(b[:(len(b)+1)/2]), failing(func() error { return io.ErrUnexpectedEOF })), nil
}

// stalling returns a response that stalls halfway.
func stalling(ctx context.Context, b []byte) (io.Reader, error) {
	return io.MultiReader(bytes.NewReader(b[:len(b)/2]), failing(func() error { return stalled(ctx) })), nil
}

// dripping returns a response that sends only a few bytes at a time.
func dripping(_ context.Context, b []byte) (io.Reader, error) { return &drip{b}, nil }

// garbage returns a spoiler that replaces the response with text.
func garbage(text string) spoiler {
	return func(context.Context, []byte) (io.Reader, error) { return bytes.NewReader([]byte(text)), nil }
}

type failing func() error

func (f failing) Read([]byte) (int, error) { return 0, f() }

type drip struct{ b []byte }

func (d *drip) Read(p []byte) (int, error) {
	time.Sleep(time.Second)
	n := copy(p[:min(50, len(p))], d.b)
	d.b = d.b[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// built writes a snapshot with a report into a folder and makes the snapshot current.
func built(t testing.TB, folder snapshot.Folder, content string) (hash string) {
	t.Helper()
	unlock, err := folder.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	w, err := snapshot.Create(folder.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	section, err := w.Section(1, 8)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(section, content)
	info, committed := w.Commit()
	name := filepath.Base(info.Path)
	if err := errors.Join(err, committed, os.WriteFile(folder.Path(snapshot.ReportOf(name)), []byte("report of "+content),
		0o644), folder.Switch(name)); err != nil {
		t.Fatal(err)
	}
	return info.Hash
}

// A world consists of a store, a folder from which to publish, and a mirror of the store.
type world struct {
	t      *testing.T
	store  *memStore
	from   snapshot.Folder
	mirror *Mirror
	log    bytes.Buffer

	patched bool // whether publish retains the previous generation, so that it makes a patch
}

// inWorld runs a test with a new world and a fake clock.
func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, store: newMemStore(), from: snapshot.Folder{Dir: t.TempDir()}}
		w.mirror = &Mirror{Follower: Follower{Source: w.store},
			Folder: snapshot.Folder{Dir: filepath.Join(t.TempDir(), "cache")}}
		w.mirror.Log = slog.New(slog.NewTextHandler(&w.log, nil))
		test(t, w)
	})
}

// run runs the mirror until stop is called or the test ends.
func (w *world) run() (stop func()) {
	ctx, cancel := context.WithCancel(w.t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.mirror.Run(ctx) })
	stop = func() { cancel(); running.Wait() }
	w.t.Cleanup(stop)
	synctest.Wait()
	return stop
}

// polls waits until the mirror has polled the store n times.
func (w *world) polls(n int) {
	time.Sleep(time.Duration(n) * DefaultPoll)
	synctest.Wait()
}

// publish publishes a generation that has the given content.
func (w *world) publish(content string) *Move {
	w.t.Helper()
	if !w.patched {
		w.from.Dir = w.t.TempDir()
	}
	built(w.t, w.from, content)
	m, err := (&Publisher{Store: w.store}).Publish(w.t.Context(), w.from)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// current returns the hash of the folder's current snapshot, or "". It verifies the content of the snapshot.
func (w *world) current() string {
	w.t.Helper()
	name, err := w.mirror.Folder.Current()
	if errors.Is(err, snapshot.ErrNoCurrent) {
		return ""
	}
	if err != nil {
		w.t.Fatal(err)
	}
	f, err := snapshot.Open(w.mirror.Folder.Path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if err := f.VerifyHash(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return f.Hash()
}
