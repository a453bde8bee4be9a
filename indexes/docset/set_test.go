package docset

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// drawDocs returns a random set of documents that is sparse, dense, in runs, or different in each chunk.
func drawDocs(t *rapid.T, docs int) []column.Doc {
	set := make(Dense, Words(docs))
	for range rapid.IntRange(0, 6).Draw(t, "pieces") {
		lo := rapid.IntRange(0, docs-1).Draw(t, "from")
		hi := rapid.IntRange(lo, min(docs-1, lo+100_000)).Draw(t, "to")
		step := rapid.SampledFrom([]int{1, 1, 2, 3, 17, 500, 30_000}).Draw(t, "step")
		for d := lo; d <= hi; d += step {
			set.Add(column.Doc(d))
		}
	}
	return set.Docs()
}

// The kinds of the two sections in the tests of this file.
const arrays, bitmaps snapshot.Kind = 1, 2

// written returns the two sections that a builder writes.
func written(t interface{ Fatal(...any) }, dir string, b *Builder) (ofArrays, ofBitmaps []byte) {
	w, err := snapshot.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	b.WriteArrays(column.Begin(w, arrays))
	b.WriteBitmaps(column.BeginAligned(w, bitmaps, BitmapAlign))
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	ofArrays, _ = f.Section(arrays)
	ofBitmaps, _ = f.Section(bitmaps)
	ofArrays, ofBitmaps = alignedClone(ofArrays), alignedClone(ofBitmaps)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return ofArrays, ofBitmaps
}

// stored writes the sets of a builder and reads them back.
func stored(t interface{ Fatal(...any) }, dir string, b *Builder) *Sets {
	ofArrays, ofBitmaps := written(t, dir, b)
	a, m := snapshot.NewCursor(ofArrays), snapshot.NewCursor(ofBitmaps)
	s := ReadArrays(a, b.docs)
	s.ReadBitmaps(m)
	if err := errors.Join(a.Err(), m.Err()); err != nil {
		t.Fatal(err)
	}
	if arrays, bitmaps := b.ContainedIn(s); !arrays || !bitmaps {
		t.Fatal("the sets are not those that were stored")
	}
	return s
}

// alignedClone returns a copy of a section whose address is aligned as in a mapped file.
func alignedClone(b []byte) []byte {
	words := make([]uint64, len(b)/8+1)
	return append(appendRoom(words)[:0], b...)
}

// This test compares the smallest sections with bytes written by hand, in the order of the format comment.
func TestSectionsAreTheBytesThatTheirCommentSays(t *testing.T) {
	b := NewBuilder(1_000)
	all := make([]column.Doc, 600)
	for i := range all {
		all[i] = column.Doc(i + 2)
	}
	refs := []Ref{b.Add([]column.Doc{5, 6}), b.Add([]column.Doc{9}), b.Add([]column.Doc{7, 8, 9}), b.Add(all), b.Add(nil)}
	for i, want := range []Ref{2<<62 | 2<<41, 1<<62 | 9, 2<<62 | 3<<41 | 2, 3 << 62, 0} {
		if refs[i] != want {
			t.Errorf("reference %d: %x, want %x", i, refs[i], want)
		}
	}
	wantArrays := "05000000 06000000 07000000 08000000 09000000"
	wantBitmaps := "0100000000000000 0000000000000000" +
		"2000000000000000 0d000000 58020000" +
		// a run of 600 documents that begins at 2; chunk 0; one run; type 3 for runs; one container
		"0200 5702" + "0000" + "0100" + "03" + "c6b50000" +
		strings.Repeat("00", 19)
	gotArrays, gotBitmaps := written(t, t.TempDir(), b)
	if got, want := hex.EncodeToString(gotArrays), strings.ReplaceAll(wantArrays, " ", ""); got != want {
		t.Errorf("arrays:\n got %s\nwant %s", got, want)
	}
	if got, want := hex.EncodeToString(gotBitmaps), strings.ReplaceAll(wantBitmaps, " ", ""); got != want {
		t.Errorf("bitmaps:\n got %s\nwant %s", got, want)
	}
}

func TestStoredSetsMatchTheirDocuments(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SampledFrom([]int{1, 63, 64, 65, 5_000, 65_536, 65_537, 200_000}).Draw(t, "docs")
		b := NewBuilder(docs)
		var want [][]column.Doc
		var refs []Ref
		for range rapid.IntRange(1, 8).Draw(t, "sets") {
			set := drawDocs(t, docs)
			want = append(want, set)
			refs = append(refs, b.Add(set))
		}
		other := drawDocs(t, docs)
		dense := make(Dense, Words(docs))
		for _, d := range other {
			dense.Add(d)
		}
		sets := stored(t, dir, b)
		for i, docs := range want {
			set := sets.Set(refs[i])
			if set.Len() != len(docs) {
				t.Fatalf("Len of %d documents: %d", len(docs), set.Len())
			}
			if got := set.Docs([]column.Doc{7}); !slices.Equal(got[1:], docs) || got[0] != 7 {
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
				d := column.Doc(rapid.IntRange(0, len(dense)*64).Draw(t, "document"))
				_, in := slices.BinarySearch(docs, d)
				if set.Contains(d) != in {
					t.Fatalf("Contains(%d) of %v: %v", d, docs, !in)
				}
			}
		}
	})
}

