package column

import (
	"fmt"
	"math"
	"slices"

	"sabine/indexes/snapshot"
)

// Lists are n lists of values. They consist of a column of n+1 numbers, the start of each list and the end of
// the last one, and of the values of all lists in order. Starts are indexes in Values. Lists that are being
// built have starts of 8 bytes. PutStarts verifies that they fit into 4 bytes, which most sections use.
type Lists[S uint32 | uint64, V any] struct {
	Starts []S
	Values []V
}

// Between returns the values from start to end-1, which share memory with values. It returns nil if start or
// end is out of range, as can occur in a damaged file. All offsets from files are verified here.
func Between[V any](values []V, start, end uint64) []V {
	if start > end || end > uint64(len(values)) {
		return nil
	}
	return values[start:end:end]
}

// At returns values[i], or zero if i is out of range, as can occur in a damaged file.
func At[V any](values []V, i int) (v V) {
	if uint(i) < uint(len(values)) {
		v = values[i]
	}
	return v
}

// ReadLists reads n lists that have m values in total. Only At and Range verify the starts.
func ReadLists[S uint32 | uint64, V Number](c *snapshot.Cursor, n, m uint64) Lists[S, V] {
	return Lists[S, V]{Read[S](c, n+1), Read[V](c, m)}
}

// Len returns the number of lists.
func (l *Lists[S, V]) Len() int { return max(len(l.Starts)-1, 0) } // a damaged file can have no starts

// At returns the values of list i in place, or nil if i is out of range.
func (l *Lists[S, V]) At(i int) []V {
	if i < 0 || i >= len(l.Starts)-1 {
		return nil
	}
	return Between(l.Values, uint64(l.Starts[i]), uint64(l.Starts[i+1]))
}

// Range returns the values of lists lo to hi-1 in place, one list after another.
func (l *Lists[S, V]) Range(lo, hi int) []V {
	if lo < 0 || lo >= hi || hi >= len(l.Starts) {
		return nil
	}
	return Between(l.Values, uint64(l.Starts[lo]), uint64(l.Starts[hi]))
}

// Collect returns n lists of values. each must call visit for every value and its list. In a list, the values
// are in the order of the calls. Collect calls each twice, first to count the values and then to store them.
func Collect[V any](n int, each func(visit func(list int, v V))) Lists[uint64, V] {
	l := Lists[uint64, V]{Starts: make([]uint64, n+1)}
	each(func(list int, _ V) { l.Starts[list+1]++ })
	for i := range n {
		l.Starts[i+1] += l.Starts[i]
	}
	l.Values = make([]V, l.Starts[n])
	next := slices.Clone(l.Starts)
	each(func(list int, v V) {
		l.Values[next[list]] = v
		next[list]++
	})
	return l
}

// PutLists writes lists whose starts have 4 bytes.
func PutLists[V Number](w *Writer, l Lists[uint64, V]) {
	PutStarts(w, l.Starts)
	Put(w, l.Values)
}

// PutStarts writes the starts of lists and the end of the last list, each in 4 bytes.
func PutStarts(w *Writer, starts []uint64) {
	narrow := make([]uint32, len(starts))
	for i, start := range starts {
		narrow[i] = uint32(start)
	}
	if n := starts[len(starts)-1]; n > math.MaxUint32 {
		w.Fail(fmt.Errorf("column: %d values in lists, but a section can contain only %d", n, uint32(math.MaxUint32)))
	}
	Put(w, narrow)
}

// Texts are n strings. They consist of a column of n+1 numbers of 4 bytes, the start of each string and the
// end of the last one, and of the bytes of all strings in order.
type Texts struct{ Lists[uint32, byte] }

// At returns string i in place, or "" if i is out of range.
func (t *Texts) At(i int) string { return String(t.Lists.At(i)) }

// ReadTexts reads n strings. The end of the last string is their total size.
func ReadTexts(c *snapshot.Cursor, n uint64) Texts {
	var t Texts
	if t.Starts = Read[uint32](c, n+1); len(t.Starts) > 0 {
		t.Values = Read[byte](c, uint64(t.Starts[len(t.Starts)-1]))
	}
	return t
}

// PutTexts writes strings in the form that ReadTexts reads.
func PutTexts(w *Writer, texts []string) {
	starts := make([]uint64, 1, len(texts)+1)
	for i, text := range texts {
		starts = append(starts, starts[i]+uint64(len(text)))
	}
	if size := starts[len(texts)]; size > math.MaxUint32 {
		w.Fail(fmt.Errorf("column: %d bytes of strings, but a table can contain only 4 GiB", size))
	}
	PutStarts(w, starts)
	for _, text := range texts {
		w.Write(StringBytes(text))
	}
	w.Pad(Align)
}
