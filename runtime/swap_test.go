package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sabine/indexes"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// numbered returns a catalogue of n products with n in their labels.
func numbered(n int) *catalogue {
	c := new(catalogue)
	for i := range n {
		c.products = append(c.products, product{label: fmt.Sprintf("Segel %d of %d", i, n), category: "textil"})
	}
	return c
}

// Searches run while snapshots are switched. Each result must be from one generation. Run with -race.
func TestSearchesWhileSnapshotsSwitch(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	var names []string
	for _, n := range []int{3, 40, 700} {
		names = append(names, filepath.Base(numbered(n).write(t, folder.Dir)))
	}
	current := runtime.NewCurrent(folder, nil)
	load := func(name string) {
		t.Helper()
		if err := folder.Switch(name); err != nil {
			t.Fatal(err)
		}
		if err := current.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := current.State(); s.Status != runtime.StatusReady || s.Name != name {
			t.Fatalf("state %+v, want %s as the current file", s, name)
		}
	}
	load(names[0])

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var requests, begun sync.WaitGroup
	for range 4 {
		begun.Add(1)
		requests.Go(func() {
			first := sync.OnceFunc(begun.Done)
			defer first()
			for ctx.Err() == nil {
				if err := request(current); err != nil {
					t.Error(err)
					return
				}
				first()
			}
		})
	}
	begun.Wait()
	for i := range 24 {
		load(names[(i+1)%len(names)])
	}
	stop()
	requests.Wait()
	if err := current.Close(); err != nil {
		t.Error(err)
	}
}

// request searches the current generation for the products with the generation's label, and compares their
// number with the size of the generation.
func request(current *runtime.Current) error {
	g := current.Acquire()
	defer g.Release()
	r := g.Search(&runtime.Query{Text: fmt.Sprintf("segel of %d", g.Products()), Limit: 10, Page: 2, Facets: true})
	if r.Total != g.Products() {
		return fmt.Errorf("%d of %d products found", r.Total, g.Products())
	}
	if c := r.Facets.Categories; len(c) != 1 || c[0].Value != "textil" || c[0].Count != g.Products() {
		return fmt.Errorf("facets %+v of %d products", c, g.Products())
	}
	for i := range r.Docs {
		if b := g.AppendPublics(nil, &runtime.Result{Docs: r.Docs[i : i+1]}, runtime.German); !bytes.Contains(b,
			fmt.Appendf(nil, " of %d\"", g.Products())) {
			return fmt.Errorf("%s from a generation of %d products", b, g.Products())
		}
	}
	return nil
}

// rewrite writes a snapshot with the sections that change returns, omitting nil sections. The checksums are
// correct, but the content is not.
func rewrite(t testing.TB, path string, change func(kind snapshot.Kind, b []byte) []byte) string {
	t.Helper()
	f, err := snapshot.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, s := range f.Sections() {
		b, _ := f.Section(s.Kind)
		b = change(s.Kind, bytes.Clone(b))
		if b == nil {
			continue
		}
		section, err := w.Section(s.Kind, 32)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := section.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return info.Path
}

func TestOpenNamesTheSectionThatIsMissing(t *testing.T) {
	path := numbered(5).write(t, t.TempDir())
	f, err := snapshot.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for _, s := range f.Sections() {
		damaged := rewrite(t, path, func(kind snapshot.Kind, b []byte) []byte {
			if kind == s.Kind {
				return nil
			}
			return b
		})
		g, err := runtime.Open(t.Context(), damaged)
		var corrupt *snapshot.CorruptError
		if !errors.As(err, &corrupt) || corrupt.Section != s.Kind {
			t.Errorf("without section %d: %v, %v", s.Kind, g, err)
		}
	}
}

// A section from a faulty build, with a correct checksum, is refused or yields some result, but never ends
// the process.
func TestOpenOfSectionsWithoutSense(t *testing.T) {
	path := numbered(300).write(t, t.TempDir())
	f, err := snapshot.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	damages := map[string]func(b []byte) []byte{
		"empty":     func([]byte) []byte { return []byte{} },
		"cut":       func(b []byte) []byte { return b[:len(b)/2] },
		"all ones":  func(b []byte) []byte { return bytes.Repeat([]byte{0xFF}, len(b)) },
		"all zeros": func(b []byte) []byte { return make([]byte, len(b)) },
		"backwards": func(b []byte) []byte {
			for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
				b[i], b[j] = b[j], b[i]
			}
			return b
		},
	}
	for _, s := range f.Sections() {
		for what, damage := range damages {
			damaged := rewrite(t, path, func(kind snapshot.Kind, b []byte) []byte {
				if kind == s.Kind {
					return damage(b)
				}
				return b
			})
			g, err := runtime.Open(t.Context(), damaged)
			if err != nil {
				continue
			}
			for _, text := range []string{"", "segel", "segel 1", "sgel", "textil", "xyz"} {
				for _, d := range g.Search(&runtime.Query{Text: text, Limit: 50, Facets: true}).Docs {
					g.AppendDetail(nil, d, true)
				}
			}
			g.Lookup("00000000-0000-4000-8000-000000000001")
			if err := g.Close(); err != nil {
				t.Errorf("section %d %s: %v", s.Kind, what, err)
			}
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	good := numbered(2).write(t, t.TempDir())
	if _, err := runtime.Open(t.Context(), good+".gone"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	miscounted := rewrite(t, good, func(kind snapshot.Kind, b []byte) []byte {
		if kind == indexes.KindMeta {
			return bytes.Replace(b, []byte(`"products":2`), []byte(`"products":3`), 1)
		}
		return b
	})
	if _, err := runtime.Open(t.Context(), miscounted); err == nil {
		t.Error("a snapshot without its number of products was opened")
	}
	f, err := snapshot.Open(good)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	damaged := filepath.Join(t.TempDir(), filepath.Base(good))
	for _, s := range f.Sections() {
		b, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		if s.Length == 0 {
			continue
		}
		b[s.Offset+s.Length-1] ^= 1
		if err := os.WriteFile(damaged, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = runtime.Open(t.Context(), damaged)
		if corrupt, is := errors.AsType[*snapshot.CorruptError](err); !is || corrupt.Section != s.Kind ||
			!strings.Contains(corrupt.Want, "checksum") {
			t.Errorf("a flipped bit in section %s: %v", s.Kind, err)
		}
	}
}
