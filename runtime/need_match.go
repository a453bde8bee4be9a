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

// match returns the set-up for which a document is a hit; byMargin is SortMargin. The document meets the needs.
func (f *needFinder) match(d column.Doc, byMargin bool) Match {
	best := Match{entry: noEntry}
	if !f.asked.ofAbsorption() {
		return best
	}
	first, end := f.table.Of(d)
	for entry := first; entry < end; entry++ {
		if !f.meets(indexes.NormAbsorption, entry) {
			continue
		}
		if m := f.measure(entry); best.entry == noEntry || m.key(byMargin) < best.key(byMargin) {
			best = m
		}
	}
	return best
}

// measure returns an entry with its margin and its distance.
func (f *needFinder) measure(entry int) Match {
	m := Match{entry: entry, hasMargin: len(f.asked.AbsorptionMin) > 0, hasDistance: len(f.target) > 0}
	levels := f.table.Levels(entry)
	if m.hasMargin {
		m.margin = f.margin(levels)
	}
	if m.hasDistance {
		m.distance = f.distance(levels)
	}
	return m
}

// key orders the entries of a product and, with the sorts by margin and distance, the products: the least is the best.
func (m *Match) key(byMargin bool) uint64 {
	if m.hasDistance && !byMargin {
		return m.distance.key()
	}
	return marginKey(m.margin)
}

// marginKey is less for a larger margin.
func marginKey(margin int) uint64 { return uint64(math.MaxUint16 - margin) }

// margin returns the least surplus of an entry over AbsorptionMin, in thirds of a thousandth.
func (f *needFinder) margin(levels []indexes.Level) int {
	least := math.MaxUint16
	for _, r := range f.ranges[indexes.NormAbsorption] {
		if r.bounded {
			least = min(least, levels[r.band].Thirds()-r.thirds)
		}
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

// page appends the hits from place skip on, need of them at most, in the order of their matches.
func (f *needFinder) page(dst []column.Doc, a *arena, hits selection, skip, need int, byMargin bool) []column.Doc {
	best := keptKeys{list: f.nearest[:0], most: min(skip+need, hits.n), limit: math.MaxUint64}
	if a.scope.All() && f.asked.ofAbsorption() {
		f.offerAll(&best, hits.docs, byMargin)
	} else {
		for place, ok := hits.docs.Next(0); ok; place, ok = hits.docs.Next(place + 1) {
			m := f.match(a.scope.At(place), byMargin)
			best.offer(keyed{m.key(byMargin), place})
		}
	}
	best.cut()
	for _, k := range best.list[min(skip, len(best.list)):] {
		dst = append(dst, a.scope.At(k.place))
	}
	f.nearest = best.list
	return dst
}

// offerAll offers every hit, in an arena of the whole catalogue: it walks the entries that find has kept, since to find those
// of one document takes longer than to look at them.
func (f *needFinder) offerAll(best *keptKeys, hits docset.Dense, byMargin bool) {
	last := keyed{key: math.MaxUint64}
	none := true
	docs := f.table.Docs()
	for w, word := range f.entries {
		for ; word != 0; word &= word - 1 {
			entry := w*docset.WordBits + bits.TrailingZeros64(word)
			d := docs[entry]
			if !hits.Has(d) {
				continue
			}
			key := f.keyOf(entry, byMargin)
			switch {
			case none:
				last, none = keyed{key, d}, false
			case d != last.place:
				best.offer(last)
				last = keyed{key, d}
			case key < last.key:
				last.key = key
			}
		}
	}
	if !none {
		best.offer(last)
	}
}

// keyOf is measure and key.
func (f *needFinder) keyOf(entry int, byMargin bool) uint64 {
	levels := f.table.Levels(entry)
	if len(f.target) > 0 && !byMargin {
		return f.distance(levels).key()
	}
	if len(f.asked.AbsorptionMin) == 0 {
		return 0
	}
	return marginKey(f.margin(levels))
}

// keptKeys are the least of the hits that were offered, in the order of their places.
type keptKeys struct {
	list  []keyed
	most  int    // how many are asked for
	limit uint64 // keys from here on are none of them
}

// keptRoom is how many hits are gathered at least before they are sorted and those that are not asked for dropped.
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

// cut sorts the list and drops what is not asked for. Of those with equal keys the first that was offered stands first, so that
// none that comes later with the last key is asked for.
func (k *keptKeys) cut() {
	slices.SortFunc(k.list, keyed.compare)
	if len(k.list) >= k.most {
		k.list = k.list[:k.most]
		if k.most > 0 {
			k.limit = k.list[k.most-1].key
		}
	}
}
