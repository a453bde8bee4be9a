package runtime

import (
	"math"
	"strconv"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
)

// MatchValues are what a match shows: its octave values, its margin and its distance with four decimals.
type MatchValues struct {
	// among the product's ISO 354 entries, from 0; -1: the declared curve of a product, which has no place there
	Entry            int
	SetUp            *product.Absorption // that entry, of a Hit alone; nil for the declared curve
	DepthMM          *float64            // nil when it is not known; valid while the generation is held
	AlphaW           *float64            // of the entry; nil without a rating
	Shape, Class     string              // of alpha_w; "" for none
	Absorption       acoustics.Curve
	Margin, Distance *float64        // nil when the query has none
	Shortfall        acoustics.Curve // of a near miss: what it lacks in each band of AbsorptionMin
}

// weighted are the weighted coefficients, 0 to 1 in steps of 0.05, for matches to point to.
var weighted = func() (all [21]float64) {
	for i := range all {
		all[i] = acoustics.Hundredths(5 * i).Float()
	}
	return all
}()

// matchValues returns what a match shows; nil when no ISO 354 entry was asked for.
func (g *Generation) matchValues(d column.Doc, m Match) *MatchValues {
	if m.entry == noEntry {
		return nil
	}
	table := &g.index.Entries[indexes.NormAbsorption]
	v := &MatchValues{Entry: -1, Absorption: make(acoustics.Curve, 0, len(acoustics.OctaveBands))}
	if place, ok := placeOf(table, d, m.entry); ok {
		v.Entry = place
	}
	v.DepthMM = table.Length(indexes.AttributeDepth, m.entry)
	if alphaW, shape, ok := table.Rating(m.entry).AlphaW(); ok {
		v.AlphaW, v.Shape, v.Class = &weighted[alphaW/5], shape, acoustics.Class(acoustics.Hundredths(alphaW))
	}
	bands := indexes.NormAbsorption.Bands()
	for band, level := range table.Levels(m.entry) {
		if level != 0 {
			p := acoustics.Point{BandHz: bands[band], Value: shownThirds(level.Thirds())}
			v.Absorption = append(v.Absorption, p)
		}
	}
	if m.hasMargin {
		v.Margin = new(shownThirds(m.margin))
	}
	if m.hasDistance {
		v.Distance = new(rounded(m.distance.coefficient()))
	}
	if m.shortfall != nil {
		for _, b := range *m.shortfall {
			v.Shortfall = append(v.Shortfall, acoustics.Point{BandHz: bands[b.band], Value: shownThirds(b.thirds)})
		}
	}
	return v
}

// AppendMatch appends the JSON of a match, with what the body says of the entry; null when no ISO 354 entry
// was asked for.
func (g *Generation) AppendMatch(dst []byte, d column.Doc, m Match) []byte {
	v := g.matchValues(d, m)
	if v == nil {
		return append(dst, "null"...)
	}
	if dst = append(dst, `{"entry":`...); v.Entry < 0 {
		dst = append(dst, `null,"id":null,"mounting":null,"thickness_mm":null,"air_gap_mm":null,"depth_mm":null,`+
			`"source_kind":null`...)
	} else {
		dst = strconv.AppendInt(dst, int64(v.Entry), 10)
		dst = g.appendSetUp(dst, d, v.Entry, v.DepthMM)
	}
	dst = v.appendRating(dst)
	dst = appendCurveShown(append(dst, `,"absorption_octave":`...), v.Absorption)
	dst = appendShown(append(dst, `,"margin":`...), v.Margin)
	dst = appendShown(append(dst, `,"distance":`...), v.Distance)
	if v.Shortfall != nil {
		dst = appendCurveShown(append(dst, `,"shortfall":`...), v.Shortfall)
	}
	return append(dst, '}')
}

