package column_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// kind is the kind of the only section in the tests of this file.
const kind snapshot.Kind = 7

// written returns a snapshot with a single section.
func written(t testing.TB, put func(*column.Writer)) *snapshot.File {
	t.Helper()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	c := column.Begin(w, kind)
	if put(c); c.Err() != nil {
		t.Fatal(c.Err())
	}
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestColumnsRoundTrip compares columns with bytes written by hand, and checks the values read from them.
func TestColumnsRoundTrip(t *testing.T) {
	f := written(t, func(w *column.Writer) {
		column.Put(w, []uint64{0x0102030405060708})
		column.Put(w, []column.Doc{1, 2, 3})
		column.Put(w, []uint16{0x0a0b})
		column.Put(w, []float64{0.5})
		column.PutNarrow(w, []uint32{9, 255}, 255)
		column.PutNarrow(w, []uint32{9, 256}, 256)
		column.PutNarrow(w, []uint32{9, 65_536}, 65_536)
		column.PutTexts(w, []string{"ab", "", "c"})
		w.Write([]byte{0xff})
	})
	want := "0807060504030201" + "010000000200000003000000 00000000" + "0b0a 000000000000" + "000000000000e03f" +
		"09ff 000000000000" + "09000001 00000000" + "0900000000000100" +
		"00000000 02000000 02000000 03000000" + "616263 0000000000" + "ff"
	got, _ := f.Section(kind)
	if hex.EncodeToString(got) != strings.ReplaceAll(want, " ", "") {
		t.Errorf("got  %x\nwant %s", got, want)
	}

	c := f.Cursor(kind)
	long, docs := column.Read[uint64](c, 1), column.Read[column.Doc](c, 3)
	short, float := column.Read[uint16](c, 1), column.Read[float64](c, 1)
	if long[0] != 0x0102030405060708 || !slices.Equal(docs, []column.Doc{1, 2, 3}) || short[0] != 0x0a0b ||
		float[0] != 0.5 {
		t.Errorf("read %x, %v, %x, %v", long, docs, short, float)
	}
	for _, limit := range []uint32{255, 256, 65_536} {
		n := column.ReadNarrow(c, 2, limit)
		counts := make([]int32, 10)
		n.Count(counts, []column.Doc{0, 1, 0, 2, math.MaxUint32})
		if n.At(0) != 9 || n.At(1) != limit || n.At(2) != 0 || n.At(math.MaxUint32) != 0 || counts[9] != 2 {
			t.Errorf("numbers up to %d: %d, %d, %d; %v", limit, n.At(0), n.At(1), n.At(2), counts)
		}
	}
	texts := column.ReadTexts(c, 3)
	if texts.Len() != 3 || texts.At(0)+"|"+texts.At(1)+"|"+texts.At(2) != "ab||c" || texts.At(-1)+texts.At(3) != "" {
		t.Errorf("texts %q, %q, %q", texts.At(0), texts.At(1), texts.At(2))
	}
	if c.Err() != nil || c.Offset() != len(got)-1 {
		t.Errorf("read %d of %d bytes: %v", c.Offset(), len(got), c.Err())
	}
}

func TestTruncatedColumn(t *testing.T) {
	for _, n := range []uint64{2, 1 << 61, math.MaxUint64} {
		c := snapshot.NewCursor(make([]byte, 8))
		if got := column.Read[uint64](c, n); got != nil || c.Err() == nil {
			t.Errorf("%d numbers of 8 bytes: %v, %v", n, got, c.Err())
		}
	}
	words := make([]uint64, 2)
	b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 16)
	if got := column.Of[uint32](b[1:]); got != nil {
		t.Errorf("bytes that are not aligned are the numbers %v", got)
	}
	if got := column.Of[uint32](b[:7]); len(got) != 1 {
		t.Errorf("7 bytes are the numbers %v", got)
	}
}

func TestWriterRetainsItsFirstError(t *testing.T) {
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	first := errors.New("first")
	c := column.Begin(w, kind)
	c.Fail(first)
	column.Put(c, []uint32{1})
	c.Fail(errors.New("second"))
	if again := column.Begin(w, kind); !errors.Is(c.Err(), first) || again.Err() == nil {
		t.Errorf("got %v, and of the same section again %v", c.Err(), again.Err())
	}
}

// FuzzLists compares lists with arbitrary starts, sorted or not, with lookups of each start.
func FuzzLists(f *testing.F) {
	f.Add([]byte{0, 2, 2, 5}, 5, 0, 3)
	f.Add([]byte{0, 9, 2, 5}, 5, 1, 2)
	f.Add([]byte{1}, 0, 0, 1)
	f.Add([]byte{}, 3, -1, 1)
	f.Fuzz(func(t *testing.T, starts []byte, values, lo, hi int) {
		l := column.Lists[uint32, byte]{Values: bytes.Repeat([]byte{7}, min(max(values, 0), 300))}
		for _, start := range starts {
			l.Starts = append(l.Starts, uint32(start))
		}
		for i := range l.Len() {
			var want []byte
			if start, end := int(starts[i]), int(starts[i+1]); start <= end && end <= len(l.Values) {
				want = l.Values[start:end]
			}
			if got := l.At(i); !bytes.Equal(got, want) || cap(got) != len(got) || len(got) > 0 && &got[0] != &want[0] {
				t.Errorf("list %d of starts %v, %d values: %v", i, starts, len(l.Values), got)
			}
		}
		got := l.Range(lo, hi)
		if lo < 0 || lo >= hi || hi >= len(starts) {
			if got != nil || l.At(-1) != nil || l.At(l.Len()) != nil {
				t.Errorf("lists %d to %d of %d: %v", lo, hi, l.Len(), got)
			}
		} else if start, end := int(starts[lo]), int(starts[hi]); start <= end && end <= len(l.Values) &&
			len(got) != end-start {
			t.Errorf("lists %d to %d of starts %v: %d values", lo, hi, starts, len(got))
		}
	})
}
