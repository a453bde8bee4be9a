package runtime

import (
	"slices"

	"sabine/dataset/product"
	"sabine/indexes"
)

// A NeedMatch is a measurement that meets the needs of its norm, with its surplus in each band.
type NeedMatch struct {
	Norm string `json:"norm"`
	// index among the product's measurements of that norm; nil for the declared curve of a product without
	// measurements
	Entry *int       `json:"entry"`
	Bands []NeedBand `json:"bands,omitempty"`
}

// A NeedBand is a band with a minimum or a maximum. Coefficients are rounded to four decimals.
type NeedBand struct {
	BandHz  int      `json:"band_hz"`
	Value   float64  `json:"value"`
	Least   *float64 `json:"least,omitempty"`
	Most    *float64 `json:"most,omitempty"`
	Surplus float64  `json:"surplus"` // amount above the minimum or, if there is no minimum, below the maximum
}

var normNames = [indexes.NumNorms]string{product.ISO354.Norm, product.ISO174971.Norm, product.ISO174972.Norm}

// needsMet returns the measurements that make a document a hit. For absorption this is the entry of the
// match, for the other norms the first entry that meets the needs.
func (x *explainer) needsMet(h *rankedHit) []NeedMatch {
	var met []NeedMatch
	for norm, name := range normNames {
		norm := indexes.Norm(norm)
		if norm != indexes.NormAbsorption && !x.needs.hasConditions(norm) {
			continue
		}
		m, entry := NeedMatch{Norm: name}, h.met.entry
		if norm != indexes.NormAbsorption {
			entry = x.needs.firstMeeting(norm, h.doc)
		}
		if entry == noEntry {
			continue
		}
		if place, ok := placeOf(&x.index.Entries[norm], h.doc, entry); ok || norm != indexes.NormAbsorption {
			m.Entry = &place
		}
		m.Bands = x.bandsMet(norm, entry)
		met = append(met, m)
	}
	return met
}

// bandsMet returns the bands of an entry that the needs limit.
func (x *explainer) bandsMet(norm indexes.Norm, entry int) (bands []NeedBand) {
	n, levels := &x.request.Filters.Needs, x.index.Entries[norm].Levels(entry)
	surplus := func(b Bound) (of NeedBand, over float64) {
		thirds := levels[slices.Index(norm.Bands(), b.BandHz)].Thirds()
		return NeedBand{BandHz: b.BandHz, Value: shownThirds(thirds)}, shownThirds(thirds - 3*b.Thousandths)
	}
	for _, b := range n.minimums()[norm] {
		of, over := surplus(b)
		of.Least, of.Surplus = new(shownThirds(3*b.Thousandths)), over
		bands = append(bands, of)
	}
	if norm != indexes.NormAbsorption {
		return bands
	}
	for _, b := range n.AbsorptionMax {
		most := new(shownThirds(3 * b.Thousandths))
		if i := slices.IndexFunc(bands, func(of NeedBand) bool { return of.BandHz == b.BandHz }); i >= 0 {
			bands[i].Most = most
			continue
		}
		of, over := surplus(b)
		of.Most, of.Surplus = most, 0-over
		bands = append(bands, of)
	}
	return bands
}
