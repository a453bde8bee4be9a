package compiler

import (
	"math"
	"slices"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes"
)

// measurements returns the rows of a product for the tables of entries. If a product has only a declared
// curve, the curve is added as an entry after the entries of the record, and ranks as the most absorptive one.
func measurements(p *product.Product) (all [indexes.NumNorms][]indexes.Measurement) {
	absorption := p.Measurements.Absorption
	ratings := make([]acoustics.Ratings, len(absorption), len(absorption)+1)
	for i := range absorption {
		ratings[i] = absorption[i].Ratings
	}
	order := acoustics.ByAbsorption(ratings)
	if p.DeclaredOctave {
		order = slices.Insert(order, 0, len(absorption))
		ratings = append(ratings, acoustics.Rate(p.AbsorptionOctave, nil))
		absorption = append(absorption[:len(absorption):len(absorption)],
			product.Absorption{AlphaSOctave: p.AbsorptionOctave})
	}
	entries := make([]indexes.Measurement, len(absorption))
	for i := range absorption {
		a := &absorption[i]
		entries[i] = measurement(indexes.NormAbsorption, a.AlphaSOctave, a.AlphaSThirdOctave)
		mounting := acoustics.Mounting(orZero(a.Mounting))
		entries[i].Texts = [...]string{
			indexes.AttributeMounting:   mounting,
			indexes.AttributeSourceKind: a.SourceKind, indexes.AttributeClass: class(&ratings[i]),
		}
		entries[i].Lengths = lengths(a, mounting)
		if r := &ratings[i]; r.AlphaW != nil {
			entries[i].Rating = indexes.RatingOf(int(*r.AlphaW), r.Shape)
		}
	}
	for rank, i := range order {
		entries[i].Rank = uint16(rank)
	}
	all[indexes.NormAbsorption] = entries
	for _, s := range p.Measurements.Scatter {
		all[indexes.NormScattering] = append(all[indexes.NormScattering], measurement(indexes.NormScattering,
			s.ScatterOctave, s.ScatterThirdOctave))
	}
	for _, d := range p.Measurements.Diffusion {
		all[indexes.NormDiffusion] = append(all[indexes.NormDiffusion], measurement(indexes.NormDiffusion, d.DiffusionOctave,
			d.DiffusionThirdOctave))
	}
	return all
}

// measurement returns the levels of an entry in the bands of the norm.
func measurement(norm indexes.Norm, octave, third acoustics.Curve) indexes.Measurement {
	bands := norm.Bands()
	m := indexes.Measurement{Levels: make([]indexes.Level, len(bands))}
	for i, hz := range bands {
		if v, ok := acoustics.BandValue(octave, third, hz); ok {
			m.Levels[i] = indexes.LevelOf(int(v))
		}
	}
	return m
}

// class returns the sound absorption class, or "" if there is none.
func class(r *acoustics.Ratings) string {
	if r.AlphaW == nil {
		return ""
	}
	return acoustics.Class(*r.AlphaW)
}

// lengths returns the thickness and the depth of a set-up in millimetres. Unknown lengths are NaN.
func lengths(a *product.Absorption, mounting string) [indexes.NumAttributes - indexes.AttributeThickness]float64 {
	thickness, depth := math.NaN(), math.NaN()
	if a.ThicknessMM != nil {
		thickness = *a.ThicknessMM
	}
	if mm, ok := acoustics.Depth(mounting, a.ThicknessMM, a.AirGapMM); ok {
		depth = mm
	}
	return [...]float64{thickness, depth}
}
