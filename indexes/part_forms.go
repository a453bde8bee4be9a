package indexes

import (
	"maps"
	"slices"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindPartForms is the forms of the parts of compounds: as the compounds spell them, with a linking element or
// without, and as the words are spelled alone. What KindParts has of numbers has none.
//
//	offset  size  field
//	     0     8  number of forms n
//	     8   4*n  for each form its key in KindParts
//	        to 8  zero
//	         4*n  the forms in the order of their letters read backwards, as in KindReversed
//	        to 8  zero
//	              a sorted table of n texts, see sorted_texts.go: the forms
const partFormsHead = 8

// PartForms is a sorted table of the forms of parts of compounds, each with the part that it is a form of.
type PartForms struct {
	sortedTexts
	Fuzzy
	parts []uint32
}

// openPartForms reads section KindPartForms.
func openPartForms(c *snapshot.Cursor) PartForms {
	n := c.Uint64()
	if n > 1<<32 {
		c.Fail(0, "forms whose number fits into 32 bits")
	}
	p := PartForms{parts: column.Read[uint32](c, n)}
	reversed := column.Read[uint32](c, n)
	p.sortedTexts = readSorted(c, n)
	p.Fuzzy = newFuzzy(&p.Texts, reversed)
	return p
}

// Part returns the place in Index.Parts of the part that a form is of.
func (p *PartForms) Part(form int) int {
	if uint(form) >= uint(len(p.parts)) {
		return 0
	}
	return int(p.parts[form])
}

// check holds the forms against the parts, and their second order against the first.
func (p *PartForms) check(faults *faultList, parts *Groups, terms *Terms) {
	reversedAt := partFormsHead + column.Size[uint32](p.Len())
	used := make([]bool, parts.Len())
	for i, part := range p.parts {
		if int(part) >= len(used) {
			faults.add(partFormsHead+4*int64(i), "a part below %d, not %d", len(used), part)
			continue
		}
		used[part] = true
	}
	for i, isUsed := range used {
		isNumber := func(t uint32) bool { return analysis.HasDigit(terms.Word(Term(t))) }
		if !isUsed && !slices.ContainsFunc(parts.Numbers(i), isNumber) {
			faults.add(partFormsHead, "a form of %q", parts.Key(i))
		}
	}
	p.Fuzzy.check(faults, reversedAt)
	p.sortedTexts.check(faults, reversedAt+column.Size[uint32](p.Len()))
}

// writePartForms writes section KindPartForms; forms has the key of its part for each form.
func writePartForms(w *snapshot.Writer, h *halt, parts *groupLists, forms map[string]string) error {
	texts := slices.Sorted(maps.Keys(forms))
	numbers := make([]uint32, len(texts))
	for i, form := range texts {
		at, _ := slices.BinarySearch(parts.keys, forms[form])
		numbers[i] = uint32(at)
	}
	c := column.Begin(w, KindPartForms)
	column.Put(c, []uint64{uint64(len(texts))})
	column.Put(c, numbers)
	column.Put(c, reversedOrder(h, texts))
	putSorted(c, texts)
	return c.Err()
}
