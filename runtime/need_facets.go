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

// A needCounter counts the values of needs and reuses its memory.
type needCounter struct {
	needs  needFinder                   // needs without the choice of the family that is counted
	counts [indexes.NumAttributes][]int // number of documents by value number; 0 is the number of no value
	last   [indexes.NumAttributes][]int // number of the last counted document plus 1, by value
}

// needFamilies lists the families whose values can be chosen in needs.
var needFamilies = [...]struct {
	attribute indexes.Attribute
	chosen    func(n *Needs) *[]string
}{
	{indexes.AttributeClass, func(n *Needs) *[]string { return &n.AbsorptionClasses }},
	{indexes.AttributeMounting, func(n *Needs) *[]string { return &n.Mountings }},
	{indexes.AttributeSourceKind, func(n *Needs) *[]string { return &n.SourceKinds }},
}

// facets counts the values of each need family among the hits. Call it before building the page.
func (c *needCounter) facets(s *filterSets, n *Needs, hits selection) *NeedFacets {
	finder := &s.needs
	if s.needed == nil { // there are no needs, so no value is chosen in any family
		finder = &c.needs
		finder.read(s.index, n, false)
	}
	together := make([]indexes.Attribute, 0, len(needFamilies))
	for i := range needFamilies {
		if f := &needFamilies[i]; len(*f.chosen(n)) == 0 {
			together = append(together, f.attribute)
			continue
		}
		c.countWithout(s, *n, i)
	}
	if s.needed == nil && hits.docs == nil { // the whole catalogue
		c.copyCounts(finder.table, together)
	} else {
		c.count(s.arena, finder, together, hits)
	}
	mountings := finder.table.Texts(indexes.AttributeMounting)
	facets := &NeedFacets{
		AbsorptionClasses: c.shown(finder.table, indexes.AttributeClass, acoustics.Classes, n.AbsorptionClasses),
		Mountings:         c.shown(finder.table, indexes.AttributeMounting, mountings, n.Mountings),
		SourceKinds:       c.shown(finder.table, indexes.AttributeSourceKind, product.SourceKinds, n.SourceKinds),
	}
	for _, counts := range [][]ValueCount{facets.Mountings, facets.SourceKinds} {
		slices.SortFunc(counts, func(a, b ValueCount) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
		})
	}
	return facets
}

// countWithout counts the values of a family as if none of them was chosen.
func (c *needCounter) countWithout(s *filterSets, n Needs, family int) {
	f := &needFamilies[family]
	*f.chosen(&n) = nil
	c.needs.read(s.index, &n, false)
	needed := s.needed
	if s.needed = nil; n.isSet() {
		s.needed = c.needs.find(s.arena, s.matched)
	}
	hits := s.passing(noFamily)
	s.needed = needed
	c.count(s.arena, &c.needs, []indexes.Attribute{f.attribute}, hits)
}

// copyCounts copies the counts of the whole catalogue from the file.
func (c *needCounter) copyCounts(table *indexes.Entries, attributes []indexes.Attribute) {
	for _, a := range attributes {
		c.counts[a] = c.counts[a][:0]
		for number := range table.Values(a) + 1 {
			c.counts[a] = append(c.counts[a], table.DocCount(a, uint32(number)))
		}
	}
}

// shown returns the values that are chosen or have a count other than 0, in order, with their counts.
func (c *needCounter) shown(table *indexes.Entries, a indexes.Attribute, values, chosen []string) (shown []ValueCount) {
	for _, v := range values {
		n := 0
		if number := table.Find(a, v); number > 0 {
			n = c.counts[a][number]
		}
		if n > 0 || slices.Contains(chosen, v) {
			shown = append(shown, ValueCount{v, n})
		}
	}
	return shown
}

// count counts the documents of a selection by the values of attributes, for entries that meet the needs.
func (c *needCounter) count(a *arena, f *needFinder, attributes []indexes.Attribute, base selection) {
	for _, of := range attributes {
		values := f.table.Values(of) + 1
		c.counts[of], c.last[of] = zeros(c.counts[of], values), zeros(c.last[of], values)
	}
	if !a.scope.All() || f.oneByOne || base.docs != nil && base.n <= a.blocks.maxNarrow(narrowShare) {
		for place, ok := base.docs.Next(0); ok; place, ok = base.docs.Next(place + 1) {
			d := a.scope.At(place)
			for entry, end := f.table.Of(d); entry < end; entry++ {
				if f.meets(indexes.NormAbsorption, entry) {
					c.add(d, f.table, attributes, entry)
				}
			}
		}
		return
	}
	entries := f.entries[indexes.NormAbsorption]
	if !f.hasConditions(indexes.NormAbsorption) {
		entries = entriesOf(&f.scratch[0], f.table, base)
	}
	docs := f.table.Docs()
	for w, word := range entries {
		for ; word != 0; word &= word - 1 {
			entry := w*docset.WordBits + bits.TrailingZeros64(word)
			if d := docs[entry]; base.docs == nil || base.docs.Has(d) {
				c.add(d, f.table, attributes, entry)
			}
		}
	}
}

// add counts a document once for each of its values. Documents must come in ascending order.
func (c *needCounter) add(d column.Doc, table *indexes.Entries, attributes []indexes.Attribute, entry int) {
	for _, a := range attributes {
		number, last := table.Number(a, entry), c.last[a]
		if int64(number) < int64(len(last)) && last[number] != int(d)+1 {
			last[number] = int(d) + 1
			c.counts[a][number]++
		}
	}
}
