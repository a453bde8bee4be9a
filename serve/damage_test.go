package serve_test

import (
	"bytes"
	"encoding/binary"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
	"sabine/internal/sealed"
	"sabine/runtime"
)

const panel = "akustikpaneel-fichte-40"

// overwriteBodies overwrites all bodies in the current snapshot in place. It does not change their length or
// the times of the file.
func (s *site) overwriteBodies(t *testing.T, change func(bodies []byte)) {
	t.Helper()
	name, err := s.folder.Current()
	if err != nil {
		t.Fatal(err)
	}
	s.overwriteBodiesOf(t, name, change)
}

// overwriteBodiesOf is like overwriteBodies, for any snapshot in the folder.
func (s *site) overwriteBodiesOf(t *testing.T, name string, change func(bodies []byte)) {
	t.Helper()
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
	copy(page, bytes.Clone(page)) // first write to the page, because the system records only that write
	if err := s.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, section := range f.Sections() {
		if section.Kind == indexes.KindBodies {
			change(page[section.Offset : section.Offset+section.Length])
		}
	}
}

// A body that was overwritten after the snapshot was verified must not be sent, even if it is valid JSON or
// its tag matches. A request that finds such a body causes a check of the file.
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

// A response can consist only of a tag, which caches retain.
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

// Each stored form of a body has a separate checksum, which must match even if the tag is valid.
func TestAFormOfABodyThatDoesNotFitIsAnError(t *testing.T) {
	body := func(g *runtime.Generation, d column.Doc) []byte { return g.Detail(d).Body }
	gzip := func(g *runtime.Generation, d column.Doc) []byte { return g.Detail(d).Gzip }
	geometry := func(g *runtime.Generation, d column.Doc) []byte {
		_, object, _ := bytes.Cut(g.AppendDetail(nil, d, true), []byte(`,"geometry":`))
		return object[:len(object)-1]
	}
	for _, tt := range []struct {
		query   string
		codings []string
		bytes   func(g *runtime.Generation, d column.Doc) []byte
	}{
		{"", []string{"", "zstd"}, body},
		{"", []string{"gzip", "gzip, zstd"}, gzip},
		{"?include=geometry", []string{"", "gzip", "zstd"}, body},
		{"?include=geometry", []string{"", "gzip", "zstd"}, geometry},
	} {
		s := newSite(t, settings{folder: rebuilt(t)})
		g := s.current.Acquire()
		d, _ := g.Lookup(panel)
		form := bytes.Clone(tt.bytes(g, d))
		g.Release()
		s.overwriteBodies(t, func(bodies []byte) {
			at := bytes.Index(bodies, form)
			if at < 0 {
				t.Fatalf("%.100q is nowhere in the bodies", form)
			}
			bodies[at+len(form)-1] ^= 1
		})
		for _, coding := range tt.codings {
			if got := s.get(t, "/v1/materials/"+panel+tt.query, "Accept-Encoding", coding); got.status != 500 ||
				got.header.Get("Etag") != "" {
				t.Errorf("%q of %q%s: got %d with the tag %q", coding, form, tt.query, got.status, got.header.Get("Etag"))
			}
		}
	}
}

// A body with a valid checksum can still be invalid. Then a list or a page that should contain it must not be
// sent, even without the body.
func TestABodyThatNoBuildMakesIsAnError(t *testing.T) {
	const first, second = "panel-1", "panel-2" // first is requested before a generation is served
	lists := []string{"/api/v1/materials/search", "/api/v1/materials/search?include=acoustics", "/api/v1/export",
		"/api/public/search", "/api/public/compare-products?id=" + second}
	pages := []string{
		"/", "/products/" + second, "/compare?id=" + second, "/api/v1/export?format=csv", "/api/v1/export?format=catt",
		"/api/public/reverberation?volume=180&surface=" + second + ":1",
	}
	for _, tt := range []struct {
		rule   string
		detail func(first, second string) string
		paths  []string
	}{
		{"of no bytes", func(string, string) string { return "" }, append(pages, lists...)},
		{"no JSON", func(string, string) string { return ",}" }, pages},
		{"another product", func(first, _ string) string { return first }, pages},
		{"two for one", func(_, second string) string { return second + "," + second }, pages},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			folder := rebuilt(t)
			name, err := folder.Current()
			if err != nil {
				t.Fatal(err)
			}
			file, err := snapshot.Open(folder.Path(name))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			x, err := indexes.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			place := func(slug string) column.Doc {
				doc, _ := x.Slugs.Find([]byte(slug))
				return doc
			}
			a, b := x.Bodies.At(place(first)), x.Bodies.At(place(second))
			if detail := tt.detail(string(a.Detail()), string(b.Detail())); detail == "" {
				b.Text, b.Marks = nil, indexes.Marks{}
			} else {
				b.Text = []byte(detail + `,"geometry":null,{}`)
				end, all := len(detail), len(b.Text)
				b.Marks = indexes.Marks{SummaryEnd: end, AcousticsEnd: end, AbsorptionStart: end, AbsorptionEnd: end,
					DetailEnd: end, GeometryEnd: all - len(",{}"), RestEnd: all}
			}
			draft := sealed.Of(file)
			records, offsets := draft.Content(indexes.KindBodies), draft.Content(indexes.KindBodyOffsets)
			replaceRecord(records, offsets, int(place(second)), indexes.AppendBody(nil, &b, [3]indexes.View{}))
			hostile := snapshot.FileName(strings.Repeat("0", 64))
			if err := os.WriteFile(folder.Path(hostile), draft.Seal(), 0o444); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder.Dir, "CURRENT"), []byte(hostile+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			s := newSite(t, settings{folder: folder, explorer: true})
			for _, path := range tt.paths {
				r := httptest.NewRequest("GET", path, nil)
				r.Header.Set("Authorization", "Bearer "+s.keys[goodKey])
				w := httptest.NewRecorder()
				if s.handler.ServeHTTP(w, r); w.Code != 500 {
					t.Errorf("%s: status %d: %.300s", path, w.Code, w.Body)
				}
			}
		})
	}
}

// replaceRecord replaces the record of a document.
func replaceRecord(records, offsets *[]byte, doc int, record []byte) {
	end := func(i int) uint64 { return binary.LittleEndian.Uint64((*offsets)[8*i:]) }
	was, docs := *records, len(*offsets)/8-1
	more := uint64(len(record)) - (end(doc+1) - end(doc))
	*records = slices.Concat(was[:end(doc)], record, was[end(doc+1):])
	for i := doc + 1; i <= docs; i++ {
		binary.LittleEndian.PutUint64((*offsets)[8*i:], end(i)+more)
	}
}
