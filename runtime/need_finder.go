package runtime

import (
	"math"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// MinShared is the minimum number of common bands for a comparison of two products.
const MinShared = 3

// A needFinder finds the entries that meet needs, and their documents. It reuses its memory.
type needFinder struct {
	index      *indexes.Index
	table      *indexes.Entries // table of absorption entries
	request    *Needs
	conditions [indexes.NumNorms][]condition // conditions by norm; an entry must meet all of them
	least      []bandValue                   // bounds of AbsorptionMin
	target     []bandValue
	oneByOne   bool // whether the documents are few, so that they are checked individually

	entries [indexes.NumNorms]docset.Dense // entries that meet the needs
	shared  docset.Counter                 // for Like: number of the target's bands in each absorption entry
	scratch [2]docset.Dense
	nearest []keyedHit
}

// A condition is a column of a norm's entries, with its valid numbers.
type condition struct {
	band      int               // index of the band whose levels are checked, or noBand
	attribute indexes.Attribute // the column to check if band is noBand
	spans     []span            // valid ranges of the level or the column's number
	thickness span              // for AttributeDepth: valid thickness of an entry without a depth
}

const noBand = -1

// A span is a range of numbers: least to most, inclusive.
type span struct{ least, most uint32 }

func (s span) has(number uint32) bool { return s.least <= number && number <= s.most }

// A bandValue is a band, by index, and a coefficient in thirds of a thousandth.
type bandValue struct{ band, thirds int }

// anyLevel is greater than all levels in the tables.
const anyLevel = math.MaxUint16

// read converts needs to conditions. If near is true, AbsorptionMin accepts any value in its bands.
func (f *needFinder) read(x *indexes.Index, n *Needs, near bool) {
	f.index, f.table, f.request, f.oneByOne = x, &x.Entries[indexes.NormAbsorption], n, false
	for norm := range f.conditions {
		f.conditions[norm] = f.conditions[norm][:0]
	}
	f.least = appendValues(f.least[:0], n.AbsorptionMin)
	f.target = appendValues(f.target[:0], n.Curve)
	for norm, bounds := range n.minimums() {
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
		f.levelsOf(indexes.NormAbsorption, b) // requires the band, with any level
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

func appendValues(dst []bandValue, bounds []Bound) []bandValue {
	for _, b := range bounds {
		dst = append(dst, bandValue{slices.Index(indexes.NormAbsorption.Bands(), b.BandHz), 3 * b.Thousandths})
	}
	return dst
}

// add adds a condition that has no spans yet.
func (f *needFinder) add(norm indexes.Norm, band int, a indexes.Attribute) *condition {
	all := &f.conditions[norm]
	n := len(*all)
	*all = slices.Grow(*all, 1)[:n+1]
	c := &(*all)[n]
	*c = condition{band: band, attribute: a, spans: c.spans[:0]} // reuse the memory of an earlier query
	return c
}

// levelsOf returns the valid levels for the band of a bound. Initially all levels are valid.
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

// The bands of Like are the octaves from 125 to 4000 Hz: indexes likeFirst to likeEnd-1.
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

// mostAbsorptive returns the most absorptive entry of a product, or noEntry if it has none.
func mostAbsorptive(table *indexes.Entries, d column.Doc) int {
	first, end := table.Of(d)
	for entry := first; entry < end; entry++ {
		if table.Rank(entry) == 0 {
			return entry
		}
	}
	return noEntry
}

// hasConditions reports whether there are needs for a norm.
func (f *needFinder) hasConditions(norm indexes.Norm) bool {
	return len(f.conditions[norm]) > 0 || norm == indexes.NormAbsorption && f.request.Like != nil
}

// find returns the documents of a selection that meet the needs. The set may contain other documents of the
// arena.
func (f *needFinder) find(a *arena, among selection) docset.Dense {
	docs := a.take()
	if f.oneByOne = among.docs != nil && among.n <= a.blocks.maxNarrow(narrowShare) || !a.scope.All(); f.oneByOne {
		for place, ok := among.docs.Next(0); ok; place, ok = among.docs.Next(place + 1) {
			if f.meetsAll(a.scope.At(place)) {
				docs.Add(place)
			}
		}
		return docs
	}
	merged := false
	for norm := range indexes.NumNorms {
		if !f.hasConditions(norm) {
			continue
		}
		table, entries := &f.index.Entries[norm], f.matchingEntries(norm, among)
		if !merged {
			table.DocsInto(docs, entries)
			merged = true
			continue
		}
		of := a.take()
		table.DocsInto(of, entries)
		docs.And(of)
		a.give(of)
	}
	if f.request.Like != nil {
		docs.Remove(*f.request.Like)
	}
	return docs
}

// entriesEach is the number of table entries that can be read in the time that OfInto needs to add the
// entries of one document.
const entriesEach = 20

// entriesOf returns the entries of a selection, or all entries if that is faster. It reuses the memory.
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

// matchingEntries returns the entries of a norm that meet the needs. It may omit entries of documents outside
// the selection.
func (f *needFinder) matchingEntries(norm indexes.Norm, among selection) docset.Dense {
	table := &f.index.Entries[norm]
	retained := entriesOf(&f.entries[norm], table, among)
	for i := range f.conditions[norm] {
		f.retainMeeting(retained, table, &f.conditions[norm][i])
	}
	if norm == indexes.NormAbsorption && f.request.Like != nil {
		has := sized(&f.scratch[0], table)
		f.shared.Reset(table.Len(), len(f.target))
		for _, t := range f.target {
			has.Copy(retained)
			table.FilterLevels(has, t.band, 1, anyLevel)
			f.shared.Add(has)
		}
		f.shared.FilterAtLeast(retained, MinShared)
	}
	return retained
}

// sized returns a set of entries with arbitrary content. It reuses the memory.
func sized(memory *docset.Dense, table *indexes.Entries) docset.Dense {
	words := docset.Words(table.Len())
	*memory = slices.Grow((*memory)[:0], words)[:words]
	return *memory
}

// retainMeeting retains the entries that meet a condition.
func (f *needFinder) retainMeeting(retained docset.Dense, table *indexes.Entries, c *condition) {
	if len(c.spans) == 1 && c.thickness.most == 0 {
		c.retainSpan(retained, table, c.spans[0])
		return
	}
	merged, one := sized(&f.scratch[0], table), sized(&f.scratch[1], table)
	merged.Clear()
	for _, s := range c.spans {
		one.Copy(retained)
		c.retainSpan(one, table, s)
		merged.Or(one)
	}
	if c.thickness.most > 0 {
		one.Copy(retained)
		table.FilterNumbers(one, c.attribute, 0, 0)
		table.FilterNumbers(one, indexes.AttributeThickness, c.thickness.least, c.thickness.most)
		merged.Or(one)
	}
	retained.Copy(merged)
}

func (c *condition) retainSpan(retained docset.Dense, table *indexes.Entries, s span) {
	if c.band == noBand {
		table.FilterNumbers(retained, c.attribute, s.least, s.most)
	} else {
		table.FilterLevels(retained, c.band, indexes.Level(s.least), indexes.Level(s.most))
	}
}

// meetsAll reports whether find would return a document.
func (f *needFinder) meetsAll(d column.Doc) bool {
	for norm := range indexes.NumNorms {
		if f.hasConditions(norm) && f.firstMeeting(norm, d) == noEntry {
			return false
		}
	}
	return f.request.Like == nil || d != *f.request.Like
}

// firstMeeting returns the first entry of a document that meets the needs of a norm, or noEntry if none does.
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
		if !f.conditions[norm][i].accepts(table, entry, levels) {
			return false
		}
	}
	if norm != indexes.NormAbsorption || f.request.Like == nil {
		return true
	}
	shared := 0
	for _, t := range f.target {
		if levels[t.band] != 0 {
			shared++
		}
	}
	return shared >= MinShared
}

// accepts reports whether an entry with these levels meets the condition.
func (c *condition) accepts(table *indexes.Entries, entry int, levels []indexes.Level) bool {
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
