package runtime

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A needOrder is an order of the entries of a product, best first. Products are ordered by their best
// entries.
type needOrder uint8

const (
	byMatch     needOrder = iota // by distance to the target or, without a target, by margin, descending
	byMargin                     // by margin, even if there is a target
	byThickness                  // by thickness, ascending; unknown thicknesses are last
	byDepth
	byShortfall // for near misses: by the largest shortfall, then by the sum of shortfalls
)

// needOrderOf returns the order of products and the order of each product's entries for a sort by measured
// values.
func needOrderOf(s Sort) (products, entries needOrder) {
	switch s {
	case SortMargin:
		return byMargin, byMargin
	case SortThickness:
		return byThickness, byMatch
	case SortDepth:
		return byDepth, byMatch
	}
	return byMatch, byMatch
}

// match returns the best set-up of a document in an order. The document must meet the needs.
func (f *needFinder) match(d column.Doc, order needOrder) Match {
	m := Match{entry: noEntry}
	if !f.hasConditions(indexes.NormAbsorption) {
		return m
	}
	if m.entry, _ = f.best(d, order); m.entry == noEntry { // possible only in a file with inconsistent sections
		return m
	}
	levels := f.table.Levels(m.entry)
	if m.hasMargin = len(f.least) > 0; m.hasMargin {
		m.margin = f.margin(levels)
	}
	if m.hasDistance = len(f.target) > 0; m.hasDistance {
		m.distance = f.distance(levels)
	}
	if order == byShortfall {
		m.shortfall = new(shortfall)
		for _, b := range f.least {
			*m.shortfall = append(*m.shortfall, bandValue{b.band, max(b.thirds-levels[b.band].Thirds(), 0)})
		}
	}
	return m
}

// best returns the best entry of a document in an order, which is the entry with the smallest key, and its
// key. Without absorption needs it returns noEntry and equal keys.
func (f *needFinder) best(d column.Doc, order needOrder) (best int, least uint64) {
	if !f.hasConditions(indexes.NormAbsorption) {
		return noEntry, 0
	}
	best, least = noEntry, math.MaxUint16 // without a matching entry (only in an inconsistent file), as a margin of 0
	first, end := f.table.Of(d)
	for entry := first; entry < end; entry++ {
		if !f.meets(indexes.NormAbsorption, entry) {
			continue
		}
		key := f.keyBelow(math.MaxUint64, entry, order)
		if best == noEntry || key < least {
			best, least = entry, key
		}
	}
	return best, least
}

// margin returns the smallest surplus of an entry over AbsorptionMin, in thirds of a thousandth. Without
// AbsorptionMin it returns math.MaxUint16, which gives all entries the same key.
func (f *needFinder) margin(levels []indexes.Level) int {
	least := math.MaxUint16
	for i := range f.least { // copying each element would take longer than the rest of the loop
		b := &f.least[i]
		least = min(least, levels[b.band].Thirds()-b.thirds)
	}
	return least
}

// distance returns the distance of an entry from the target.
func (f *needFinder) distance(levels []indexes.Level) (d distance) {
	for _, t := range f.target {
		if level := levels[t.band]; level != 0 {
			difference := level.Thirds() - t.thirds
			d.sum += uint64(difference * difference)
			d.bands++
		}
	}
	return d
}

// A keyedHit is a hit, by its position in the scope, and its sort key. The smallest key is the best.
type keyedHit struct {
	key   uint64
	place column.Doc
}

func (k keyedHit) compare(other keyedHit) int {
	return cmp.Or(cmp.Compare(k.key, other.key), cmp.Compare(k.place, other.place))
}

func (k keyedHit) before(other keyedHit) bool {
	return k.key < other.key || k.key == other.key && k.place < other.place
}

