package indexes

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"sabine/indexes/column"
)

// checkEntries walks section KindEntries.
func (x *Index) checkEntries(faults *faultList) {
	for norm := range x.Entries {
		e := &x.Entries[norm]
		for i, d := range e.docs {
			if int64(d) >= int64(x.Docs) || i > 0 && d < e.docs[i-1] {
				faults.add(e.docsAt+int64(i)*column.DocSize, "documents below %d in ascending order", x.Docs)
			}
		}
		for i, level := range e.levels {
			if level > MaxLevel {
				faults.add(e.levelsAt+int64(i)*2, "a level up to %d, not %d", MaxLevel, level)
			}
		}
	}
	e := &x.Entries[NormAbsorption]
	for a := range NumAttributes {
		e.attributes[a].check(faults, a, len(e.docs))
	}
	e.checkProducts(faults)
}

// check holds the values and the numbers of an attribute against each other.
func (of *attribute) check(faults *faultList, a Attribute, entries int) {
	values := len(of.lengths)
	if a.isLength() {
		of.checkLengths(faults)
	} else {
		of.checkTexts(faults, a)
		values = of.texts.Len()
	}
	used := make([]bool, 1+values)
	for entry := range entries {
		if number := of.numbers.At(column.Doc(entry)); int64(number) < int64(len(used)) {
			used[number] = true
		} else {
			faults.add(of.numbersAt, "numbers of %d values, not %d for entry %d", values, number, entry)
		}
	}
	for i, isUsed := range used[1:] {
		if !isUsed {
			faults.add(of.valuesAt, "an entry with value %d of attribute %d", i, a)
		}
	}
}

func (of *attribute) checkLengths(faults *faultList) {
	for i, v := range of.lengths {
		if math.IsNaN(v) || i > 0 && of.lengths[i-1] >= v {
			faults.add(of.valuesAt+int64(i)*8, "lengths in ascending order")
		}
	}
}

func (of *attribute) checkTexts(faults *faultList, a Attribute) {
	if !of.texts.Whole() {
		faults.add(of.valuesAt, "texts one behind the other")
	}
	known := map[Attribute][]string{AttributeSourceKind: SourceKinds, AttributeClass: AbsorptionClasses}[a]
	for i := range of.texts.Len() {
		v := of.texts.At(i)
		switch {
		case v == "" || i > 0 && of.texts.At(i-1) >= v:
			faults.add(of.valuesAt+int64(i)*4, "texts in ascending order, none of them empty")
		case known != nil && !slices.Contains(known, v):
			faults.add(of.valuesAt+int64(i)*4, "%s, not %.40q", strings.Join(known, ", "), v)
		}
	}
}

// checkProducts holds the entries of each product against each other.
func (e *Entries) checkProducts(faults *faultList) {
	var places []uint16
	for first, end := 0, 0; first < len(e.docs); first = end {
		for end = first + 1; end < len(e.docs) && e.docs[end] == e.docs[first]; end++ {
		}
		for entry := first; entry < end; entry++ {
			has := func(a Attribute) bool { return e.Number(a, entry) != 0 }
			if has(AttributeThickness) != has(AttributeDepth) {
				faults.add(e.attributes[AttributeDepth].numbersAt, "a thickness and a depth of entry %d, or neither", entry)
			}
			if !has(AttributeSourceKind) && (entry != end-1 || has(AttributeMounting) || has(AttributeThickness)) {
				faults.add(e.attributes[AttributeSourceKind].numbersAt,
					"a source kind of entry %d, which is not the last of its product or has a set-up", entry)
			}
		}
		places = append(places[:0], e.places[min(first, len(e.places)):min(end, len(e.places))]...)
		slices.Sort(places)
		for i, place := range places {
			if int(place) != i {
				faults.add(e.placesAt+int64(first)*2, "the places 0 to %d, each once, of the entries of document %d", end-first-1, e.docs[first])
				break
			}
		}
	}
}

// checkEntrySlices holds section KindEntrySlices against the tables.
func (x *Index) checkEntrySlices(faults *faultList) {
	for norm := range x.Entries {
		e := &x.Entries[norm]
		for band := range e.bandSlices {
			e.bandSlices[band].check(faults, len(e.docs), func(entry int) uint32 {
				if levels := e.Levels(entry); levels != nil {
					return uint32(levels[band])
				}
				return 0
			})
		}
	}
	e := &x.Entries[NormAbsorption]
	for a := range NumAttributes {
		e.attributes[a].slices.check(faults, len(e.docs), func(entry int) uint32 { return e.Number(a, entry) })
	}
}

// check holds the slices against the n numbers that they are of. Of numbers that differ it names the first.
func (s *bitSlices) check(faults *faultList, n int, number func(i int) uint32) {
	most := uint32(0)
	for i := range (n + sliceBlock - 1) / sliceBlock * sliceBlock {
		want := uint32(0)
		if i < n {
			want = number(i)
		}
		if got := s.at(i); got != want {
			faults.add(s.start+int64(i/sliceBlock*s.depth*sliceWords*8), "%d as number %d of %d, as in section %s, not %d", want, i, n, KindEntries, got)
			return
		}
		most = max(most, want)
	}
	if depth := bits.Len32(most); depth != s.depth {
		faults.add(s.start-8, "%d planes, the bits of %d, not %d", depth, most, s.depth)
	}
}
