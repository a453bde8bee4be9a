package serve_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sabine/indexes"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

const panel = "akustikpaneel-fichte-40"

// overwriteBodies writes over every body of the snapshot in force, where it lies, at equal length and
// without a trace that the file system would show.
func (s *site) overwriteBodies(t *testing.T, change func(bodies []byte)) {
	t.Helper()
	name, err := s.folder.Current()
	if err != nil {
		t.Fatal(err)
	}
	path := s.folder.Path(name)
	f, err := snapshot.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	page, err := unix.Mmap(int(file.Fd()), 0, int(f.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(page) }()
	copy(page, bytes.Clone(page)) // the system notes the first write to a page alone
	if err := s.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, section := range f.Sections() {
		if section.Kind == indexes.KindBodies {
			change(page[section.Offset : section.Offset+section.Length])
		}
	}
}

// A body that was written over since the snapshot was verified is no answer: not as garbage, not as other valid JSON,
// not as a tag that matches. Whoever finds one has the file verified.
func TestABodyThatDoesNotFitIsAnError(t *testing.T) {
	for damage, change := range map[string]func([]byte){
		"zeros": func(bodies []byte) { clear(bodies) },
		"other digits, so that the JSON stays valid": func(bodies []byte) {
			for i, b := range bodies {
				if b >= '0' && b <= '8' {
					bodies[i]++
				}
			}
		},
	} {
		t.Run(damage, func(t *testing.T) {
			s := newSite(t, settings{folder: rebuilt(t)})
			good := s.get(t, "/v1/materials/"+panel)
			s.overwriteBodies(t, change)
			for _, path := range []string{
				"/v1/materials/" + panel, "/v1/materials/" + panel + "?include=geometry",
				"/v1/materials?ids=" + panel, "/v1/materials/search", "/v1/materials/search?include=acoustics",
				"/public/search", "/public/search?locale=en", "/public/compare-products?id=" + panel,
				"/public/reverberation?volume=180&surface=" + panel + ":1&surface=" + hard + ":200",
			} {
				for _, coding := range []string{"", "gzip", "zstd"} {
					got := s.get(t, path, "Accept-Encoding", coding, "If-None-Match", good.header.Get("Etag"))
					if got.status != 500 || !strings.Contains(got.body, `"internal_error"`) || got.header.Get("Etag") != "" {
						t.Errorf("%s in %q: got %d with the tag %q: %.200s", path, coding, got.status, got.header.Get("Etag"), got.body)
					}
				}
			}
			if err := s.current.Load(t.Context()); err == nil {
				t.Error("the load finds no damage")
			}
			if got := s.get(t, "/public/search"); got.status != 503 || s.current.State().Status != runtime.StatusWaiting {
				t.Errorf("once the damage is known: got %d, %+v", got.status, s.current.State())
			}
		})
	}
}

// A tag may be all that an answer depends on, and outlives it in caches.
func TestATagThatDoesNotFitIsAnError(t *testing.T) {
	s := newSite(t, settings{folder: rebuilt(t)})
	tag := s.get(t, "/v1/materials/"+panel).header.Get("Etag")
	s.overwriteBodies(t, func(bodies []byte) {
		at := bytes.Index(bodies, []byte(strings.Trim(tag, `"`)))
		if at < 0 {
			t.Fatalf("the tag %s is nowhere in the bodies", tag)
		}
		bodies[at] ^= 1
	})
	for _, condition := range []string{"", "*", tag} {
		got := s.get(t, "/v1/materials/"+panel, "If-None-Match", condition)
		if got.status != 500 || got.header.Get("Etag") != "" {
			t.Errorf("If-None-Match %s: got %d with the tag %q", condition, got.status, got.header.Get("Etag"))
		}
	}
}
