package dataset

import (
	"math"
	"slices"
	"strconv"

	"sabine/dataset/acoustics"
)

// ratingDoubt is by how much a declared alpha_w may differ from the computed one without a warning.
const ratingDoubt = 0.05

// rate computes the ratings of every variant and those of the product, which come from its most absorptive variant, but
// alpha_w_min from its least absorptive one. A declared alpha_w or alpha_w_min stays as it is. A declared absorption_octave
// does when no variant has octave values; then alpha_w is its own.
func (p *parser) rate(product *Product) {
	variants := product.Measurements.Absorption
	ratings := make([]acoustics.Ratings, len(variants))
	for i := range variants {
		ratings[i] = acoustics.Rate(variants[i].AlphaSOctave, variants[i].AlphaSThirdOctave)
		variants[i].Ratings = ratings[i]
	}
	var computed, least *float64
	computedFrom := "the most absorptive variant"
	declaredOctave := product.AbsorptionOctave
	product.AbsorptionOctave = nil
	if best := acoustics.MostAbsorptive(ratings); best >= 0 {
		computed = rating(ratings[best].AlphaW)
		product.NRC, product.SAA = ratings[best].NRC, ratings[best].SAA
		product.AbsorptionOctave = ratings[best].AlphaP
	}
	if len(declaredOctave) > 0 && !slices.ContainsFunc(ratings, func(r acoustics.Ratings) bool { return r.AlphaP != nil }) {
		product.AbsorptionOctave, product.DeclaredOctave = declaredOctave, true
		computed, computedFrom = rating(acoustics.Rate(declaredOctave, nil).AlphaW), "absorption_octave"
	}
	for i := range ratings {
		if alphaW := rating(ratings[i].AlphaW); alphaW != nil && (least == nil || *alphaW < *least) {
			least = alphaW
		}
	}
	declared := product.AlphaW
	switch {
	case declared == nil:
		product.AlphaW = computed
	case computed != nil && math.Abs(*declared-*computed) > ratingDoubt+1e-9: // 0.85 and 0.8 differ by more in float64
		p.warn("alpha_w", "declared as "+formatNumber(*declared)+", but "+computedFrom+" gives "+formatNumber(*computed))
	}
	switch {
	case product.AlphaWMin != nil:
		if product.AlphaW != nil && *product.AlphaWMin > *product.AlphaW {
			p.warn("alpha_w_min", formatNumber(*product.AlphaWMin)+" is more than alpha_w, which is "+formatNumber(*product.AlphaW))
		}
	case least != nil:
		product.AlphaWMin = least
	default:
		product.AlphaWMin = product.AlphaW
	}
}

// rating returns a rating as a number.
func rating(h *acoustics.Hundredths) *float64 {
	if h == nil {
		return nil
	}
	v := h.Float()
	return &v
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
