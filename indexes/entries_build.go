package indexes

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// An entriesBuilder collects the measurements of documents. It needs 43 bytes for each measurement of
// absorption, with texts and lengths stored once, 52 for other measurements, and 16 for each document.
type entriesBuilder struct {
	tables [NumNorms]struct {
		docs   []column.Doc
		levels []Level
	}
	texts     [AttributeThickness]valueColumn[string]                  // text attributes of absorption
	lengths   [NumAttributes - AttributeThickness]valueColumn[float64] // index 0 is AttributeThickness
	minLength [NumAttributes - AttributeThickness][]float64            // minimum by document; infinite if it has none
	ranks     []uint16
	ratings   []Rating
}

// add adds the measurements of the next document, by norm.
func (b *entriesBuilder) add(d column.Doc, of *[NumNorms][]Measurement) {
	for i := range b.minLength {
		b.minLength[i] = append(b.minLength[i], math.Inf(1))
	}
	for norm, measurements := range of {
		t := &b.tables[norm]
		for i := range measurements {
			m := &measurements[i]
			t.docs = append(t.docs, d)
			t.levels = append(t.levels, m.Levels...)
			if Norm(norm) == NormAbsorption {
				b.addAttributes(m)
			}
		}
	}
}

// addAttributes adds the attributes of an entry of absorption, of the document that add has begun.
func (b *entriesBuilder) addAttributes(m *Measurement) {
	for a, text := range m.Texts {
		b.texts[a].add(text, text == "")
	}
	for a, length := range m.Lengths {
		b.lengths[a].add(length+0, math.IsNaN(length)) // adding 0 makes a negative zero positive
		if minLength := &b.minLength[a][len(b.minLength[a])-1]; length < *minLength {
			*minLength = length
		}
	}
	b.ranks = append(b.ranks, m.Rank)
	b.ratings = append(b.ratings, m.Rating)
}

// write writes sections KindEntries and KindEntrySlices, and empties the builder.
func (b *entriesBuilder) write(w *snapshot.Writer) error {
	c := column.Begin(w, KindEntries)
	var numbers [NumAttributes][]uint32
	for norm := range b.tables {
		t := &b.tables[norm]
		column.Put(c, []uint64{uint64(len(t.docs))})
		column.Put(c, t.docs)
		column.Put(c, t.levels)
		if Norm(norm) == NormAbsorption {
			for a := range NumAttributes {
				numbers[a] = b.putAttribute(c, a)
			}
			column.Put(c, b.ranks)
			column.Put(c, b.ratings)
		}
	}
	if c.Err() != nil {
		return c.Err()
	}
	c = column.Begin(w, KindEntrySlices)
	for norm := range b.tables {
		t, bands := &b.tables[norm], len(Norm(norm).Bands())
		for band := range bands {
			putBitSlices(c, len(t.docs), func(i int) uint32 { return uint32(t.levels[i*bands+band]) })
		}
		if Norm(norm) == NormAbsorption {
			for a := range NumAttributes {
				putBitSlices(c, len(t.docs), func(i int) uint32 { return numbers[a][i] })
			}
		}
	}
	*b = entriesBuilder{}
	return c.Err()
}

// putAttribute writes the columns of an attribute, and returns the index of each entry's value plus one.
func (b *entriesBuilder) putAttribute(c *column.Writer, a Attribute) []uint32 {
	if a.isLength() {
		return putNumbered(c, &b.lengths[a-AttributeThickness], column.Put)
	}
	numbers := putNumbered(c, &b.texts[a], column.PutTexts)
	column.Put(c, docCounts(len(b.texts[a].known), numbers, b.tables[NormAbsorption].docs))
	return numbers
}

// docCounts returns, for each value, the number of documents with an entry that has it. numbers and docs
// contain, for each entry, the index of its value plus one, and its document.
func docCounts(values int, numbers []uint32, docs []column.Doc) []uint32 {
	counts := make([]uint32, values)
	last := make([]int, len(counts)) // for each value, the last counted document plus one
	for i, number := range numbers {
		if number > 0 && last[number-1] != int(docs[i])+1 {
			last[number-1] = int(docs[i]) + 1
			counts[number-1]++
		}
	}
	return counts
}

// putNumbered writes the distinct values with put, and the number of each entry's value, which it returns.
func putNumbered[T cmp.Ordered](c *column.Writer, n *valueColumn[T], put func(*column.Writer, []T)) []uint32 {
	values, numbers := n.sorted()
	column.Put(c, []uint64{uint64(len(values))})
	put(c, values)
	column.PutNarrow(c, numbers, uint32(len(values)))
	return numbers
}

// A valueColumn is a column of values in which each distinct value is stored once.
type valueColumn[T cmp.Ordered] struct {
	known   map[T]uint32 // numbers plus one; values are numbered in the order of their first addition
	numbers []uint32     // by entry: number plus one, or 0 for no value
}

// add adds the value of the next entry. If none is true, the entry has no value.
func (n *valueColumn[T]) add(v T, none bool) {
	if none {
		n.numbers = append(n.numbers, 0)
		return
	}
	number, met := n.known[v]
	if !met {
		if n.known == nil {
			n.known = map[T]uint32{}
		}
		number = uint32(len(n.known) + 1)
		n.known[v] = number
	}
	n.numbers = append(n.numbers, number)
}

// sorted returns the distinct values in ascending order, and for each entry the index of its value plus one.
// It must be called only once, since it overwrites numbers.
func (n *valueColumn[T]) sorted() (values []T, numbers []uint32) {
	values = slices.Sorted(maps.Keys(n.known))
	places := make([]uint32, 1+len(values)) // new number of each number in known
	for i, v := range values {
		places[n.known[v]] = uint32(i + 1)
	}
	for i, number := range n.numbers {
		n.numbers[i] = places[number]
	}
	return values, n.numbers
}
