package dataset

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// maxDeviation is the largest difference between a declared and a computed rating that causes no warning.
const maxDeviation = 0.05

func deviates(declared, computed float64) bool {
	return math.Abs(declared-computed) > maxDeviation+1e-9 // in float64, 0.85-0.8 > 0.05
}

// rate computes the ratings of all set-ups. A product has the ratings of its most absorptive set-up, except
// alpha_w_min, which is the minimum. Declared values of alpha_w and alpha_w_min are not changed. A declared
// absorption_octave is used, including for alpha_w, only if no set-up has octave values.
func (p *parser) rate(product *product.Product) {
	entries := product.Measurements.Absorption
	ratings := make([]acoustics.Ratings, len(entries))
	for i := range entries {
		ratings[i] = acoustics.Rate(entries[i].AlphaSOctave, entries[i].AlphaSThirdOctave)
		entries[i].Ratings = ratings[i]
	}
	var rated acoustics.Ratings // the ratings of the product
	computedFrom := "the most absorptive set-up"
	declaredOctave := product.AbsorptionOctave // as the record declares it; computed values replace it
	product.AbsorptionOctave = nil
	if best := acoustics.MostAbsorptive(ratings); best >= 0 {
		rated = ratings[best]
		product.NRC, product.SAA = rated.NRC, rated.SAA
		product.AbsorptionOctave = rated.AlphaP
	}
	if slices.ContainsFunc(ratings, func(r acoustics.Ratings) bool { return r.AlphaP != nil }) {
		p.warnOctaveReplaced(declaredOctave, product.AbsorptionOctave)
	} else if len(declaredOctave) > 0 {
		product.AbsorptionOctave, product.DeclaredOctave = declaredOctave, true
		own := acoustics.Rate(declaredOctave, nil)
		rated.AlphaW, rated.Shape = own.AlphaW, own.Shape
		computedFrom = "absorption_octave"
	}
	p.setAlphaW(product, rating(rated.AlphaW), computedFrom)
	p.setAlphaWMin(product, ratings)
	p.warnMetaRatings(product, &rated)
}

// setAlphaW sets alpha_w to the computed value unless it is declared.
func (p *parser) setAlphaW(product *product.Product, computed *float64, computedFrom string) {
	switch declared := product.AlphaW; {
	case declared == nil:
		product.AlphaW = computed
	case computed != nil && deviates(*declared, *computed):
		p.warn("alpha_w", "declared as "+formatNumber(*declared)+", but the value computed from "+computedFrom+" is "+formatNumber(*computed))
	}
}

// setAlphaWMin sets alpha_w_min to the minimum alpha_w of the product and its set-ups unless it is declared.
func (p *parser) setAlphaWMin(product *product.Product, ratings []acoustics.Ratings) {
	lowest := product.AlphaW
	for i := range ratings {
		if alphaW := rating(ratings[i].AlphaW); alphaW != nil && (lowest == nil || *alphaW < *lowest) {
			lowest = alphaW
		}
	}
	if product.AlphaWMin == nil {
		product.AlphaWMin = lowest
	} else if product.AlphaW != nil && *product.AlphaWMin > *product.AlphaW {
		p.warn("alpha_w_min", formatNumber(*product.AlphaWMin)+" is greater than alpha_w, which is "+
			formatNumber(*product.AlphaW))
	}
}

// warnOctaveReplaced warns about declared practical coefficients that the computed coefficients replace.
func (p *parser) warnOctaveReplaced(declared, computed acoustics.Curve) {
	var bands []string
	for _, d := range declared {
		if c, ok := computed.At(d.BandHz); ok && deviates(d.Value, c) {
			bands = append(bands, formatNumber(d.Value)+" at "+strconv.Itoa(d.BandHz)+" Hz (computed: "+formatNumber(c)+")")
		}
	}
	if len(bands) > 0 {
		p.warn("absorption_octave", "replaced by values computed from the most absorptive set-up: declared as "+
			strings.Join(bands, ", "))
	}
}

// warnMetaRatings warns about ratings in structured_meta that deviate from the computed ratings: NRC, SAA,
// the sound absorption class and the shape indicators of alpha_w.
func (p *parser) warnMetaRatings(product *product.Product, rated *acoustics.Ratings) {
	for _, m := range product.StructuredMeta {
		if problem := deviation(m.Key, m.Value, rated, product.AlphaW); problem != "" {
			p.enter(member("structured_meta"))
			p.warn(m.Key, problem)
			p.leave()
		}
	}
}

