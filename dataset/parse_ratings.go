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

// ratingDoubt is by how much a declared rating may differ from the computed one without a warning.
const ratingDoubt = 0.05

// isDoubtful reports whether a declared rating differs by more than ratingDoubt.
func isDoubtful(declared, computed float64) bool {
	return math.Abs(declared-computed) > ratingDoubt+1e-9 // 0.85 and 0.8 differ by more in float64
}

// rate computes the ratings of every variant and those of the product, which come from its most absorptive
// variant, but alpha_w_min from its least absorptive one. A declared alpha_w or alpha_w_min stays as it is. A
// declared absorption_octave does when no variant has octave values; then alpha_w is its own.
func (p *parser) rate(product *product.Product) {
	variants := product.Measurements.Absorption
	ratings := make([]acoustics.Ratings, len(variants))
	for i := range variants {
		ratings[i] = acoustics.Rate(variants[i].AlphaSOctave, variants[i].AlphaSThirdOctave)
		variants[i].Ratings = ratings[i]
	}
	var of acoustics.Ratings // what speaks for the product
	computedFrom := "the most absorptive set-up"
	declaredOctave := product.AbsorptionOctave
	product.AbsorptionOctave = nil
	if best := acoustics.MostAbsorptive(ratings); best >= 0 {
		of = ratings[best]
		product.NRC, product.SAA = of.NRC, of.SAA
		product.AbsorptionOctave = of.AlphaP
	}
	if slices.ContainsFunc(ratings, func(r acoustics.Ratings) bool { return r.AlphaP != nil }) {
		p.warnReplaced(declaredOctave, product.AbsorptionOctave)
	} else if len(declaredOctave) > 0 {
		product.AbsorptionOctave, product.DeclaredOctave = declaredOctave, true
		own := acoustics.Rate(declaredOctave, nil)
		of.AlphaW, of.Shape = own.AlphaW, own.Shape
		computedFrom = "absorption_octave"
	}
	p.declareAlphaW(product, rating(of.AlphaW), computedFrom)
	p.declareLeast(product, ratings)
	p.warnDeclared(product, &of)
}

// declareAlphaW keeps the declared alpha_w, else takes the computed one.
func (p *parser) declareAlphaW(product *product.Product, computed *float64, computedFrom string) {
	switch declared := product.AlphaW; {
	case declared == nil:
		product.AlphaW = computed
	case computed != nil && isDoubtful(*declared, *computed):
		p.warn("alpha_w", "declared as "+formatNumber(*declared)+", but the value of "+computedFrom+" is "+formatNumber(*computed))
	}
}

// declareLeast keeps the declared alpha_w_min, else takes the least alpha_w of the product and its variants.
func (p *parser) declareLeast(product *product.Product, ratings []acoustics.Ratings) {
	least := product.AlphaW
	for i := range ratings {
		if alphaW := rating(ratings[i].AlphaW); alphaW != nil && (least == nil || *alphaW < *least) {
			least = alphaW
		}
	}
	if product.AlphaWMin == nil {
		product.AlphaWMin = least
	} else if product.AlphaW != nil && *product.AlphaWMin > *product.AlphaW {
		p.warn("alpha_w_min", formatNumber(*product.AlphaWMin)+" is greater than alpha_w, which is "+
			formatNumber(*product.AlphaW))
	}
}

// warnReplaced warns of declared practical coefficients in whose place others are computed.
func (p *parser) warnReplaced(declared, computed acoustics.Curve) {
	var bands []string
	for _, d := range declared {
		if c, ok := computed.At(d.BandHz); ok && isDoubtful(d.Value, c) {
			bands = append(bands, formatNumber(d.Value)+" at "+strconv.Itoa(d.BandHz)+" Hz, where it gives "+formatNumber(c))
		}
	}
	if len(bands) > 0 {
		p.warn("absorption_octave", "replaced by values computed from the most absorptive set-up: declared as "+
			strings.Join(bands, ", "))
	}
}

// warnDeclared warns of ratings in structured_meta that differ from the computed ones: NRC and SAA, the sound
// absorption class and the shape indicators of alpha_w.
func (p *parser) warnDeclared(product *product.Product, of *acoustics.Ratings) {
	for _, m := range product.StructuredMeta {
		if doubt := doubtOf(m.Key, m.Value, of, product.AlphaW); doubt != "" {
			p.enter(member("structured_meta"))
			p.warn(m.Key, doubt)
			p.leave()
		}
	}
}

