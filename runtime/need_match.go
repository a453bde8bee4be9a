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

// A needOrder is the order of the entries of a product, of which the first is the best, and of products by
// their best entries.
type needOrder uint8

const (
	byMatch     needOrder = iota // the nearest to the target first, else the largest margin
	byMargin                     // whatever the target
	byThickness                  // the least first, none last
	byDepth
	byShortfall // of near misses: the least largest one first, then the least sum
)

// needOrderOf returns the order of products under a sort, which is by measured values, and that of the entries
// of a product.
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

// match returns the set-up for which a document is a hit, the best in an order. The document meets the needs.
func (f *needFinder) match(d column.Doc, order needOrder) Match {
	m := Match{entry: noEntry}
	if !f.asks(indexes.NormAbsorption) {
		return m
	}
	if m.entry, _ = f.best(d, order); m.entry == noEntry { // in a file whose sections contradict each other
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

// best returns the entry of a document that is the first in an order, and its key there: the least is the
// best. Without needs of absorption there is no entry, and all products are alike.
func (f *needFinder) best(d column.Doc, order needOrder) (best int, least uint64) {
	if !f.asks(indexes.NormAbsorption) {
		return noEntry, 0
	}
	best, least = noEntry, math.MaxUint16 // as of a document that meets nothing
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

// margin returns the least surplus of an entry over AbsorptionMin, in thirds of a thousandth.
func (f *needFinder) margin(levels []indexes.Level) int {
	least := math.MaxUint16
	for i := range f.least { // a copy of each would take longer than all else
		b := &f.least[i]
		least = min(least, levels[b.band].Thirds()-b.thirds)
	}
	return least
}

// distance returns how far an entry is from the target.
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

// A keyed is a hit, by its place in the scope, with the key that it is ordered by.
type keyed struct {
	key   uint64
	place column.Doc
}

func (k keyed) compare(other keyed) int {
	return cmp.Or(cmp.Compare(k.key, other.key), cmp.Compare(k.place, other.place))
}

func (k keyed) before(other keyed) bool {
	return k.key < other.key || k.key == other.key && k.place < other.place
}

// page appends the hits from place skip on, need of them at most, in the order of their best entries.
func (f *needFinder) page(dst []column.Doc, a *arena, hits selection, skip, need int,
	order needOrder) []column.Doc {
	best := keptKeys{list: f.nearest[:0], most: min(skip+need, hits.n), limit: math.MaxUint64}
	if few := hits.n <= a.blocks.mostNarrow(narrowShare); !few && !f.each && f.asks(indexes.NormAbsorption) {
		f.offerAll(&best, hits, order)
	} else {
		for place, ok := hits.docs.Next(0); ok; place, ok = hits.docs.Next(place + 1) {
			_, key := f.best(a.scope.At(place), order)
			best.offer(keyed{key, place})
		}
	}
	f.nearest = best.list
	selectFirst(best.list, skip)
	page := best.list[min(skip, len(best.list)):]
	selectFirst(page, need)
	page = page[:min(need, len(page))]
	slices.SortFunc(page, keyed.compare)
	for _, k := range page {
		dst = append(dst, a.scope.At(k.place))
	}
	return dst
}

// offerAll offers every hit, in an arena of the whole catalogue: it walks the entries that find has kept,
// since to find those of one document takes longer than to look at them.
func (f *needFinder) offerAll(best *keptKeys, hits selection, order needOrder) {
	last := keyed{key: math.MaxUint64} // the best of the last document so far; no key
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
				sample = len(entries) // once: each time it looks at all entries
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
				last = keyed{key, d}
			} else {
				last.key = min(last.key, key)
			}
		}
	}
	best.offer(last)
}

// sampled is the part of the entries, 1/sampled, after which a walk for the nearest or for the largest
// margins narrows the rest, or, when it has not met as many hits as are asked for by then, as soon as it has:
// at 100,000 products the walk for the nearest takes then 0.35 of the time.
const sampled = 16

// narrowFrom is the part of the table, 1/narrowFrom, from which on a walk narrows its entries: to narrow them
// compares the whole table several times. Nor does it pay where a page needs more than half of the hits.
const narrowFrom = 4