// page appends at most need hits, starting at hit skip, in the order of their best entries. It may remove
// entries from f.entries, so it can be called only once for a search.
func (f *needFinder) page(dst []column.Doc, a *arena, hits selection, skip, need int,
	order needOrder) []column.Doc {
	best := bestKeys{list: f.nearest[:0], most: min(skip+need, hits.n), limit: math.MaxUint64}
	few := hits.n <= a.blocks.maxNarrow(narrowShare)
	if few || f.oneByOne || !f.hasConditions(indexes.NormAbsorption) {
		for place, ok := hits.docs.Next(0); ok; place, ok = hits.docs.Next(place + 1) {
			_, key := f.best(a.scope.At(place), order)
			best.offer(keyedHit{key, place})
		}
	} else {
		f.offerAll(&best, hits, order)
	}
	f.nearest = best.list
	selectFirst(best.list, skip)
	page := best.list[min(skip, len(best.list)):]
	selectFirst(page, need)
	page = page[:min(need, len(page))]
	slices.SortFunc(page, keyedHit.compare)
	for _, k := range page {
		dst = append(dst, a.scope.At(k.place))
	}
	return dst
}

// offerAll offers every hit, in an arena for the whole catalogue. It reads all entries that needFinder.find
// retained, because looking up the entries of each document takes longer.
func (f *needFinder) offerAll(best *bestKeys, hits selection, order needOrder) {
	last := keyedHit{key: math.MaxUint64} // best entry of the current document; initially there is none
	docs, entries := f.table.Docs(), f.entries[indexes.NormAbsorption]
	if entries.Len() > hits.n*entriesEach {
		entries.And(entriesOf(&f.scratch[0], f.table, hits))
	}
	step := len(entries)/sampled + 1
	sample := step
	if entries.Len() < len(docs)/narrowFrom || best.most > hits.n/2 {
		sample = len(entries)
	}
	for w := range entries {
		if w == sample {
			best.cut()
			if sample += step; best.limit < math.MaxUint64 {
				f.narrow(entries, best.limit, order)
				sample = len(entries) // narrow only once, because it reads all entries
			}
		}
		for word := entries[w]; word != 0; word &= word - 1 {
			entry := w*docset.WordBits + bits.TrailingZeros64(word)
			if !hits.docs.Has(docs[entry]) {
				continue
			}
			key := f.keyBelow(best.limit, entry, order)
			if key >= best.limit {
				continue
			}
			if d := docs[entry]; d != last.place {
				best.offer(last)
				last = keyedHit{key, d}
			} else {
				last.key = min(last.key, key)
			}
		}
	}
	best.offer(last)
}

// sampled sets the fraction of the entries, 1/sampled, after which offerAll drops entries that cannot be on
// the page. If offerAll has found too few hits by then, it continues until it has enough. With 100,000
// products, a search for the nearest products then takes only 35% of the time.
const sampled = 16

// offerAll drops entries only if they are at least 1/narrowFrom of the table, because narrow compares the
// whole table several times. Dropping entries is also too slow if a page needs more than half of the hits.
const narrowFrom = 4

// narrow drops entries whose length, or whose value in a single band, makes the key at least limit.
func (f *needFinder) narrow(entries docset.Dense, limit uint64, order needOrder) {
	switch {
	case order.isLength():
		f.table.FilterNumbers(entries, order.attribute(), 1, uint32(limit-1)) // limit is at most noLength
		return
	case order == byShortfall:
		f.retainMargin(entries, -int(limit>>sumBits))
		return
	case order == byMargin || len(f.target) == 0:
		f.retainMargin(entries, math.MaxUint16+1-int(limit)) // smallest margin with a key below the limit
		return
	}
	most := int(math.Sqrt(float64(limit / f.minFactor())))
	near := sized(&f.scratch[0], f.table)
	near.Copy(entries)
	for _, t := range f.target {
		f.table.FilterLevels(near, t.band, indexes.LevelOf(t.thirds-most), indexes.LevelOf(t.thirds+most))
	}
	if f.request.Like == nil {
		entries.Copy(near)
		return
	}
	// An entry that lacks bands of the product Like is not in near, but can still have a small distance.
	whole := sized(&f.scratch[1], f.table) // entries with all bands
	whole.Copy(entries)
	f.shared.FilterAtLeast(whole, len(f.target))
	entries.AndNot(whole)
	entries.Or(near)
}

