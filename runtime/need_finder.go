package runtime

import (
	"math"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// LeastShared is how many bands two products must both have to be compared.
const LeastShared = 3

// A needFinder finds the entries that meet needs, and the documents that have them. It is the memory of that.
type needFinder struct {
	index   *indexes.Index
	table   *indexes.Entries // of absorption
	asked   *Needs
	ranges  [indexes.NumNorms][]levelRange
	numbers []numberRange // of absorption, each of which must hold
	target  []targetBand
	shared  int  // how many bands of the target an entry must have
	each    bool // the documents are few, and each is looked at: then there are no entries

	entries docset.Dense // of absorption that meet the needs
	partial docset.Dense // those of them that lack a band of the target
	scratch [4]docset.Dense
	nearest []keyed
}

// A levelRange is a band, by its place, and the levels that are asked for in it.
type levelRange struct {
	band        int
	least, most indexes.Level
	bounded     bool // from below
	thirds      int  // by that, in thirds of a thousandth
}

// A numberRange is an attribute and what its numbers may be: those of a list, or from least to most.
type numberRange struct {
	attribute   indexes.Attribute
	listed      bool
	list        []uint32
	least, most uint32
}

func (r *numberRange) has(number uint32) bool {
	if r.listed {
		return slices.Contains(r.list, number)
	}
	return r.least <= number && number <= r.most
}

// A targetBand is a band of a target, by its place, and the coefficient there in thirds of a thousandth.
type targetBand struct{ band, thirds int }

// anyLevel is above every level that a table has.
const anyLevel = math.MaxUint16

// read takes needs.
func (f *needFinder) read(x *indexes.Index, n *Needs) {
	f.index, f.table, f.asked = x, &x.Entries[indexes.NormAbsorption], n
	for norm := range f.ranges {
		f.ranges[norm] = f.ranges[norm][:0]
	}
	f.readBounds(indexes.NormAbsorption, n.AbsorptionMin, n.AbsorptionMax)
	f.readBounds(indexes.NormScattering, n.ScatteringMin, nil)
	f.readBounds(indexes.NormDiffusion, n.DiffusionMin, nil)
	f.numbers = f.numbers[:0]
	f.readLength(indexes.AttributeThickness, n.ThicknessMax)
	f.readLength(indexes.AttributeDepth, n.DepthMax)
	f.readTexts(indexes.AttributeMounting, n.Mountings)
	f.readTexts(indexes.AttributeSourceKind, n.SourceKinds)
	f.readTexts(indexes.AttributeClass, n.AbsorptionClasses)
	f.readTarget(n)
}

// readBounds takes the levels that are asked for in the bands of a norm.
func (f *needFinder) readBounds(norm indexes.Norm, least, most []Bound) {
	ranges := f.ranges[norm]
	of := func(b Bound) *levelRange {
		band := slices.Index(norm.Bands(), b.BandHz)
		i := slices.IndexFunc(ranges, func(r levelRange) bool { return r.band == band })
		if i < 0 {
			i = len(ranges)
			ranges = append(ranges, levelRange{band: band, least: 1, most: anyLevel})
		}
		return &ranges[i]
	}
	for _, b := range least {
		r := of(b)
		r.least, r.bounded, r.thirds = indexes.LevelOf(3*b.Thousandths), true, 3*b.Thousandths
	}
	for _, b := range most {
		of(b).most = indexes.LevelOf(3 * b.Thousandths)
	}
	f.ranges[norm] = ranges
}

func (f *needFinder) readLength(a indexes.Attribute, most *float64) {
	if most != nil {
		f.numbers = append(f.numbers, numberRange{attribute: a, least: 1, most: f.table.AtMost(a, *most)})
	}
}

func (f *needFinder) readTexts(a indexes.Attribute, values []string) {
	if len(values) == 0 {
		return
	}
	r := numberRange{attribute: a, listed: true}
	for _, v := range values {
		if number := f.table.Find(a, v); number > 0 && !slices.Contains(r.list, number) {
			r.list = append(r.list, number)
		}
	}
	f.numbers = append(f.numbers, r)
}

func (f *needFinder) readTarget(n *Needs) {
	f.target = f.target[:0]
	if n.Like != nil {
		f.target, f.shared = appendCurve(f.target, f.index, *n.Like), LeastShared
		return
	}
	for _, b := range n.Curve {
		f.target = append(f.target, targetBand{slices.Index(indexes.NormAbsorption.Bands(), b.BandHz), 3 * b.Thousandths})
	}
	f.shared = len(f.target)
}

// The bands of Like are the octaves from 125 to 4000 Hz: from place likeFirst on up to likeEnd.
const likeFirst, likeEnd = 1, 7

// appendCurve appends the curve of a product's most absorptive entry.
func appendCurve(dst []targetBand, x *indexes.Index, d column.Doc) []targetBand {
	table := &x.Entries[indexes.NormAbsorption]
	first, end := table.Of(d)
	for entry := first; entry < end; entry++ {
		if table.Place(entry) != 0 {
			continue
		}
		levels := table.Levels(entry)
		for band := likeFirst; band < min(likeEnd, len(levels)); band++ {
			if levels[band] != 0 {
				dst = append(dst, targetBand{band, levels[band].Thirds()})
			}
		}
		break
	}
	return dst
}

// find returns the documents among those of an arena that meet the needs, perhaps with others of the arena.
func (f *needFinder) find(a *arena, among selection) docset.Dense {
	docs := a.take()
	if f.each = among.docs != nil && among.n <= a.blocks.mostNarrow(narrowShare) || !a.scope.All(); f.each {
		for place, ok := among.docs.Next(0); ok; place, ok = among.docs.Next(place + 1) {
			if f.meetsAll(a.scope.At(place)) {
				docs.Add(place)
			}
		}
		return docs
	}
	whole := true // nothing has restricted docs yet
	for norm := range indexes.NumNorms {
		if norm != indexes.NormAbsorption && len(f.ranges[norm]) == 0 || norm == indexes.NormAbsorption && !f.asked.ofAbsorption() {
			continue
		}
		table := &f.index.Entries[norm]
		entries := f.keep(norm)
		if whole {
			table.DocsInto(docs, entries)
			whole = false
			continue
		}
		of := a.take()
		table.DocsInto(of, entries)
		docs.And(of)
		a.give(of)
	}
	if f.asked.Like != nil {
		docs.Remove(*f.asked.Like)
	}
	return docs
}

// keep returns the entries of a norm that meet the needs.
func (f *needFinder) keep(norm indexes.Norm) docset.Dense {
	table := &f.index.Entries[norm]
	set := &f.entries
	if norm != indexes.NormAbsorption {
		set = &f.scratch[0]
	}
	kept := sized(set, table.Len())
	kept.Fill(table.Len())
	for _, r := range f.ranges[norm] {
		table.KeepLevels(kept, r.band, r.least, r.most)
	}
	if norm == indexes.NormAbsorption {
		for i := range f.numbers {
			f.keepNumbers(kept, &f.numbers[i])
		}
		f.keepShared(kept)
	}
	return kept
}

// sized returns a set of a number of entries, in the memory of another if it has room.
func sized(memory *docset.Dense, entries int) docset.Dense {
	words := docset.Words(entries)
	*memory = slices.Grow((*memory)[:0], words)[:words]
	return *memory
}

func (f *needFinder) keepNumbers(kept docset.Dense, r *numberRange) {
	if !r.listed {
		f.table.KeepNumbers(kept, r.attribute, r.least, r.most)
		return
	}
	united, one := sized(&f.scratch[0], f.table.Len()), sized(&f.scratch[1], f.table.Len())
	united.Clear()
	for _, number := range r.list {
		one.Copy(kept)
		f.table.KeepNumbers(one, r.attribute, number, number)
		united.Or(one)
	}
	kept.And(united)
}

// keepShared keeps the entries that have as many bands of the target as they must.
func (f *needFinder) keepShared(kept docset.Dense) {
	partial := sized(&f.partial, f.table.Len())
	partial.Clear()
	if f.shared == len(f.target) { // each of them
		for _, t := range f.target {
			f.table.KeepLevels(kept, t.band, 1, anyLevel)
		}
		return
	}
	var atLeast [LeastShared]docset.Dense // one band, two, three
	for i := range atLeast {
		atLeast[i] = sized(&f.scratch[i], f.table.Len())
		atLeast[i].Clear()
	}
	has := sized(&f.scratch[LeastShared], f.table.Len())
	for _, t := range f.target {
		has.Copy(kept)
		f.table.KeepLevels(has, t.band, 1, anyLevel)
		for i := LeastShared - 1; i > 0; i-- {
			for w := range has {
				atLeast[i][w] |= atLeast[i-1][w] & has[w]
			}
		}
		atLeast[0].Or(has)
		for w := range has {
			partial[w] |= kept[w] &^ has[w]
		}
	}
	kept.And(atLeast[LeastShared-1])
}

// meetsAll reports whether a document meets the needs, as find does.
func (f *needFinder) meetsAll(d column.Doc) bool {
	if f.asked.Like != nil && d == *f.asked.Like {
		return false
	}
	for norm := range indexes.NumNorms {
		if norm == indexes.NormAbsorption && !f.asked.ofAbsorption() || norm != indexes.NormAbsorption && len(f.ranges[norm]) == 0 {
			continue
		}
		if f.firstMeeting(norm, d) == noEntry {
			return false
		}
	}
	return true
}

// firstMeeting returns the first entry of a document that meets the needs of a norm, noEntry when none does.
func (f *needFinder) firstMeeting(norm indexes.Norm, d column.Doc) int {
	first, end := f.index.Entries[norm].Of(d)
	for entry := first; entry < end; entry++ {
		if f.meets(norm, entry) {
			return entry
		}
	}
	return noEntry
}

// meets reports whether an entry meets the needs of its norm.
func (f *needFinder) meets(norm indexes.Norm, entry int) bool {
	levels := f.index.Entries[norm].Levels(entry)
	if levels == nil {
		return false
	}
	for _, r := range f.ranges[norm] {
		if level := levels[r.band]; level < r.least || level > r.most {
			return false
		}
	}
	if norm != indexes.NormAbsorption {
		return true
	}
	for i := range f.numbers {
		if r := &f.numbers[i]; !r.has(f.table.Number(r.attribute, entry)) {
			return false
		}
	}
	shared := 0
	for _, t := range f.target {
		if levels[t.band] != 0 {
			shared++
		}
	}
	return shared >= f.shared
}
