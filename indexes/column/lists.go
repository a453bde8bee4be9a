package column

import (
	"fmt"
	"math"
	"slices"

	"sabine/indexes/snapshot"
)

// Lists are n lists of values, one after the other: a column of n+1 numbers with the start of each list and
// the end of the last one, and the values.
type Lists[S uint32 | uint64, V any] struct {
	Starts []S
	Values []V
}

// Between returns values from start to end-1 in the same memory, or nil if they are out of range, as in a
// damaged file. All offsets from files are verified here.
func Between[V any](values []V, start, end uint64) []V {
	if start > end || end > uint64(len(values)) {
		return nil
	}
	return values[start:end:end]
}

// ReadLists reads n lists with m values in total.
func ReadLists[S uint32 | uint64, V Number](c *snapshot.Cursor, n, m uint64) Lists[S, V] {
	return Lists[S, V]{Read[S](c, n+1), Read[V](c, m)}
}

// Len returns the number of lists.
func (l *Lists[S, V]) Len() int { return max(len(l.Starts)-1, 0) }

// At returns a list in place, or nil if i is out of range.
func (l *Lists[S, V]) At(i int) []V {
	if i < 0 || i >= len(l.Starts)-1 {
		return nil
	}
	return Between(l.Values, uint64(l.Starts[i]), uint64(l.Starts[i+1]))
}

// Range returns the values of the lists from lo to hi-1 in place, list after list.
func (l *Lists[S, V]) Range(lo, hi int) []V {
	if lo < 0 || lo >= hi || hi >= len(l.Starts) {
		return nil
	}
	return Between(l.Values, uint64(l.Starts[lo]), uint64(l.Starts[hi]))
}

// Collect returns n lists of values. each must call visit with every value and its list; lists keep the order
// of the calls. Collect calls each twice: to count the values, and to store them.
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

// PutLists writes lists with starts of 4 bytes.
func PutLists[V Number](w *Writer, l Lists[uint64, V]) {
	PutStarts(w, l.Starts)
	Put(w, l.Values)
}

// PutStarts writes the starts of lists and the end of the last list, in 4 bytes each.
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

// Texts are n texts, one after the other: a column of n+1 numbers of 4 bytes with the start of each text and
// the end of the last one, and the bytes of the texts.
type Texts struct{ Lists[uint32, byte] }

// At returns a text in place, or "" if i is out of range.
func (t *Texts) At(i int) string { return String(t.Lists.At(i)) }

// ReadTexts reads n texts. The last start is their total size.
func ReadTexts(c *snapshot.Cursor, n uint64) Texts {
	var t Texts
	if t.Starts = Read[uint32](c, n+1); len(t.Starts) > 0 {
		t.Values = Read[byte](c, uint64(t.Starts[len(t.Starts)-1]))
	}
	return t
}

// PutTexts writes texts.
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
