package column

import (
	"fmt"
	"math"
	"slices"

	"sabine/indexes/snapshot"
)

// Lists are n lists of values that lie one behind the other: a column of n+1 numbers, where each list begins
// among the values and where the last one ends; and the values.
type Lists[S uint32 | uint64, V any] struct {
	Starts []S
	Values []V
}

// Between returns values from start to end-1 where they lie, nil when a damaged file has no such: every
// number of a file that says where something begins or ends is held against its bounds here.
func Between[V any](values []V, start, end uint64) []V {
	if start > end || end > uint64(len(values)) {
		return nil
	}
	return values[start:end:end]
}

// ReadLists reads n lists that have m values together.
func ReadLists[S uint32 | uint64, V Number](c *snapshot.Cursor, n, m uint64) Lists[S, V] {
	return Lists[S, V]{Read[S](c, n+1), Read[V](c, m)}
}

// Len returns the number of lists.
func (l *Lists[S, V]) Len() int { return max(len(l.Starts)-1, 0) }

// At returns a list where it lies, nil when there is none.
func (l *Lists[S, V]) At(i int) []V {
	if i < 0 || i >= len(l.Starts)-1 {
		return nil
	}
	return Between(l.Values, uint64(l.Starts[i]), uint64(l.Starts[i+1]))
}

// Range returns the lists from lo to hi-1 where they lie, one behind the other.
func (l *Lists[S, V]) Range(lo, hi int) []V {
	if lo < 0 || lo >= hi || hi >= len(l.Starts) {
		return nil
	}
	return Between(l.Values, uint64(l.Starts[lo]), uint64(l.Starts[hi]))
}

// Collect returns n lists of values. each calls visit with every value and the list that it belongs to, and a
// list has its values in the order of these calls. Collect calls each twice: to count the values, and to put
// them where they belong.
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

// PutLists writes lists whose starts take 4 bytes.
func PutLists[V Number](w *Writer, l Lists[uint64, V]) {
	PutStarts(w, l.Starts)
	Put(w, l.Values)
}

// PutStarts writes the starts of lists, the end of the last one behind them, in 4 bytes each.
func PutStarts(w *Writer, starts []uint64) {
	narrow := make([]uint32, len(starts))
	for i, start := range starts {
		narrow[i] = uint32(start)
	}
	if n := starts[len(starts)-1]; n > math.MaxUint32 {
		w.Fail(fmt.Errorf("column: %d values in lists: a section holds %d", n, uint32(math.MaxUint32)))
	}
	Put(w, narrow)
}

// Texts are n texts that lie one behind the other: a column of n+1 numbers of 4 bytes, where each begins in
// the bytes behind that column and where the last one ends.
type Texts struct{ Lists[uint32, byte] }

// At returns a text where it lies, "" when there is none.
func (t *Texts) At(i int) string { return String(t.Lists.At(i)) }

// ReadTexts reads n texts. How many bytes they have, the last start says.
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
		w.Fail(fmt.Errorf("column: %d bytes of texts: a table holds 4 GiB", size))
	}
	PutStarts(w, starts)
	for _, text := range texts {
		w.Write(StringBytes(text))
	}
	w.Pad(Align)
}