// deviation describes the difference between a declared and a computed rating. It returns "" if they agree,
// if the rating cannot be computed or if key, the key in structured_meta, is not a known rating. The class is
// compared with alphaW, the alpha_w of the product.
func deviation(key, declared string, rated *acoustics.Ratings, alphaW *float64) string {
	is := func(name string) bool { return len(key) == len(name) && strings.EqualFold(key, name) }
	computed := ""
	switch {
	case is("nrc"):
		computed = differentRating(declared, rated.NRC)
	case is("saa"):
		computed = differentRating(declared, rated.SAA)
	case is("alpha_w"):
		computed = differentRating(declared, rated.AlphaW)
	case is("Absorberklasse"), is("absorption_class"):
		computed = differentClass(declared, alphaW)
	case is("Formindikatoren"), is("shape_indicators"):
		if letters := shapeLetters(declared); letters != "" && rated.AlphaW != nil && letters != rated.Shape {
			computed = cmp.Or(rated.Shape, "none")
		}
	}
	if computed == "" {
		return ""
	}
	return "declared as " + shortened(declared) + ", but the value computed from the coefficients is " + computed
}

// A SetUp contains the data from a source about a set-up of a product.
type SetUp struct {
	Octave, Third acoustics.Curve // measured according to ISO 354
	Practical     acoustics.Curve // used only if no set-up has an alpha_w from ISO 354 data
	AlphaW        *float64        // declared value, or nil
	Declared      []Declared
}

// Declared is a rating that a source declares for a set-up.
type Declared struct {
	Key, Text string // Key is a key of structured_meta, or alpha_w
	Fault     Fault  // place of the rating; its Problem is empty
}

// RatingDoubts compares the declared ratings of set-ups with their coefficients. It skips the largest alpha_w
// of the most absorptive set-up, because it is the alpha_w of the product, which Parse compares.
func RatingDoubts(setUps []SetUp, largest float64) (warnings []Fault) {
	computed := make([]acoustics.Ratings, len(setUps))
	var most, practical *acoustics.Hundredths
	for i := range setUps {
		s, rated := &setUps[i], &computed[i]
		if s.Practical == nil {
			*rated = acoustics.Rate(s.Octave, s.Third)
			most = larger(most, rated.AlphaW)
		} else {
			*rated = acoustics.Rate(s.Practical, nil)
			rated.NRC = nil // practical coefficients do not determine the NRC
			practical = larger(practical, rated.AlphaW)
		}
	}
	most = cmp.Or(most, practical)
	for i := range setUps {
		rated, alphaW := &computed[i], cmp.Or(setUps[i].AlphaW, rating(computed[i].AlphaW))
		// isMost reports whether this set-up has the alpha_w of the product.
		isMost := rated.AlphaW != nil && *rated.AlphaW == *most && alphaW != nil && *alphaW == largest
		for _, d := range setUps[i].Declared {
			if rated.AlphaP == nil || d.Key == "alpha_w" && isMost {
				continue
			}
			if d.Fault.Problem = deviation(d.Key, d.Text, rated, alphaW); d.Fault.Problem != "" {
				warnings = append(warnings, d.Fault)
			}
		}
	}
	return warnings
}

// larger returns the larger rating. A nil rating is smaller than all others.
func larger(a, b *acoustics.Hundredths) *acoustics.Hundredths {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// differentRating returns the computed rating if the declared rating deviates from it, otherwise "".
func differentRating(declared string, computed *acoustics.Hundredths) string {
	n, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(declared), ",", ".", 1), 64)
	if err != nil || computed == nil || !deviates(n, computed.Float()) {
		return ""
	}
	return formatNumber(computed.Float())
}

// differentClass returns the class of an alpha_w, or "none", if the declared class is different. Otherwise it
// returns "".
func differentClass(declared string, alphaW *float64) string {
	words := strings.Fields(strings.ToUpper(declared))
	if len(words) == 0 || alphaW == nil {
		return ""
	}
	class := acoustics.Class(acoustics.Hundredths(math.Round(*alphaW * 100)))
	switch last := words[len(words)-1]; { // A in "Klasse A"
	case last == "KLASSIFIZIERT" || last == "UNCLASSIFIED" || last == "CLASSIFIED":
		return class
	case len(last) == 1 && last >= "A" && last <= "E" && last != class:
		return cmp.Or(class, "none")
	}
	return ""
}

// shapeLetters returns shape indicators in the order L, M, H, or "" for any other string.
func shapeLetters(text string) (letters string) {
	text = strings.ToUpper(text)
	if strings.Trim(text, "LMH()[], ") != "" {
		return ""
	}
	for _, letter := range []string{"L", "M", "H"} {
		if strings.Contains(text, letter) {
			letters += letter
		}
	}
	return letters
}

// rating returns a rating as a number. It returns nil for nil.
func rating(h *acoustics.Hundredths) *float64 {
	if h == nil {
		return nil
	}
	v := h.Float()
	return &v
}