// retainMargin retains entries with at least the given margin. A negative margin means a shortfall.
func (f *needFinder) retainMargin(entries docset.Dense, margin int) {
	for _, b := range f.least {
		f.table.FilterLevels(entries, b.band, indexes.LevelOf(b.thirds+margin), anyLevel)
	}
}

// minFactor returns the factor between an entry's sum of squares and its key, for an entry with all bands of
// the target. The factor of other entries is larger.
func (f *needFinder) minFactor() uint64 { return uint64(commonBands / len(f.target)) }

// keyBelow returns the key of an entry if the key is below limit, and otherwise a value that is at least
// limit.
func (f *needFinder) keyBelow(limit uint64, entry int, order needOrder) uint64 {
	if order >= byThickness { // or byDepth, or byShortfall
		return f.lengthOrShortfallKey(entry, order)
	}
	levels := f.table.Levels(entry)
	if order == byMargin || len(f.target) == 0 {
		return uint64(math.MaxUint16 - f.margin(levels)) // larger margins have smaller keys
	}
	var d distance
	factor := f.minFactor()
	for _, t := range f.target {
		level := levels[t.band]
		if level == 0 {
			continue
		}
		difference := level.Thirds() - t.thirds
		d.sum += uint64(difference * difference)
		d.bands++
		if d.sum*factor >= limit {
			return math.MaxUint64
		}
	}
	return d.key()
}

func (o needOrder) isLength() bool { return o == byThickness || o == byDepth }

// attribute returns the length that the order sorts by.
func (o needOrder) attribute() indexes.Attribute {
	if o == byThickness {
		return indexes.AttributeThickness
	}
	return indexes.AttributeDepth
}

const (
	noLength = math.MaxUint32 + 1 // key of an entry with an unknown length, greater than all other keys
	sumBits  = 32                 // bits of a near miss's key for the sum, below the largest shortfall
)

// lengthOrShortfallKey returns the key of an entry for byThickness, byDepth or byShortfall.
func (f *needFinder) lengthOrShortfallKey(entry int, order needOrder) uint64 {
	if order.isLength() {
		if number := f.table.Number(order.attribute(), entry); number > 0 {
			return uint64(number)
		}
		return noLength
	}
	levels, largest, sum := f.table.Levels(entry), 0, 0
	for _, b := range f.least {
		missing := max(b.thirds-levels[b.band].Thirds(), 0)
		largest, sum = max(largest, missing), sum+missing
	}
	return uint64(largest)<<sumBits | uint64(sum)
}

// bestKeys collects the hits with the smallest keys, in no particular order. Hits must be offered in
// ascending order of place.
type bestKeys struct {
	list  []keyedHit
	most  int    // maximum number of hits
	limit uint64 // exclusive upper limit of the keys to collect
}

// bestCapacity is the minimum number of collected hits before the worst ones are dropped.
const bestCapacity = 512

func (k *bestKeys) offer(one keyedHit) {
	if one.key >= k.limit {
		return
	}
	k.list = append(k.list, one)
	if len(k.list) >= 2*k.most+bestCapacity {
		k.cut()
	}
}

// cut drops all hits except the best ones. If hits have equal keys, cut retains the first. A later hit
// therefore needs a key below the greatest retained key.
func (k *bestKeys) cut() {
	if len(k.list) < k.most {
		return
	}
	selectFirst(k.list, k.most)
	k.list = k.list[:k.most]
	k.limit = 0
	for _, one := range k.list {
		k.limit = max(k.limit, one.key)
	}
}

// selectFirst moves the n smallest elements to the front, unordered, by Hoare's selection. For a late page,
// sorting all hits took several times as long as the other steps of the query.
func selectFirst(list []keyedHit, n int) {
	for 0 < n && n < len(list) {
		pivot, i, j := list[len(list)/2], 0, len(list)-1
		for i <= j {
			for list[i].before(pivot) {
				i++
			}
			for pivot.before(list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch { // between j and i is at most one element, equal to the pivot
		case n <= j:
			list = list[:j+1]
		case n >= i:
			list, n = list[i:], n-i
		default:
			return
		}
	}
}
