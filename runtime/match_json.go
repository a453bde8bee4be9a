package runtime

import (
	"math"
	"strconv"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
)

// MatchValues contains the values of a match in a response. Coefficients are rounded to four decimals.
type MatchValues struct {
	// index among the product's ISO 354 entries; -1 for the declared curve of a product without entries
	Entry            int
	SetUp            *product.Absorption // the entry, set only in a Hit; nil for the declared curve
	DepthMM          *float64            // nil if unknown; valid while the generation is acquired
	AlphaW           *float64            // rating of the entry; nil if it has none
	Shape, Class     string              // shape indicator and class of alpha_w; "" if there are none
	Absorption       acoustics.Curve
	Margin, Distance *float64        // nil if the query does not define the value
	Shortfall        acoustics.Curve // deficit of a near miss in each band of AbsorptionMin
}

// weighted contains the values of alpha_w from 0 to 1 in steps of 0.05. Matches point to them.
var weighted = func() (all [21]float64) {
	for i := range all {
		all[i] = acoustics.Hundredths(5 * i).Float()
	}
	return all
}()

// matchValues returns the values of a match, or nil if the query does not select an ISO 354 entry.
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

// AppendMatch appends a match as JSON, with the data of its entry in the body. It appends null if the query
// does not select an ISO 354 entry.
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

// appendRating appends the rating of an entry. Shape and class are ASCII letters and need no escapes.
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

// appendCurveShown appends an object with the coefficient of each band.
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

// placeOf returns the index of an entry among the entries of its document. ok is false for the declared curve
// of a product, and for all entries of other norms than ISO 354.
func placeOf(table *indexes.Entries, d column.Doc, entry int) (place int, ok bool) {
	first, _ := table.Of(d)
	return entry - first, table.Number(indexes.AttributeSourceKind, entry) != 0
}

// appendSetUp appends the members of an entry's set-up that a match contains. entry is an index among the
// product's entries.
func (g *Generation) appendSetUp(dst []byte, d column.Doc, entry int, depthMM *float64) []byte {
	b := g.index.Bodies.At(d)
	start := len(dst)
	dst = g.appendVerified(dst, d, &b, indexes.SumAbsorption)
	end := len(dst)
	dst = product.AppendSetUp(dst, column.String(dst[start:end]), entry, depthMM)
	return dst[:start+copy(dst[start:], dst[end:])]
}

// appendShown appends a number, or null if v is nil.
func appendShown(dst []byte, v *float64) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, *v, 'f', -1, 64)
}

// shownThirds converts thirds of a thousandth to a rounded coefficient.
func shownThirds(thirds int) float64 { return rounded(float64(thirds) / thirdsPerUnit) }

// rounded rounds a coefficient to four decimals.
func rounded(v float64) float64 {
	const places = 1e4
	return math.Round(v*places)/places + 0 // + 0 turns -0 into 0
}

// AppendSummaries appends the JSON array of the MaterialSummaries of a page.
func (g *Generation) AppendSummaries(dst []byte, r *Result, in Include) []byte {
	return g.appendHits(dst, r, func(dst []byte, d column.Doc) []byte { return g.appendSummary(dst, d, in) })
}

// AppendPublics appends the JSON array of the PublicSearchProducts of a page.
func (g *Generation) AppendPublics(dst []byte, r *Result, l Locale) []byte {
	return g.appendHits(dst, r, func(dst []byte, d column.Doc) []byte { return g.appendPublic(dst, d, l) })
}

// appendHits is like appendPage for a result. The last key of each product is the match.
func (g *Generation) appendHits(dst []byte, r *Result, object func(dst []byte, d column.Doc) []byte) []byte {
	if r.Matches == nil {
		return g.appendPage(dst, r.Docs, object)
	}
	i := 0
	return g.appendPage(dst, r.Docs, func(dst []byte, d column.Doc) []byte {
		dst = object(dst, d)
		dst = append(g.AppendMatch(append(dst[:len(dst)-1], `,"match":`...), d, r.Matches[i]), '}')
		i++
		return dst
	})
}

// A Hit is a product of a page.
type Hit struct {
	*product.Product
	Match *MatchValues // nil if the query does not select an ISO 354 entry
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
