package indexes

import (
	"math"
	"slices"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// An entriesBuilder gathers the measurements of documents.
type entriesBuilder struct {
	tables [NumNorms]struct {
		docs   []column.Doc
		levels []Level
	}
	texts   [AttributeThickness][]string // of absorption, by entry
	lengths [NumAttributes - AttributeThickness][]float64
	places  []uint16
	known   map[string]string // texts that were met
}

// add takes the measurements of the next document.
func (b *entriesBuilder) add(d column.Doc, of *[NumNorms][]Measurement) {
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

func (b *entriesBuilder) addAttributes(m *Measurement) {
	if b.known == nil {
		b.known = map[string]string{}
	}
	for a, text := range m.Texts {
		known, met := b.known[text]
		if !met {
			known = strings.Clone(text)
			b.known[known] = known
		}
		b.texts[a] = append(b.texts[a], known)
	}
	for a, length := range m.Lengths {
		b.lengths[a] = append(b.lengths[a], length)
	}
	b.places = append(b.places, m.Place)
}

// write writes the sections KindEntries and KindEntrySlices.
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
			column.Put(c, b.places)
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

// putAttribute writes the values of an attribute and the number of each entry's, which it returns.
func (b *entriesBuilder) putAttribute(c *column.Writer, a Attribute) []uint32 {
	var numbers []uint32
	var n int
	if a.isLength() {
		of := b.lengths[a-AttributeThickness]
		values := slices.DeleteFunc(slices.Clone(of), math.IsNaN)
		values, n, numbers = numbered(values, of)
		column.Put(c, []uint64{uint64(n)})
		column.Put(c, values)
	} else {
		of := b.texts[a]
		values := slices.DeleteFunc(slices.Clone(of), func(text string) bool { return text == "" })
		values, n, numbers = numbered(values, of)
		column.Put(c, []uint64{uint64(n)})
		column.PutTexts(c, n, func(i int) string { return values[i] })
	}
	column.PutNarrow(c, numbers, uint32(n))
	return numbers
}

// numbered sorts values and returns each once, how many these are, and the number of every entry's plus one, 0 where it is not
// among them.
func numbered[T float64 | string](values, of []T) (distinct []T, n int, numbers []uint32) {
	slices.Sort(values)
	values = slices.Compact(values)
	numbers = make([]uint32, len(of))
	for i, v := range of {
		if at, known := slices.BinarySearch(values, v); known {
			numbers[i] = uint32(at + 1)
		}
	}
	return values, len(values), numbers
}
