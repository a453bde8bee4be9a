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

// match returns the set-up for which a document is a hit; byMargin is SortMargin. The document meets the
// needs.
func (f *needFinder) match(d column.Doc, byMargin bool) Match {
	m := Match{entry: noEntry}
	if !f.asks(indexes.NormAbsorption) {
		return m
	}
	if m.entry, _ = f.best(d, byMargin); m.entry == noEntry { // in a file whose sections contradict each other
		return m
	}
	levels := f.table.Levels(m.entry)
	if m.hasMargin = len(f.least) > 0; m.hasMargin {
		m.margin = f.margin(levels)
	}
	if m.hasDistance = len(f.target) > 0; m.hasDistance {
		m.distance = f.distance(levels)
	}
	return m
}

// best returns the entry for which a document is a hit and its key, by which the entries of a product and,
// with the sorts by margin and distance, the products are ordered: the least is the best. Without needs of
// absorption there is no entry, and all products are alike.
func (f *needFinder) best(d column.Doc, byMargin bool) (best int, least uint64) {
	if !f.asks(indexes.NormAbsorption) {
		return noEntry, 0
	}
	best, least = noEntry, math.MaxUint16 // as of a document that meets nothing
	first, end := f.table.Of(d)
	for entry := first; entry < end; entry++ {
		if !f.meets(indexes.NormAbsorption, entry) {
			continue
		}
		key := f.keyBelow(math.MaxUint64, f.table.Levels(entry), byMargin)
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

// page appends the hits from place skip on, need of them at most, in the order of their matches.
func (f *needFinder) page(dst []column.Doc, a *arena, hits selection, skip, need int, byMargin bool) []column.Doc {
	best := keptKeys{list: f.nearest[:0], most: min(skip+need, hits.n), limit: math.MaxUint64}
	if few := hits.n <= a.blocks.mostNarrow(narrowShare); !few && !f.each && f.asks(indexes.NormAbsorption) {
		f.offerAll(&best, hits.docs, byMargin)
	} else {
		for place, ok := hits.docs.Next(0); ok; place, ok = hits.docs.Next(place + 1) {
			_, key := f.best(a.scope.At(place), byMargin)
			best.offer(keyed{key, place})
		}
	}
	f.nearest = best.list
	best.cut()
	selectFirst(best.list, skip)
	page := best.list[min(skip, len(best.list)):]
	slices.SortFunc(page, keyed.compare)
	for _, k := range page {
		dst = append(dst, a.scope.At(k.place))
	}
	return dst
}

// offerAll offers every hit, in an arena of the whole catalogue: it walks the entries that find has kept,
// since to find those of one document takes longer than to look at them.
func (f *needFinder) offerAll(best *keptKeys, hits docset.Dense, byMargin bool) {
	last := keyed{key: math.MaxUint64} // the best of the last document so far; no key
	docs, entries := f.table.Docs(), f.entries[indexes.NormAbsorption]
	step := len(entries)/sampled + 1
	sample := step
	for w := range entries {
		if w == sample {
			best.cut()
			if sample += step; best.limit < math.MaxUint64 {
				f.narrow(entries, best.limit, byMargin || len(f.target) == 0)
				sample = len(entries) // once: each time it looks at all entries
			}
		}
		for word := entries[w]; word != 0; word &= word - 1 {
			entry := w*docset.WordBits + bits.TrailingZeros64(word)
			if !hits.Has(docs[entry]) {
				continue
			}
			key := f.keyBelow(best.limit, f.table.Levels(entry), byMargin)
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

// narrow drops entries of which one band alone takes the key to a limit or beyond.
func (f *needFinder) narrow(entries docset.Dense, limit uint64, byMargin bool) {
	if byMargin {
		margin := math.MaxUint16 + 1 - int(limit) // the least whose key is below the limit
		for _, b := range f.least {
			f.table.KeepLevels(entries, b.band, indexes.LevelOf(b.thirds+margin), anyLevel)
		}
		return
	}
	most := int(math.Sqrt(float64(limit / f.leastFactor())))
	near := sized(&f.scratch[0], f.table)
	near.Copy(entries)
	for _, t := range f.target {
		f.table.KeepLevels(near, t.band, indexes.LevelOf(t.thirds-most), indexes.LevelOf(t.thirds+most))
	}
	if f.asked.Like == nil {
		entries.Copy(near)
		return
	}
	whole := sized(&f.scratch[1], f.table) // which no band is lacking; of the others none is dropped
	whole.Copy(entries)
	f.shared.KeepAtLeast(whole, len(f.target))
	entries.AndNot(whole)
	entries.Or(near)
}

// leastFactor times the sum of an entry's squares is the entry's key when it has all bands of the target, and
// less when it lacks some.
func (f *needFinder) leastFactor() uint64 { return uint64(commonBands / len(f.target)) }

// keyBelow returns the key of an entry; any key from the limit on where it is not below.
func (f *needFinder) keyBelow(limit uint64, levels []indexes.Level, byMargin bool) uint64 {
	if byMargin || len(f.target) == 0 {
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