// appendRoom returns words as little-endian bytes.
func appendRoom(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)
}

// TestBitmapsAreAligned checks the alignment of small bitmaps after allocations of odd sizes.
func TestBitmapsAreAligned(t *testing.T) {
	var others [][]byte // allocations of odd sizes, so that the next one may begin at any address
	for n := range 1_000 {
		others = append(others, make([]byte, 1+n%3))
		b := NewBuilder(n + bitmapMin)
		all := make(Dense, Words(n+bitmapMin))
		all.Fill(n + bitmapMin)
		ref := b.AddDense(all)
		if got := b.set(ref).Docs(nil); ref.form() != formBitmap || !slices.Equal(got, all.Docs()) {
			t.Fatalf("after %d others, a run of %d documents is read as %d", len(others), n+bitmapMin, len(got))
		}
	}
}

func TestEqualSetsAreStoredOnce(t *testing.T) {
	b := NewBuilder(100_000)
	sparse, dense := []column.Doc{3, 70_000}, make([]column.Doc, 5_000)
	for i := range dense {
		dense[i] = column.Doc(i * 7)
	}
	for name, docs := range map[string][]column.Doc{"none": nil, "one": {9}, "few": sparse, "many": dense} {
		if first, second := b.Add(docs), b.Add(slices.Clone(docs)); first != second {
			t.Errorf("%s: references %x and %x", name, first, second)
		}
		if len(docs) > 1 {
			if whole, part := b.Add(docs), b.Add(docs[1:]); whole == part {
				t.Errorf("%s: the set without its first document has the same reference %x", name, whole)
			}
		}
	}
	if len(b.bitmaps) != 2 || len(b.arrays) != 2 {
		t.Errorf("%d bitmaps, %d documents of arrays", len(b.bitmaps), len(b.arrays))
	}
}

func TestSetsBecomeBitmapsWhenTheyAreLarge(t *testing.T) {
	b := NewBuilder(1 << 20)
	step := func(n, step int) []column.Doc {
		docs := make([]column.Doc, n)
		for i := range docs {
			docs[i] = column.Doc(i * step)
		}
		return docs
	}
	for _, test := range []struct {
		name string
		docs []column.Doc
		form int
	}{
		{"no document: only a reference", nil, 0},
		{"one document: only a reference", step(1, 1), formSingle},
		{"a short run is an array", step(bitmapMin-1, 1), formArray},
		{"a run is a bitmap", step(bitmapMin, 1), formBitmap},
		{"many in one chunk are a bitmap", step(1_000, 3), formBitmap},
		{"many in all chunks are a bitmap", step(1_000, 1_000), formBitmap},
	} {
		if got := b.Add(test.docs).form(); got != test.form {
			t.Errorf("%s: form %d, want %d", test.name, got, test.form)
		}
	}
}

func TestChunksOfManyDocumentsAreBitsets(t *testing.T) {
	for _, test := range []struct {
		name          string
		apart, wanted int // distance between documents; expected number of chunks stored as bitsets
	}{
		{"a chunk of fewer documents is an array", chunkDocs/bitsetMin + 1, 0},
		{"a chunk of as many is a bitset", chunkDocs / bitsetMin, 2},
		{"a chunk of a run is runs", 1, 0},
	} {
		b := NewBuilder(2 * chunkDocs)
		var docs []column.Doc
		for d := 0; d < 2*chunkDocs; d += test.apart {
			docs = append(docs, column.Doc(d))
		}
		set := b.set(b.Add(docs))
		bitsets := 0
		f := set.bitmap.open()
		for c, ok := f.next(); ok; c, ok = f.next() {
			if c.words != nil {
				bitsets++
			}
		}
		if bitsets != test.wanted || !slices.Equal(set.Docs(nil), docs) {
			t.Errorf("%s: %d bitsets, want %d; %d documents, want %d", test.name, bitsets, test.wanted, set.Len(), len(docs))
		}
	}
}

func TestUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const docs = 70_000
		b := NewBuilder(docs)
		scratch, want := make(Dense, Words(docs)), make(Dense, Words(docs))
		var refs []Ref
		for range rapid.IntRange(0, 4).Draw(t, "sets") {
			set := drawDocs(t, docs)
			refs = append(refs, b.Add(set))
			for _, d := range set {
				want.Add(d)
			}
		}
		ref := b.Union(scratch, refs)
		if got := b.set(ref).Docs(nil); !slices.Equal(got, want.Docs()) || ref != b.Add(want.Docs()) {
			t.Fatalf("%d documents by reference %x, want %d", len(got), ref, want.Len())
		}
	})
}

