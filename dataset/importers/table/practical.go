package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// practical returns the practical coefficients of the product: those of its most absorptive set-up. Where set-ups differ, it keeps those of
// each as text. It keeps the words of set-ups that are no entry, too.
func (u *union) practical() acoustics.Curve {
	var setUps []*entry
	var without [][]product.MetaEntry // the words of set-ups without entry
	for i := range u.entries {
		e := &u.entries[i]
		switch e.parts[0].array {
		case practical:
			setUps = append(setUps, e)
		case unmeasured:
			without = append(without, e.words())
		}
	}
	var best acoustics.Curve
	for _, e := range setUps {
		if c := e.curves[0].points; best == nil || compareAbsorption(c, best) > 0 {
			best = c
		}
	}
	differ := slices.ContainsFunc(setUps, func(e *entry) bool { return !slices.Equal(e.curves[0].points, best) })
	for _, e := range setUps {
		words := e.words()
		switch {
		case differ:
			u.keepPractical(words, e.curves[0].points)
		case !e.isMeasured() && len(words) > 0:
			without = append(without, words)
		}
	}
	u.keepSetUps(without)
	return best
}

// compareAbsorption compares practical coefficients by alpha_w (ISO 11654), then by their sum, then band by band.
func compareAbsorption(a, b acoustics.Curve) int {
	return cmp.Or(compareRatings(acoustics.Rate(a, nil).AlphaW, acoustics.Rate(b, nil).AlphaW), cmp.Compare(sum(a), sum(b)),
		slices.CompareFunc(a, b, comparePoints))
}

// compareRatings puts what is not known first.
func compareRatings(a, b *acoustics.Hundredths) int {
	switch {
	case a != nil && b != nil:
		return cmp.Compare(*a, *b)
	case a != nil:
		return 1
	case b != nil:
		return -1
	}
	return 0
}

func sum(c acoustics.Curve) (sum float64) {
	for _, p := range c {
		sum += p.Value
	}
	return sum
}

// isMeasured reports whether all rows of a set-up are parts of entries, which have what the rows say of it.
func (e *entry) isMeasured() bool {
	return !slices.ContainsFunc(e.parts, func(p *part) bool { return !p.measured })
}

// words returns what rows say of a set-up that is no entry.
func (e *entry) words() (words []product.MetaEntry) {
	for _, p := range e.parts {
		for i := range p.row.cells {
			if c := &p.row.cells[i]; c.topic.kind == setUpAlways || c.topic.tellsSetUpsApart() {
				words = append(words, product.MetaEntry{Key: c.header, Value: c.text})
			}
		}
	}
	words = append(words, e.parts[0].lengths()...)
	slices.SortFunc(words, compareMeta)
	return slices.Compact(words)
}

// keepPractical keeps the practical coefficients of a set-up as text: "125 Hz 0.2, 250 Hz 0.45".
func (u *union) keepPractical(words []product.MetaEntry, c acoustics.Curve) {
	bands := make([]string, len(c))
	for i, p := range c {
		bands[i] = strconv.Itoa(p.BandHz) + " Hz " + formatNumber(p.Value)
	}
	key, text, setUp := "αp", strings.Join(bands, ", "), joined(words)
	switch {
	case len(setUp) > maxOptionBytes/2:
		key, text = key+" "+shortHash(setUp), setUp+": "+text
	case setUp != "":
		key += " (" + setUp + ")"
	}
	u.addMeta(key, text)
}

// keepSetUps keeps the words of set-ups that are no entry: each under its own name where there is one set-up alone.
func (u *union) keepSetUps(setUps [][]product.MetaEntry) {
	setUps = slices.CompactFunc(setUps, slices.Equal)
	if len(setUps) == 1 {
		u.meta = append(u.meta, setUps[0]...)
		return
	}
	all := make([]string, len(setUps))
	for i, words := range setUps {
		all[i] = joined(words)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > 0 {
		u.addMeta("Aufbau", strings.Join(all, " | "))
	}
}
