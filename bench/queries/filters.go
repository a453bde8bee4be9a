package queries

import (
	"math"
	"reflect"
	"slices"

	"sabine/dataset/acoustics"
	"sabine/runtime"
)

// sorted requests one of the first pages of all products in the given order.
func sorted(order runtime.Sort) derivation {
	return func(d *deriver, _ *Product) *Question {
		return &Question{Query: runtime.Query{Sort: order, Page: d.IntN(10)}}
	}
}

// filters contains functions that set a family's filter to the product's value.
var filters = map[string]func(f *runtime.Filters, p *Product){
	"category":     func(f *runtime.Filters, p *Product) { f.Categories = NonEmpty(p.Category) },
	"character":    func(f *runtime.Filters, p *Product) { f.Characters = NonEmpty(p.Character) },
	"installation": func(f *runtime.Filters, p *Product) { f.Installations = p.Installations },
	"manufacturer": func(f *runtime.Filters, p *Product) { f.Manufacturers = []string{p.ManufacturerSlug} },
	"alpha_w":      func(f *runtime.Filters, p *Product) { f.AlphaWMin = p.AlphaW },
	"fire class":   func(f *runtime.Filters, p *Product) { f.FireClass = p.FireClass },
	"EPD":          func(f *runtime.Filters, p *Product) { f.HasEPD = p.HasEPD },
	"purchasable":  func(f *runtime.Filters, p *Product) { f.Purchasable = p.Purchasable },
}

// filtered requests the products that pass filters of the given families with the product's values.
func filtered(families ...string) derivation {
	return func(_ *deriver, p *Product) *Question {
		q := &Question{}
		for _, family := range families {
			without := q.Filters
			if filters[family](&q.Filters, p); reflect.DeepEqual(q.Filters, without) {
				return nil
			}
		}
		q.Rule = func(hit *Product) bool { return passes(hit, &q.Filters) }
		return q
	}
}

// passes reports whether a product passes the filters that this file sets.
func passes(p *Product, f *runtime.Filters) bool {
	oneOf := func(chosen []string, has ...string) bool {
		isChosen := func(value string) bool { return slices.Contains(chosen, value) }
		return len(chosen) == 0 || slices.ContainsFunc(has, isChosen)
	}
	return oneOf(f.Categories, p.Category) && oneOf(f.Characters, p.Character) &&
		oneOf(f.Installations, p.Installations...) &&
		oneOf(f.Manufacturers, p.ManufacturerSlug) &&
		(f.AlphaWMin == nil || p.AlphaW != nil && *p.AlphaW >= *f.AlphaWMin) &&
		(f.FireClass == "" || p.FireClass != "" && p.FireClass <= f.FireClass) && // A1 to F are in alphabetical order
		(!f.HasEPD || p.HasEPD) && (!f.Purchasable || p.Purchasable)
}

// need requests slightly less absorption than one entry of a product has, in two or three octaves. With
// probability one half each, it also requests the installations, depth, mounting and source kind.
func need(d *deriver, p *Product) *Question {
	if len(p.Absorption) == 0 {
		return nil
	}
	e, q := one(d, p.Absorption), &Question{}
	n := &q.Filters.Needs
	n.AbsorptionMin = d.below(&e, 2+d.IntN(2))
	if d.IntN(2) == 0 {
		q.Filters.Installations = p.Installations
	}
	if !math.IsNaN(e.DepthMM) && d.IntN(2) == 0 {
		depth := math.Ceil(e.DepthMM/10) * 10
		n.DepthMax = &depth
	}
	if e.Mounting != "" && d.IntN(2) == 0 {
		n.Mountings = []string{e.Mounting}
	}
	if e.SourceKind != "" && d.IntN(2) == 0 {
		n.SourceKinds = []string{e.SourceKind}
	}
	q.Rule = func(hit *Product) bool {
		return passes(hit, &q.Filters) && anyMeets(hit.Absorption, n, n.AbsorptionMin)
	}
	return q.with(len(n.AbsorptionMin) > 1)
}

func (q *Question) with(holds bool) *Question {
	if !holds {
		return nil
	}
	return q
}

// needInText adds a word from a label to the question of need.
func needInText(d *deriver, p *Product) *Question {
	word := d.word(p)
	q, name := need(d, p), named(word)
	if q == nil || name == nil {
		return nil
	}
	meets := q.Rule
	q.Text, q.Rule = word, func(hit *Product) bool { return name.Rule(hit) && meets(hit) }
	return q
}

// scattering requests a diffuser's scattering in two or three octaves.
func scattering(d *deriver, p *Product) *Question {
	if len(p.Scattering) == 0 {
		return nil
	}
	e := one(d, p.Scattering)
	bounds := d.below(&e, 2+d.IntN(2))
	q := &Question{Rule: func(hit *Product) bool { return anyMeets(hit.Scattering, &runtime.Needs{}, bounds) }}
	q.Filters.Needs.ScatteringMin = bounds
	return q.with(len(bounds) > 1)
}

// like requests the products nearest to a product whose entries all contain enough bands.
func like(_ *deriver, p *Product) *Question {
	few := func(e Entry) bool {
		const first, end = 1, 7 // bands from 125 to 4000 Hz
		return len(slices.DeleteFunc(e.bands(), func(i int) bool { return i < first || i >= end })) < runtime.MinShared
	}
	return (&Question{Like: p.ID}).with(len(p.Absorption) > 0 && !slices.ContainsFunc(p.Absorption, few))
}

// curve requests the products nearest to an entry's values in at least four octaves, with slight changes to
// each value.
func curve(d *deriver, p *Product) *Question {
	q := &Question{}
	if len(p.Absorption) > 0 {
		e := one(d, p.Absorption)
		for _, i := range d.some(e.bands(), 4+d.IntN(3)) {
			q.Filters.Needs.Curve = append(q.Filters.Needs.Curve, bound(i, (int(e.Levels[i])/3+d.IntN(100))/50*50))
		}
	}
	return q.with(len(q.Filters.Needs.Curve) >= 4)
}

func (d *deriver) some(places []int, n int) []int {
	d.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	places = places[:min(n, len(places))]
	slices.Sort(places)
	return places
}

// below returns bounds in up to n octaves of an entry: its values reduced by at most 0.1, in steps of 0.05.
func (d *deriver) below(e *Entry, n int) (bounds []runtime.Bound) {
	for _, i := range d.some(e.bands(), n) {
		if least := (int(e.Levels[i])/3 - d.IntN(100)) / 50 * 50; least > 0 {
			bounds = append(bounds, bound(i, least))
		}
	}
	return bounds
}

func bound(octave, thousandths int) runtime.Bound {
	return runtime.Bound{BandHz: acoustics.OctaveBands[octave], Thousandths: thousandths}
}

// anyMeets reports whether an entry satisfies the bounds and the other needs that this file sets.
func anyMeets(entries []Entry, n *runtime.Needs, bounds []runtime.Bound) bool {
	oneOf := func(chosen []string, has string) bool { return len(chosen) == 0 || slices.Contains(chosen, has) }
	return slices.ContainsFunc(entries, func(e Entry) bool {
		less := func(b runtime.Bound) bool {
			return int(e.Levels[slices.Index(acoustics.OctaveBands, b.BandHz)]) < 3*b.Thousandths
		}
		return oneOf(n.Mountings, e.Mounting) && oneOf(n.SourceKinds, e.SourceKind) &&
			(n.DepthMax == nil || e.DepthMM <= *n.DepthMax) &&
			!slices.ContainsFunc(bounds, less)
	})
}
