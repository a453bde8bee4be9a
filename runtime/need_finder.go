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
	index      *indexes.Index
	table      *indexes.Entries // of absorption
	asked      *Needs
	conditions [indexes.NumNorms][]condition // each of which an entry of the norm must meet
	least      []bandValue                   // AbsorptionMin
	target     []bandValue
	each       bool // the documents are few, and each is looked at: then there are no entries

	entries [indexes.NumNorms]docset.Dense // that meet the needs
	shared  docset.Counter                 // of Like: how many bands of the target each entry of absorption has
	scratch [2]docset.Dense
	nearest []keyed
}

// A condition is a column of the entries of a norm, and the numbers that may stand there.
type condition struct {
	band      int               // whose levels these are, by its place; noBand:
	attribute indexes.Attribute // whose numbers they are
	spans     []span            // a number must be in one
	thickness span              // of AttributeDepth: where the thickness of an entry without a depth must be
}

const noBand = -1

// A span is the numbers from least to most.
type span struct{ least, most uint32 }

func (s span) has(number uint32) bool { return s.least <= number && number <= s.most }

// A bandValue is a band, by its place, and a coefficient there in thirds of a thousandth.
type bandValue struct{ band, thirds int }

// anyLevel is above every level that a table has.
const anyLevel = math.MaxUint16

// read takes needs. near says that an entry may have any value in the bands of AbsorptionMin.
func (f *needFinder) read(x *indexes.Index, n *Needs, near bool) {
	f.index, f.table, f.asked, f.each = x, &x.Entries[indexes.NormAbsorption], n, false
	for norm := range f.conditions {
		f.conditions[norm] = f.conditions[norm][:0]
	}
	f.least = appendValues(f.least[:0], n.AbsorptionMin)
	f.target = appendValues(f.target[:0], n.Curve)
	for norm, bounds := range n.least() {
		for _, b := range bounds {
			levels := f.levelsOf(indexes.Norm(norm), b)
			if !near || indexes.Norm(norm) != indexes.NormAbsorption {
				levels.least = uint32(indexes.LevelOf(3 * b.Thousandths))
			}
		}
	}
	for _, b := range n.AbsorptionMax {
		f.levelsOf(indexes.NormAbsorption, b).most = uint32(indexes.LevelOf(3 * b.Thousandths))
	}
	for _, b := range n.Curve {
		f.levelsOf(indexes.NormAbsorption, b) // whatever they are
	}
	if n.Like != nil {
		f.target = appendCurve(f.target, x, *n.Like)
	}
	f.readLength(indexes.AttributeThickness, n.ThicknessMax)
	f.readLength(indexes.AttributeDepth, n.DepthMax)
	if n.DepthMax != nil && n.DepthUnknown {
		all := f.conditions[indexes.NormAbsorption]
		all[len(all)-1].thickness = span{1, f.table.AtMost(indexes.AttributeThickness, *n.DepthMax)}
	}
	f.readTexts(indexes.AttributeMounting, n.Mountings)
	f.readTexts(indexes.AttributeSourceKind, n.SourceKinds)
	f.readTexts(indexes.AttributeClass, n.AbsorptionClasses)
}

// appendValues appends the bounds of absorption.
func appendValues(dst []bandValue, bounds []Bound) []bandValue {
	for _, b := range bounds {
		dst = append(dst, bandValue{slices.Index(indexes.NormAbsorption.Bands(), b.BandHz), 3 * b.Thousandths})
	}
	return dst
}

// add adds a condition without spans.
func (f *needFinder) add(norm indexes.Norm, band int, a indexes.Attribute) *condition {
	all := &f.conditions[norm]
	n := len(*all)
	*all = slices.Grow(*all, 1)[:n+1]
	c := &(*all)[n]
	*c = condition{band: band, attribute: a, spans: c.spans[:0]} // in the memory of an earlier query
	return c
}

// levelsOf returns what the level in the band of a bound may be, any at first.
func (f *needFinder) levelsOf(norm indexes.Norm, b Bound) *span {
	band := slices.Index(norm.Bands(), b.BandHz)
	for i := range f.conditions[norm] {
		if c := &f.conditions[norm][i]; c.band == band {
			return &c.spans[0]
		}
	}
	c := f.add(norm, band, 0)
	c.spans = append(c.spans, span{1, anyLevel})
	return &c.spans[0]
}

func (f *needFinder) readLength(a indexes.Attribute, most *float64) {
	if most != nil {
		c := f.add(indexes.NormAbsorption, noBand, a)
		c.spans = append(c.spans, span{1, f.table.AtMost(a, *most)})
	}
}

func (f *needFinder) readTexts(a indexes.Attribute, values []string) {
	if len(values) == 0 {
		return
	}
	c := f.add(indexes.NormAbsorption, noBand, a)
	for _, v := range values {
		if number := f.table.Find(a, v); number > 0 {
			c.spans = append(c.spans, span{number, number})
		}
	}
}

// The bands of Like are the octaves from 125 to 4000 Hz: from place likeFirst on up to likeEnd.
const likeFirst, likeEnd = 1, 7