// narrow drops entries of which the length, or one band alone, takes the key to a limit or beyond.
func (f *needFinder) narrow(entries docset.Dense, limit uint64, order needOrder) {
	switch {
	case order.isLength():
		f.table.FilterNumbers(entries, order.attribute(), 1, uint32(limit-1)) // the limit is at most noLength
		return
	case order == byShortfall:
		f.keepMargin(entries, -int(limit>>sumBits))
		return
	case order == byMargin || len(f.target) == 0:
		f.keepMargin(entries, math.MaxUint16+1-int(limit)) // the least whose key is below the limit
		return
	}
	most := int(math.Sqrt(float64(limit / f.leastFactor())))
	near := sized(&f.scratch[0], f.table)
	near.Copy(entries)
	for _, t := range f.target {
		f.table.FilterLevels(near, t.band, indexes.LevelOf(t.thirds-most), indexes.LevelOf(t.thirds+most))
	}
	if f.asked.Like == nil {
		entries.Copy(near)
		return
	}
	whole := sized(&f.scratch[1], f.table) // which no band is lacking; of the others none is dropped
	whole.Copy(entries)
	f.shared.FilterAtLeast(whole, len(f.target))
	entries.AndNot(whole)
	entries.Or(near)
}

// keepMargin keeps those of a set of entries that have a margin, which is negative where they lack something.
func (f *needFinder) keepMargin(entries docset.Dense, margin int) {
	for _, b := range f.least {
		f.table.FilterLevels(entries, b.band, indexes.LevelOf(b.thirds+margin), anyLevel)
	}
}

// leastFactor times the sum of an entry's squares is the entry's key when it has all bands of the target, and
// less when it lacks some.
func (f *needFinder) leastFactor() uint64 { return uint64(commonBands / len(f.target)) }

// keyBelow returns the key of an entry; any key from the limit on where it is not below.
func (f *needFinder) keyBelow(limit uint64, entry int, order needOrder) uint64 {
	if order >= byThickness {
		return f.otherKey(entry, order)
	}
	levels := f.table.Levels(entry)
	if order == byMargin || len(f.target) == 0 {
		return uint64(math.MaxUint16 - f.margin(levels)) // the less, the larger the margin
	}
	var d distance
	factor := f.leastFactor()
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

// attribute returns the length that an order is by.
func (o needOrder) attribute() indexes.Attribute {
	if o == byThickness {
		return indexes.AttributeThickness
	}
	return indexes.AttributeDepth
}

const (
	noLength = math.MaxUint32 + 1 // the key of an entry without the length, behind all others
	sumBits  = 32                 // of the key of a near miss, below the largest shortfall
)

// otherKey returns the key of an entry in the orders by a length and by the shortfall.
func (f *needFinder) otherKey(entry int, order needOrder) uint64 {
	if order.isLength() {
		if number := f.table.Number(order.attribute(), entry); number > 0 {
			return uint64(number)
		}
		return noLength
	}
	levels, largest, sum := f.table.Levels(entry), 0, 0
	for _, b := range f.least {
		lacking := max(b.thirds-levels[b.band].Thirds(), 0)
		largest, sum = max(largest, lacking), sum+lacking
	}
	return uint64(largest)<<sumBits | uint64(sum)
}

// keptKeys are the least of the hits that were offered, in the order of their places, in whatever order.
type keptKeys struct {
	list  []keyed
	most  int    // how many are asked for
	limit uint64 // keys from here on are none of them
}

// keptRoom is how many hits are gathered at least before those that are not asked for are dropped.
const keptRoom = 512

func (k *keptKeys) offer(one keyed) {
	if one.key >= k.limit {
		return
	}
	k.list = append(k.list, one)
	if len(k.list) >= 2*k.most+keptRoom {
		k.cut()
	}
}

// cut drops what is not asked for. Of those with equal keys the first that was offered is kept, so that none
// that comes later with the greatest key is asked for.
func (k *keptKeys) cut() {
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

// selectFirst brings the least n of a list to its front, in whatever order, by Hoare's selection: to sort
// all of them for a late page took several times as long as everything else.
func selectFirst(list []keyed, n int) {
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
		switch { // between j and i lies nothing, or the pivot alone
		case n <= j:
			list = list[:j+1]
		case n >= i:
			list, n = list[i:], n-i
		default:
			return
		}
	}
}
