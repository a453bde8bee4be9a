package runtime

import (
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
)

// A NeedMatch is an entry that meets what was asked of its norm, with what it has more than it must.
type NeedMatch struct {
	Norm  string     `json:"norm"`
	Entry *int       `json:"entry"` // among the product's of that norm, from 0; nil: the declared curve of a product that has no other
	Bands []NeedBand `json:"bands,omitempty"`
}

// A NeedBand is a band in which a coefficient was asked for. Coefficients are rounded to four decimals.
type NeedBand struct {
	BandHz  int      `json:"band_hz"`
	Value   float64  `json:"value"`
	Least   *float64 `json:"least,omitempty"`
	Most    *float64 `json:"most,omitempty"`
	Surplus float64  `json:"surplus"` // over the least, else under the most
}

var normNames = [indexes.NumNorms]string{product.ISO354.Norm, product.ISO174971.Norm, product.ISO174972.Norm}

// needsMet returns the entries for which a document is a hit: of absorption that of its match, of the other norms the first that
// meets what was asked.
func (x *explainer) needsMet(h *notedHit) []NeedMatch {
	var met []NeedMatch
	if h.met.entry != noEntry {
		met = append(met, x.needMatch(indexes.NormAbsorption, h.doc, h.met.entry))
	}
	for _, norm := range [...]indexes.Norm{indexes.NormScattering, indexes.NormDiffusion} {
		if len(x.needs.ranges[norm]) > 0 {
			met = append(met, x.needMatch(norm, h.doc, x.needs.firstMeeting(norm, h.doc)))
		}
	}
	return met
}

func (x *explainer) needMatch(norm indexes.Norm, d column.Doc, entry int) NeedMatch {
	table := &x.index.Entries[norm]
	m := NeedMatch{Norm: normNames[norm]}
	if place, ok := placeOf(table, d, entry); ok || norm != indexes.NormAbsorption {
		m.Entry = &place
	}
	shown := func(thirds int) *float64 {
		v := rounded(float64(thirds) / thirdsPerUnit)
		return &v
	}
	levels := table.Levels(entry)
	for _, r := range x.needs.ranges[norm] {
		value := levels[r.band].Thirds()
		b := NeedBand{BandHz: norm.Bands()[r.band], Value: *shown(value)}
		if r.most != anyLevel {
			b.Most, b.Surplus = shown(r.most.Thirds()), *shown(r.most.Thirds() - value)
		}
		if r.bounded {
			b.Least, b.Surplus = shown(r.thirds), *shown(value - r.thirds)
		}
		m.Bands = append(m.Bands, b)
	}
	return m
}
