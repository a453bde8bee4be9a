package compiler

import (
	"bytes"
	"errors"
	"math"
	"os"
	"reflect"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"sabine/indexes"
)

// fullDocument returns a document that has a value in each field.
func fullDocument() indexes.Document {
	return indexes.Document{
		ID: [16]byte{1, 2, 3, 15: 16}, Slug: "wellenpanel", Names: []string{"wellenpanel", "wave panel"},
		ManufacturerKey: "muller sohne",
		Descriptions:    []string{"aus holzwolle"}, Details: []string{"dk 4711", "dk4711"}, Category: "holz",
		Character: "breitband", Installations: []string{"wall", "ceiling"},
		Manufacturer: indexes.Manufacturer{ID: "11111111-2222-5333-8444-555555555555", Slug: "mueller-soehne",
			Name: "Müller & Söhne"}, FireClass: "B",
		HasEPD: true, Purchasable: true, AlphaW: 0.85, CollationDE: []byte{1, 0, 2}, CollationEN: []byte{3},
		Measurements: [indexes.NumNorms][]indexes.Measurement{
			indexes.NormAbsorption: {{
				Levels: make([]indexes.Level, 8), Texts: [...]string{"E-400", "measured", "A"}, Lengths: [...]float64{20, 420},
				Rank: 1, Rating: 158,
			}},
			indexes.NormScattering: {},
			indexes.NormDiffusion:  {{Levels: append(make([]indexes.Level, 23), 6301)}},
		},
	}
}

func TestEveryDocumentReadsBackTheSame(t *testing.T) {
	texts := rapid.SliceOfN(rapid.String(), 1, 4)
	rapid.Check(t, func(t *rapid.T) {
		want := indexes.Document{
			Slug: rapid.String().Draw(t, "slug"), Names: texts.Draw(t, "names"), ManufacturerKey: rapid.String().Draw(t,
				"manufacturer"),
			Descriptions: texts.Draw(t, "descriptions"), Category: rapid.String().Draw(t, "category"),
			Character: rapid.String().Draw(t, "character"),
			Details:   texts.Draw(t, "details"), Installations: texts.Draw(t, "installations"), FireClass: rapid.String().Draw(t,
				"fire class"),
			Manufacturer: indexes.Manufacturer{ID: rapid.String().Draw(t, "manufacturer id"),
				Slug: rapid.String().Draw(t, "manufacturer slug"), Name: rapid.String().Draw(t, "manufacturer")},
			HasEPD: rapid.Bool().Draw(t, "epd"), Purchasable: rapid.Bool().Draw(t, "purchasable"),
			AlphaW:       rapid.Float64().Draw(t, "alpha_w"),
			Measurements: fullDocument().Measurements,
			CollationDE:  rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(t, "de"), CollationEN: rapid.SliceOfN(rapid.Byte(), 1,
				9).Draw(t, "en"),
		}
		copy(want.ID[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		got, err := decodeDocument(appendDocument(nil, &want))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
	})
}

func TestNoAlphaReadsBackAsNone(t *testing.T) {
	got, err := decodeDocument(appendDocument(nil, &indexes.Document{AlphaW: math.NaN()}))
	if err != nil || !math.IsNaN(got.AlphaW) {
		t.Errorf("got %v, %v, want NaN", got.AlphaW, err)
	}
}

func TestATruncatedDocumentIsNoticed(t *testing.T) {
	document := fullDocument()
	whole := appendDocument(nil, &document)
	for n := range whole {
		if d, err := decodeDocument(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes read as %+v", n, len(whole), d)
		}
	}
	if d, err := decodeDocument(append(whole, 0)); err == nil {
		t.Errorf("a byte too many reads as %+v", d)
	}
}

func FuzzDecodeDocument(f *testing.F) {
	document := fullDocument()
	f.Add(appendDocument(nil, &document))
	f.Add(appendDocument(nil, &indexes.Document{}))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := decodeDocument(b)
		if err != nil {
			return
		}
		again, err := decodeDocument(appendDocument(nil, &d))
		if err != nil || !bytes.Equal(appendDocument(nil, &again), appendDocument(nil, &d)) {
			t.Errorf("%x reads as %+v, which does not read back", b, d)
		}
	})
}

func TestEntriesAreFoundInAnyOrder(t *testing.T) {
	s, err := newSpill(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var places []spilled
	for i := range 50 {
		document := fullDocument()
		document.Slug = string(bytes.Repeat([]byte{'a'}, i))
		entry := appendDocument(nil, &document)
		at, err := s.add(append(entry, bytes.Repeat([]byte{byte(i)}, i*100)...), len(entry))
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, at)
	}
	if err := s.flush(); err != nil {
		t.Fatal(err)
	}
	for i := 49; i >= 0; i-- {
		document, body, err := s.read(places[i])
		if err != nil || len(document.Slug) != i || !bytes.Equal(body, bytes.Repeat([]byte{byte(i)}, i*100)) {
			t.Errorf("entry %d: slug %q, body %x, %v", i, document.Slug, body, err)
		}
	}
	if _, _, err := s.read(spilled{offset: s.end - 10, documentLength: 100}); err == nil {
		t.Error("an entry after the end can be read")
	}
}

func TestASpillLeavesNoName(t *testing.T) {
	dir := t.TempDir()
	s, err := newSpill(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the folder holds %v, %v, want nothing", entries, err)
	}
}

func TestAFullDiskIsReported(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this system has no /dev/full: a build on a full disk was not tested")
	}
	s, err := newSpill(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	s.file = full
	s.out.Reset(full)
	defer s.close()
	if _, err := s.add([]byte("entry"), 2); err != nil {
		t.Fatal(err)
	}
	err = s.flush()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want %v", err, syscall.ENOSPC)
	}
	if want := "write the temporary file of 5 bytes: "; !bytes.HasPrefix([]byte(err.Error()), []byte(want)) {
		t.Errorf("got %q, want it to begin with %q", err, want)
	}
}
