package indexes

import (
	"bytes"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"sabine/indexes/snapshot"
)

// drawDocs draws a set of documents of any shape: sparse, dense, in runs, mixed by chunk.
func drawDocs(t *rapid.T, docs int) []Doc {
	set := make(Dense, DenseWords(docs))
	for range rapid.IntRange(0, 6).Draw(t, "pieces") {
		lo := rapid.IntRange(0, docs-1).Draw(t, "from")
		hi := rapid.IntRange(lo, min(docs-1, lo+100_000)).Draw(t, "to")
		step := rapid.SampledFrom([]int{1, 1, 2, 3, 17, 500, 30_000}).Draw(t, "step")
		for d := lo; d <= hi; d += step {
			set.Add(Doc(d))
		}
	}
	return set.docs(nil)
}

// stored writes what a builder holds and reads it back.
func stored(t interface{ Fatal(...any) }, dir string, b *setBuilder) *Sets {
	w, err := snapshot.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := b.write(w); err != nil {
		t.Fatal(err)
	}
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	arrays, _ := f.Section(KindSetArrays)
	bitmaps, _ := f.Section(KindSetBitmaps)
	s, err := openSets(bytes.Clone(arrays), alignedClone(bitmaps), b.docs)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// alignedClone copies a section to an address that is aligned as in a mapping.
func alignedClone(b []byte) []byte {
	words := make([]uint64, len(b)/8+1)
	return append(appendRoom(words)[:0], b...)
}

func TestStoredSetsAnswerAsTheirDocumentsDo(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SampledFrom([]int{1, 63, 64, 65, 5_000, 65_536, 65_537, 200_000}).Draw(t, "docs")
		b := newSetBuilder(docs)
		var want [][]Doc
		var refs []SetRef
		for range rapid.IntRange(1, 8).Draw(t, "sets") {
			set := drawDocs(t, docs)
			want = append(want, set)
			refs = append(refs, b.add(set))
		}
		other := drawDocs(t, docs)
		dense := make(Dense, DenseWords(docs))
		for _, d := range other {
			dense.Add(d)
		}
		sets := stored(t, dir, b)
		for i, docs := range want {
			set := sets.Set(refs[i])
			if set.Len() != len(docs) {
				t.Fatalf("Len of %d documents: %d", len(docs), set.Len())
			}
			if got := set.Docs([]Doc{7}); !slices.Equal(got[1:], docs) || got[0] != 7 {
				t.Fatalf("Docs of %v: %v", docs, got)
			}
			united := slices.Clone(dense)
			set.OrInto(united)
			bySlow, shared := slices.Clone(dense), 0
			for _, d := range docs {
				if dense.Has(d) {
					shared++
				}
				bySlow.Add(d)
			}
			if !slices.Equal(united, bySlow) {
				t.Fatalf("OrInto of %d documents: %d documents, want %d", len(docs), united.Len(), bySlow.Len())
			}
			if got := set.AndLen(dense); got != shared {
				t.Fatalf("AndLen of %d documents: %d, want %d", len(docs), got, shared)
			}
			for range 50 {
				d := Doc(rapid.IntRange(0, len(dense)*64).Draw(t, "document"))
				_, in := slices.BinarySearch(docs, d)
				if set.Contains(d) != in {
					t.Fatalf("Contains(%d) of %v: %v", d, docs, !in)
				}
			}
		}
	})
}

// appendRoom returns words as bytes.
func appendRoom(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)
}