// appendRating appends the rating of an entry. Shape and class are of the alphabet, and need no escapes.
func (v *MatchValues) appendRating(dst []byte) []byte {
	if v.AlphaW == nil {
		return append(dst, `,"alpha_w":null,"alpha_w_shape":null,"absorption_class":null`...)
	}
	dst = appendShown(append(dst, `,"alpha_w":`...), v.AlphaW)
	dst = append(append(append(dst, `,"alpha_w_shape":"`...), v.Shape...), `","absorption_class":`...)
	if v.Class == "" {
		return append(dst, "null"...)
	}
	return append(append(append(dst, '"'), v.Class...), '"')
}

// appendCurveShown appends an object of bands and coefficients.
func appendCurveShown(dst []byte, c acoustics.Curve) []byte {
	dst = append(dst, '{')
	for i := range c {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, '"'), int64(c[i].BandHz), 10)
		dst = appendShown(append(dst, `":`...), &c[i].Value)
	}
	return append(dst, '}')
}

// placeOf returns the place of an ISO 354 entry among those of its document; ok is false for the declared
// curve of a product.
func placeOf(table *indexes.Entries, d column.Doc, entry int) (place int, ok bool) {
	first, _ := table.Of(d)
	return entry - first, table.Number(indexes.AttributeSourceKind, entry) != 0
}

// appendSetUp appends what a match repeats of the set-up of an entry, by its place among the product's.
func (g *Generation) appendSetUp(dst []byte, d column.Doc, entry int, depthMM *float64) []byte {
	b := g.index.Bodies.At(d)
	start := len(dst)
	dst = g.appendVerified(dst, d, &b, indexes.SumAbsorption)
	end := len(dst)
	dst = product.AppendSetUp(dst, column.String(dst[start:end]), entry, depthMM)
	return dst[:start+copy(dst[start:], dst[end:])]
}

// appendShown appends a number, or null.
func appendShown(dst []byte, v *float64) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, *v, 'f', -1, 64)
}

// shownThirds returns a coefficient in thirds of a thousandth as it is shown.
func shownThirds(thirds int) float64 { return rounded(float64(thirds) / thirdsPerUnit) }

// rounded returns a coefficient as it is shown, with four decimals.
func rounded(v float64) float64 {
	const places = 1e4
	return math.Round(v*places)/places + 0 // -0 and 0 are 0
}

// AppendSummaries appends the JSON array of the MaterialSummaries of a page.
func (g *Generation) AppendSummaries(dst []byte, r *Result, in Include) []byte {
	return g.appendHits(dst, r, func(dst []byte, d column.Doc) []byte { return g.appendSummary(dst, d, in) })
}

// AppendPublics appends the JSON array of the PublicSearchProducts of a page.
func (g *Generation) AppendPublics(dst []byte, r *Result, l Locale) []byte {
	return g.appendHits(dst, r, func(dst []byte, d column.Doc) []byte { return g.appendPublic(dst, d, l) })
}

// appendHits is appendPage for a result, whose matches are the last key of each product.
func (g *Generation) appendHits(dst []byte, r *Result, object func(dst []byte, d column.Doc) []byte) []byte {
	if r.Matches == nil {
		return g.appendPage(dst, r.Docs, object)
	}
	i := 0
	return g.appendPage(dst, r.Docs, func(dst []byte, d column.Doc) []byte {
		dst = object(dst, d)
		dst = append(g.AppendMatch(append(dst[:len(dst)-1], matchKey...), d, r.Matches[i]), '}')
		i++
		return dst
	})
}

// matchKey comes before the match in an object that is still open.
const matchKey = `,"match":`

// A Hit is a product of a page.
type Hit struct {
	*product.Product
	Match *MatchValues // nil when no ISO 354 entry was asked for
}

// Hits returns the products of a result with their matches.
func (g *Generation) Hits(r *Result) []Hit {
	hits := make([]Hit, len(r.Docs))
	for i, d := range r.Docs {
		hits[i].Product = g.Product(d)
		if r.Matches == nil {
			continue
		}
		m, entries := g.matchValues(d, r.Matches[i]), hits[i].Measurements.Absorption
		if m != nil && m.Entry >= len(entries) {
			panic(g.Damaged(d))
		}
		if m != nil && m.Entry >= 0 {
			m.SetUp = &entries[m.Entry]
		}
		hits[i].Match = m
	}
	return hits
}