func TestInvalidReferencesAreEmptySets(t *testing.T) {
	b := NewBuilder(10)
	b.Add([]column.Doc{1, 2, 3})
	s := stored(t, t.TempDir(), b)
	for name, ref := range map[string]Ref{
		"the empty set":              0,
		"form 0 with bits":           77,
		"a document out of range":    singleRef(10),
		"a document with other bits": singleRef(5) | 1<<32,
		"an array after the section": arrayRef(1, 3),
		"an array far after it":      arrayRef(1<<40, 3),
		"an array of none":           arrayRef(0, 0),
		"a bitmap that is not there": bitmapRef(0),
		"a bitmap far after it":      bitmapRef(1 << 61),
	} {
		set := s.Set(ref)
		dense := make(Dense, 1)
		set.OrInto(dense)
		if set.Len() != 0 || !dense.Empty() || len(set.Docs(nil)) != 0 || set.Contains(1) {
			t.Errorf("%s: %d documents", name, set.Len())
		}
	}
}

// slowFrozen reads a bitmap as its format comment describes, and returns the documents in the order of the
// file. ok is false if the bytes do not match their counts.
func slowFrozen(b []byte) (docs []column.Doc, ok bool) {
	u16 := binary.LittleEndian.Uint16
	n := 0
	if len(b) >= 4 {
		n = int(binary.LittleEndian.Uint32(b[len(b)-4:]) >> 15)
	}
	if len(b) < 4+5*n || binary.LittleEndian.Uint32(b[len(b)-4:])&0x7fff != 13766 || n > 65_536 {
		return nil, false
	}
	end := len(b) - 4 - 5*n
	keys, counts, types := b[end:], b[end+2*n:], b[end+4*n:]
	var sizes [4]int // number of data bytes by container type
	for i := range n {
		switch count := int(u16(counts[2*i:])); types[i] {
		case 1:
			sizes[1] += 8_192
		case 2:
			sizes[2] += 2 * (count + 1)
		case 3:
			sizes[3] += 4 * count
		default:
			return nil, false
		}
	}
	at := [4]int{1: 0, 3: sizes[1], 2: sizes[1] + sizes[3]}
	if sizes[1]+sizes[2]+sizes[3] != end {
		return nil, false
	}
	for i := range n {
		base, count, data := column.Doc(u16(keys[2*i:]))<<16, int(u16(counts[2*i:])), b[at[types[i]]:]
		switch types[i] {
		case 1:
			for bit := range 65_536 {
				if data[bit/8]>>(bit%8)&1 == 1 {
					docs = append(docs, base+column.Doc(bit))
				}
			}
			at[1] += 8_192
		case 2:
			for k := range count + 1 {
				docs = append(docs, base+column.Doc(u16(data[2*k:])))
			}
			at[2] += 2 * (count + 1)
		default:
			for k := range count {
				first, more := column.Doc(u16(data[4*k:])), column.Doc(u16(data[4*k+2:]))
				for d := first; d <= min(first+more, 65_535); d++ {
					docs = append(docs, base+d)
				}
			}
			at[3] += 4 * count
		}
	}
	return docs, true
}

// FuzzFrozen checks that arbitrary bytes are read as the comment describes, and that an invalid bitmap is
// empty. It does not use package roaring, whose FrozenView fails the pointer checks of the race detector.
func FuzzFrozen(f *testing.F) {
	b := NewBuilder(1 << 20)
	for _, step := range []int{1, 2, 3, 20, 100} {
		docs := []column.Doc{}
		for i := range 10_000 {
			docs = append(docs, column.Doc(i*step))
		}
		f.Add([]byte(b.freeze(docs)))
		f.Add([]byte(b.freeze(append(docs[:3_000:3_000], docs[9_000:]...))))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, fits := slowFrozen(data)
		data = alignedClone(data)
		got := Bitmap(data).open()
		if !fits && len(got.types) > 0 {
			t.Fatalf("%d bytes do not fit, and have %d containers", len(data), len(got.types))
		}
		if docs := got.docs(nil, len(want)+1); !slices.Equal(docs, want) {
			t.Fatalf("%d documents, want %d", len(docs), len(want))
		}
		if docs := got.docs(nil, len(want)/2); !slices.Equal(docs, want[:len(want)/2]) {
			t.Errorf("%d documents of %d, want half", len(docs), len(want))
		}
		const docs = 1 << 20
		united, plain := make(Dense, Words(docs)), make(Dense, Words(docs))
		got.orInto(united)
		for _, d := range want {
			plain.Add(d)
		}
		if !slices.Equal(united, plain) {
			t.Errorf("%d documents united, want %d", united.Len(), plain.Len())
		}
		if !ascend(want) || len(slices.Compact(slices.Clone(got.keys))) < len(got.keys) {
			return // an invalid set need not pass the remaining checks
		}
		for _, d := range want[:min(len(want), 10)] {
			if !got.contains(d) {
				t.Errorf("document %d is not in it", d)
			}
		}
		if got.andLen(plain) != plain.Len() {
			t.Errorf("%d documents shared with itself, want %d", got.andLen(plain), plain.Len())
		}
	})
}
