package indexes

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A facetBuilder collects the values of one family from the documents.
type facetBuilder struct {
	family Family
	all    []string          // values of the family if they are the same in every catalogue, or nil
	known  map[string]uint32 // index in lists plus one, by the values of the list with their lengths
	lists  [][]string        // distinct lists of a document's values in the order of first use; each is ascending
	ofDocs []uint32          // by document: index in lists plus one, or 0 if it has no value
	joined []byte            // scratch memory of add, a key of known
	sorted []string          // scratch memory of add

	// The following fields are set by finish, after the last document was added. known and lists are then
	// nil.
	values  []string                     // distinct values, ascending
	numbers column.Lists[uint64, uint32] // for each of lists, the numbers of its values
	refs    []docset.Ref
}

// add adds the values of the next document. Empty values are ignored.
func (b *facetBuilder) add(values ...string) {
	b.sorted = append(b.sorted[:0], values...)
	slices.Sort(b.sorted)
	b.sorted = slices.Compact(b.sorted)
	if len(b.sorted) > 0 && b.sorted[0] == "" {
		b.sorted = b.sorted[1:]
	}
	if len(b.sorted) == 0 {
		b.ofDocs = append(b.ofDocs, 0)
		return
	}
	b.joined = b.joined[:0]
	for _, v := range b.sorted {
		b.joined = append(binary.AppendUvarint(b.joined, uint64(len(v))), v...)
	}
	number, ok := b.known[string(b.joined)]
	if !ok {
		list := make([]string, len(b.sorted))
		for i, v := range b.sorted {
			list[i] = strings.Clone(v) // so that the garbage collector can free the source text
		}
		b.lists = append(b.lists, list)
		number = uint32(len(b.lists))
		b.known[string(b.joined)] = number
	}
	b.ofDocs = append(b.ofDocs, number)
}

// documentValues returns the distinct values of all documents in ascending order.
func (b *facetBuilder) documentValues() []string {
	values := slices.Concat(b.lists...)
	slices.Sort(values)
	return slices.Compact(values)
}

// finish numbers the declared values and the values of documents, and stores their sets.
func (b *facetBuilder) finish(declared []string, sets *docset.Builder) error {
	b.values = append(declared, b.documentValues()...)
	slices.Sort(b.values)
	b.values = slices.Compact(b.values)
	if b.all != nil && len(b.values) != len(b.all) { // all are declared, so there are other values too
		return fmt.Errorf("indexes: family %s: invalid values %q; only %q are allowed", FamilyNames[b.family], b.values, b.all)
	}
	b.numbers = column.Collect(len(b.lists), func(visit func(list int, number uint32)) {
		for i, list := range b.lists {
			for _, v := range list {
				visit(i, b.number(v))
			}
		}
	})
	b.known, b.lists = nil, nil
	docs := b.byValue()
	safer := make(docset.Dense, docset.Words(len(b.ofDocs)))
	for i := range b.values {
		own := docs.At(i)
		if b.family == FamilyFireClass {
			safer.AddAll(own)
			own = safer.Docs()
		}
		b.refs = append(b.refs, sets.Add(own))
	}
	return nil
}

// number returns the index of a value in values, which must contain it.
func (b *facetBuilder) number(value string) uint32 {
	i, _ := slices.BinarySearch(b.values, value)
	return uint32(i)
}

// byValue returns the documents of each value in ascending order.
func (b *facetBuilder) byValue() column.Lists[uint64, column.Doc] {
	return column.Collect(len(b.values), func(visit func(value int, d column.Doc)) {
		for d, list := range b.ofDocs {
			for _, v := range b.numbers.At(int(list) - 1) {
				visit(int(v), column.Doc(d))
			}
		}
	})
}

func (b *facetBuilder) row() []uint32 {
	if b.family != FamilyInstallation {
		return []uint32{uint32(len(b.values)), 0, 0, 0}
	}
	return []uint32{uint32(len(b.values)), uint32(b.numbers.Len()), uint32(len(b.numbers.Values)), 0}
}

// write writes the columns of the family. manufacturers maps slugs to manufacturers.
func (b *facetBuilder) write(c *column.Writer, manufacturers map[string]Manufacturer) {
	column.Put(c, b.refs)
	if b.family == FamilyManufacturer {
		var texts []string // manufacturerTexts strings for each manufacturer
		for _, slug := range b.values {
			m := manufacturers[slug]
			texts = append(texts, m.Slug, m.ID, m.Name)
		}
		column.PutTexts(c, texts)
	} else {
		column.PutTexts(c, b.values)
	}
	if b.family == FamilyInstallation {
		column.PutNarrow(c, b.ofDocs, uint32(b.numbers.Len()))
		column.PutLists(c, b.numbers)
		return
	}
	numbers := make([]uint32, len(b.ofDocs))
	for d, list := range b.ofDocs {
		if list > 0 {
			numbers[d] = b.numbers.At(int(list) - 1)[0] + 1
		}
	}
	column.PutNarrow(c, numbers, uint32(len(b.values)))
	if b.family == FamilyManufacturer {
		id := func(i uint32) string { return strings.ToLower(manufacturers[b.values[i]].ID) }
		column.Put(c, sortedNumbers(len(b.values), func(i, j uint32) int { return strings.Compare(id(i), id(j)) }))
	}
}
