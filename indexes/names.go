package indexes

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"sabine/indexes/analysis"
	"sabine/indexes/snapshot"
)

// Section KindNameTrigrams is groups, as in groups.go, with trigrams as keys and the numbers of the names that hold
// them, and behind them:
//
//	size  field
//	   8  number of names n: the keys of KindNames in their order, then the keys of KindMakers
//	 2*n  the number of distinct trigrams of each name; 65,535 stands for that many or more
//	to 8  zero

// NameTrigrams finds names by trigram. Names are numbered as in Index.Names, makers as in Index.Makers behind them.
type NameTrigrams struct {
	trigrams Groups
	sizes    []uint16
}

// openNameTrigrams reads section KindNameTrigrams.
func openNameTrigrams(c *snapshot.Cursor) NameTrigrams {
	t := NameTrigrams{trigrams: openGroups(c, KindNameTrigrams)}
	t.sizes = readColumn[uint16](c, c.Uint64())
	return t
}

// Names returns the numbers of the names that hold a trigram, ascending, where they lie.
func (t *NameTrigrams) Names(trigram string) []uint32 {
	i, ok := t.trigrams.Find(trigram)
	if !ok {
		return nil
	}
	return t.trigrams.Numbers(i)
}

// Size returns how many distinct trigrams a name has.
func (t *NameTrigrams) Size(name uint32) int {
	if int64(name) >= int64(len(t.sizes)) {
		return 0
	}
	return int(t.sizes[name])
}

// check holds the sizes against the lists; there are that many names.
func (t *NameTrigrams) check(names int) error {
	if err := t.trigrams.check(names); err != nil {
		return err
	}
	var faults faultList
	if len(t.sizes) != names {
		faults.add(KindNameTrigrams, 0, fmt.Sprintf("sizes of %d names, not %d", names, len(t.sizes)))
		return faults.err()
	}
	counts := make([]int, names)
	for _, name := range t.trigrams.numbers {
		counts[name]++
	}
	for name, n := range counts {
		if want := min(n, math.MaxUint16); want != int(t.sizes[name]) {
			faults.add(KindNameTrigrams, 0, fmt.Sprintf("%d trigrams of name %d, not %d", want, name, t.sizes[name]))
		}
	}
	return faults.err()
}

// writeNameTrigrams writes section KindNameTrigrams for names in the order of their numbers.
func writeNameTrigrams(w *snapshot.Writer, names []string) error {
	// Trigrams are worked out twice, to count and then to fill: kept, they would be several times the section.
	place := map[analysis.Trigram]uint32{}
	var own []analysis.Trigram // of a name
	sizes := make([]uint16, len(names))
	total := uint64(0)
	for i, name := range names {
		own = analysis.PackedTrigrams(own[:0], name)
		sizes[i] = uint16(min(len(own), math.MaxUint16))
		total += uint64(len(own))
		for _, t := range own {
			place[t]++ // a count as yet
		}
	}
	if total > math.MaxUint32 {
		return fmt.Errorf("indexes: %d trigrams of names: a section holds %d", total, uint32(math.MaxUint32))
	}
	trigrams := slices.Sorted(maps.Keys(place))
	texts := make([]string, len(trigrams))
	starts := make([]uint32, 1, len(trigrams)+1)
	for i, t := range trigrams {
		texts[i] = t.String()
		starts = append(starts, starts[i]+place[t])
		place[t] = uint32(i)
	}
	numbers := make([]uint32, total)
	next := slices.Clone(starts)
	for i, name := range names {
		own = analysis.PackedTrigrams(own[:0], name)
		for _, t := range own {
			at := &next[place[t]]
			numbers[*at] = uint32(i)
			*at++
		}
	}
	section, err := w.Section(KindNameTrigrams, columnAlign)
	if err != nil {
		return err
	}
	c := &columnWriter{w: section}
	putGroups(c, texts, starts, numbers)
	put(c, []uint64{uint64(len(sizes))})
	put(c, sizes)
	return c.err
}
