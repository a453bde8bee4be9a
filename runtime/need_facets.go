package runtime

import (
	"cmp"
	"math/bits"
	"slices"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A needCounter counts the values of needs. It is the memory of that.
type needCounter struct {
	needs  needFinder // without the family that is counted
	counts []int      // by the number of a value
	last   []int      // document that was counted last, plus one
}

// facets counts the values of each family of needs. hits are what a query found; no page has been made yet.
func (c *needCounter) facets(s *filterSets, n *Needs, hits selection) *NeedFacets {
	mountings := s.index.Entries[indexes.NormAbsorption].Texts(indexes.AttributeMounting)
	without := func(drop func(n *Needs)) *Needs {
		other := *n
		drop(&other)
		return &other
	}
	f := &NeedFacets{
		AbsorptionClasses: c.family(s, hits, indexes.AttributeClass, acoustics.Classes, n.AbsorptionClasses,
			without(func(n *Needs) { n.AbsorptionClasses = nil })),
		Mountings: c.family(s, hits, indexes.AttributeMounting, mountings, n.Mountings,
			without(func(n *Needs) { n.Mountings = nil })),
		SourceKinds: c.family(s, hits, indexes.AttributeSourceKind, product.SourceKinds, n.SourceKinds,
			without(func(n *Needs) { n.SourceKinds = nil })),
	}
	for _, counts := range [][]ValueCount{f.Mountings, f.SourceKinds} {
		slices.SortFunc(counts, func(a, b ValueCount) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
		})
	}
	return f
}

// family returns the counts of a family's values that are not 0 or chosen, in the order of the values. others
// are the needs without the family.
func (c *needCounter) family(s *filterSets, hits selection, a indexes.Attribute, values, chosen []string,
	others *Needs) []ValueCount {
	finder := &s.needs
	if len(chosen) > 0 || s.needed == nil {
		finder = &c.needs
		finder.read(s.index, others, false)
		if needed := s.needed; needed != nil {
			s.needed = nil
			if others.asked() {
				s.needed = finder.find(s.arena, s.matched)
			}
			hits, s.needed = s.restrict(s.matched, indexes.NumFamilies), needed
		}
	}
	c.count(s.arena, finder, a, hits)
	var counts []ValueCount
	for _, v := range values {
		n := 0
		if number := finder.table.Find(a, v); number > 0 {
			n = c.counts[number]
		}
		if n > 0 || slices.Contains(chosen, v) {
			counts = append(counts, ValueCount{v, n})
		}
	}
	return counts
}

// count counts the documents of a selection by the values that their entries have which meet the needs.
func (c *needCounter) count(a *arena, f *needFinder, of indexes.Attribute, base selection) {
	values := f.table.Values(of) + 1
	c.counts, c.last = zeros(c.counts, values), zeros(c.last, values)
	if !a.scope.All() || f.each || base.docs != nil && base.n <= a.blocks.mostNarrow(narrowShare) {
		for place, ok := base.docs.Next(0); ok; place, ok = base.docs.Next(place + 1) {
			d := a.scope.At(place)
			for entry, end := f.table.Of(d); entry < end; entry++ {
				if f.meets(indexes.NormAbsorption, entry) {
					c.add(d, f.table.Number(of, entry))
				}
			}
		}
		return
	}
	entries := sized(&f.scratch[0], f.table)
	if f.asks(indexes.NormAbsorption) {
		entries.Copy(f.entries[indexes.NormAbsorption])
	} else {
		entries.Fill(f.table.Len())
	}
	f.table.KeepNumbers(entries, of, 1, uint32(values))
	docs := f.table.Docs()
	for w, word := range entries {
		for ; word != 0; word &= word - 1 {
			entry := w*docset.WordBits + bits.TrailingZeros64(word)
			if base.docs == nil || base.docs.Has(docs[entry]) {
				c.add(docs[entry], f.table.Number(of, entry))
			}
		}
	}
}

// add counts a document once for a value. Documents come in ascending order.
func (c *needCounter) add(d column.Doc, number uint32) {
	if int64(number) < int64(len(c.last)) && c.last[number] != int(d)+1 {
		c.last[number] = int(d) + 1
		c.counts[number]++
	}
}