// doubtOf returns how a rating that a source declares differs from the computed ones, "" when it does not, is
// none of ours, or can't be computed. key is its key in structured_meta. The class is compared with alphaW,
// the alpha_w that the product has.
func doubtOf(key, declared string, of *acoustics.Ratings, alphaW *float64) string {
	is := func(name string) bool { return len(key) == len(name) && strings.EqualFold(key, name) }
	computed := ""
	switch {
	case is("nrc"):
		computed = otherRating(declared, of.NRC)
	case is("saa"):
		computed = otherRating(declared, of.SAA)
	case is("alpha_w"):
		computed = otherRating(declared, of.AlphaW)
	case is("Absorberklasse"), is("absorption_class"):
		computed = otherClass(declared, alphaW)
	case is("Formindikatoren"), is("shape_indicators"):
		if letters := shapeLetters(declared); letters != "" && of.AlphaW != nil && letters != of.Shape {
			computed = cmp.Or(of.Shape, "none")
		}
	}
	if computed == "" {
		return ""
	}
	return "declared as " + shortened(declared) + ", but the value computed from the coefficients is " + computed
}

// A SetUp is what a source says of one set-up of a product.
type SetUp struct {
	Octave, Third acoustics.Curve // of ISO 354
	Practical     acoustics.Curve // counted only where no set-up has an alpha_w of ISO 354
	AlphaW        *float64        // as declared, nil for none
	Declared      []Declared
}

// Declared is a rating that a source declares for a set-up.
type Declared struct {
	Key, Text string // Key as in structured_meta, or alpha_w
	Fault     Fault  // where it stands, without the problem
}

// RatingDoubts compares the ratings of set-ups with their own coefficients. It leaves out the largest alpha_w
// of the most absorptive set-up, which is the product's: a Reader compares that.
func RatingDoubts(setUps []SetUp, largest float64) (warnings []Fault) {
	computed := make([]acoustics.Ratings, len(setUps))
	var most, practical *acoustics.Hundredths
	for i := range setUps {
		s, of := &setUps[i], &computed[i]
		if s.Practical == nil {
			*of = acoustics.Rate(s.Octave, s.Third)
			most = larger(most, of.AlphaW)
		} else {
			*of = acoustics.Rate(s.Practical, nil)
			of.NRC = nil // which practical coefficients do not give
			practical = larger(practical, of.AlphaW)
		}
	}
	most = cmp.Or(most, practical)
	for i := range setUps {
		of, alphaW := &computed[i], cmp.Or(setUps[i].AlphaW, rating(computed[i].AlphaW))
		isMost := of.AlphaW != nil && *of.AlphaW == *most && alphaW != nil && *alphaW == largest
		for _, d := range setUps[i].Declared {
			if of.AlphaP == nil || d.Key == "alpha_w" && isMost {
				continue
			}
			if d.Fault.Problem = doubtOf(d.Key, d.Text, of, alphaW); d.Fault.Problem != "" {
				warnings = append(warnings, d.Fault)
			}
		}
	}
	return warnings
}

// larger returns the larger one of two ratings, nil for two that are not known.
func larger(a, b *acoustics.Hundredths) *acoustics.Hundredths {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// otherRating returns the computed rating if a declared one differs too much from it, else "".
func otherRating(declared string, computed *acoustics.Hundredths) string {
	n, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(declared), ",", ".", 1), 64)
	if err != nil || computed == nil || !isDoubtful(n, computed.Float()) {
		return ""
	}
	return formatNumber(computed.Float())
}

// otherClass returns the class of an alpha_w if the declared one is another, or says that there is none; else
// "".
func otherClass(declared string, alphaW *float64) string {
	words := strings.Fields(strings.ToUpper(declared))
	if len(words) == 0 || alphaW == nil {
		return ""
	}
	class := acoustics.Class(acoustics.Hundredths(math.Round(*alphaW * 100)))
	switch last := words[len(words)-1]; { // of "Klasse A"
	case last == "KLASSIFIZIERT" || last == "UNCLASSIFIED" || last == "CLASSIFIED":
		return class
	case len(last) == 1 && last >= "A" && last <= "E" && last != class:
		return cmp.Or(class, "none")
	}
	return ""
}

// shapeLetters returns shape indicators in the order L, M, H, "" for a text that is none.
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

// rating returns a rating as a number.
func rating(h *acoustics.Hundredths) *float64 {
	if h == nil {
		return nil
	}
	v := h.Float()
	return &v
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