// appendCurve appends the curve of a product's most absorptive entry.
func appendCurve(dst []bandValue, x *indexes.Index, d column.Doc) []bandValue {
	table := &x.Entries[indexes.NormAbsorption]
	levels := table.Levels(mostAbsorptive(table, d))
	for band := likeFirst; band < min(likeEnd, len(levels)); band++ {
		if levels[band] != 0 {
			dst = append(dst, bandValue{band, levels[band].Thirds()})
		}
	}
	return dst
}

// mostAbsorptive returns the most absorptive entry of a product, noEntry when it has none.
func mostAbsorptive(table *indexes.Entries, d column.Doc) int {
	first, end := table.Of(d)
	for entry := first; entry < end; entry++ {
		if table.Place(entry) == 0 {
			return entry
		}
	}
	return noEntry
}

// asks reports whether there are needs of a norm.
func (f *needFinder) asks(norm indexes.Norm) bool {
	return len(f.conditions[norm]) > 0 || norm == indexes.NormAbsorption && f.asked.Like != nil
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
	united := false
	for norm := range indexes.NumNorms {
		if !f.asks(norm) {
			continue
		}
		table, entries := &f.index.Entries[norm], f.keep(norm, among)
		if !united {
			table.DocsInto(docs, entries)
			united = true
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

// entriesEach is how many entries of a table may be walked in the time in which OfInto finds and adds those of
// one document.
const entriesEach = 20

// entriesOf returns the entries of a selection, or all of a table when that is faster. It reuses the memory.
func entriesOf(memory *docset.Dense, table *indexes.Entries, of selection) docset.Dense {
	set := sized(memory, table)
	if of.docs == nil || of.n*entriesEach > table.Len() {
		set.Fill(table.Len())
	} else {
		set.Clear()
		table.OfInto(set, of.docs)
	}
	return set
}

// keep returns the entries of a norm that meet the needs. It may leave out those of other documents than the
// selected ones.
func (f *needFinder) keep(norm indexes.Norm, among selection) docset.Dense {
	table := &f.index.Entries[norm]
	kept := entriesOf(&f.entries[norm], table, among)
	for i := range f.conditions[norm] {
		f.keepMeeting(kept, table, &f.conditions[norm][i])
	}
	if norm == indexes.NormAbsorption && f.asked.Like != nil {
		has := sized(&f.scratch[0], table)
		f.shared.Reset(table.Len(), len(f.target))
		for _, t := range f.target {
			has.Copy(kept)
			table.FilterLevels(has, t.band, 1, anyLevel)
			f.shared.Add(has)
		}
		f.shared.FilterAtLeast(kept, LeastShared)
	}
	return kept
}

// sized returns a set of entries, in the memory of another if it has room.
func sized(memory *docset.Dense, table *indexes.Entries) docset.Dense {
	words := docset.Words(table.Len())
	*memory = slices.Grow((*memory)[:0], words)[:words]
	return *memory
}

// keepMeeting keeps those of a set of entries that meet a condition.
func (f *needFinder) keepMeeting(kept docset.Dense, table *indexes.Entries, c *condition) {
	if len(c.spans) == 1 && c.thickness.most == 0 {
		c.keepSpan(kept, table, c.spans[0])
		return
	}
	united, one := sized(&f.scratch[0], table), sized(&f.scratch[1], table)
	united.Clear()
	for _, s := range c.spans {
		one.Copy(kept)
		c.keepSpan(one, table, s)
		united.Or(one)
	}
	if c.thickness.most > 0 {
		one.Copy(kept)
		table.FilterNumbers(one, c.attribute, 0, 0)
		table.FilterNumbers(one, indexes.AttributeThickness, c.thickness.least, c.thickness.most)
		united.Or(one)
	}
	kept.Copy(united)
}

func (c *condition) keepSpan(kept docset.Dense, table *indexes.Entries, s span) {
	if c.band == noBand {
		table.FilterNumbers(kept, c.attribute, s.least, s.most)
	} else {
		table.FilterLevels(kept, c.band, indexes.Level(s.least), indexes.Level(s.most))
	}
}

// meetsAll reports whether a document meets the needs, as find does.
func (f *needFinder) meetsAll(d column.Doc) bool {
	for norm := range indexes.NumNorms {
		if f.asks(norm) && f.firstMeeting(norm, d) == noEntry {
			return false
		}
	}
	return f.asked.Like == nil || d != *f.asked.Like
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
	table := &f.index.Entries[norm]
	levels := table.Levels(entry)
	if levels == nil {
		return false
	}
	for i := range f.conditions[norm] {
		if !f.conditions[norm][i].holds(table, entry, levels) {
			return false
		}
	}
	if norm != indexes.NormAbsorption || f.asked.Like == nil {
		return true
	}
	shared := 0
	for _, t := range f.target {
		if levels[t.band] != 0 {
			shared++
		}
	}
	return shared >= LeastShared
}

// holds reports whether an entry, which has levels, meets the condition.
func (c *condition) holds(table *indexes.Entries, entry int, levels []indexes.Level) bool {
	var number uint32
	if c.band == noBand {
		number = table.Number(c.attribute, entry)
	} else {
		number = uint32(levels[c.band])
	}
	if number == 0 && c.thickness.most > 0 {
		return c.thickness.has(table.Number(indexes.AttributeThickness, entry))
	}
	return slices.ContainsFunc(c.spans, func(s span) bool { return s.has(number) })
}
