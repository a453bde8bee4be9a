package runtime_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	source "sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/runtime"
)

// This oracle finds products by needs as the contract describes: it reads every entry of every product from
// the JSON of the detail. Coefficients are in thirds of thousandths, so that stated values and means of three
// values are integers. Lengths are fractions. The oracle shares only the rating of curves, for the class of
// an entry, with the engine.

// naiveThirds contains the third octaves of each octave.
var naiveThirds = map[int][3]int{
	63: {50, 63, 80}, 125: {100, 125, 160}, 250: {200, 250, 315}, 500: {400, 500, 630}, 1000: {800, 1000, 1250},
	2000: {1600, 2000, 2500}, 4000: {3150, 4000, 5000}, 8000: {6300, 8000, 10000},
}

// naiveOctaves lists the octaves in ascending order.
var naiveOctaves = []int{63, 125, 250, 500, 1000, 2000, 4000, 8000}

// naiveTargetOctaves lists the octaves of a target product.
var naiveTargetOctaves = []int{125, 250, 500, 1000, 2000, 4000}

// naiveLevels contains coefficients by band, in thirds of thousandths.
type naiveLevels map[int]int

// A naiveEntry is an ISO 354 entry, which describes a tested set-up.
type naiveEntry struct {
	index, id, mounting, thickness, gap, kind string   // JSON values
	thicknessMM, depthMM                      *big.Rat // nil if missing or unknown
	gapUnknown                                bool
	class                                     string // "" if there is none
	ratings                                   acoustics.Ratings
	levels                                    naiveLevels // octave values
}

// naiveEntries contains the entries of a product.
type naiveEntries struct {
	absorption           []naiveEntry
	scatter, diffusion   []naiveLevels
	mostAbsorptiveLevels naiveLevels // in the target octaves; nil if there is no entry
}

// readNaiveEntries reads the entries from the JSON of a detail.
func readNaiveEntries(detail []byte) (all naiveEntries) {
	body := gjson.ParseBytes(detail)
	curves := false
	for i, m := range body.Get("measurements.absorption_iso_354").Array() {
		octave, third := m.Get("alpha_s_octave"), m.Get("alpha_s_third_octave")
		e := naiveEntry{
			index: strconv.Itoa(i), id: m.Get("id").Raw, mounting: m.Get("mounting").Raw,
			thickness: m.Get("thickness_mm").Raw, gap: m.Get("air_gap_mm").Raw, kind: m.Get("source_kind").Raw,
		}
		if e.thickness != "null" {
			e.thicknessMM = naiveDecimal(e.thickness)
			e.measureDepth()
		}
		e.rate(octave, third)
		curves = curves || e.ratings.AlphaP != nil
		all.absorption = append(all.absorption, e)
	}
	// without a declared curve, use the levels of the most absorptive entry
	if declared := body.Get("absorption_octave"); declared.IsObject() && !curves {
		e := naiveEntry{index: "null", id: "null", mounting: "null", thickness: "null", gap: "null", kind: "null"}
		e.rate(declared, gjson.Result{})
		all.absorption = append(all.absorption, e)
	}
	for _, m := range body.Get("measurements.scatter_iso_17497_1").Array() {
		all.scatter = append(all.scatter, readNaiveLevels(m.Get("scatter_octave"), m.Get("scatter_third_octave"), true))
	}
	for _, m := range body.Get("measurements.diffusion_iso_17497_2").Array() {
		all.diffusion = append(all.diffusion, readNaiveLevels(m.Get("diffusion_octave"), m.Get("diffusion_third_octave"),
			true))
	}
	if best := all.mostAbsorptive(); best != nil {
		all.mostAbsorptiveLevels = naiveLevels{}
		for _, hz := range naiveTargetOctaves {
			if v, ok := best.levels[hz]; ok {
				all.mostAbsorptiveLevels[hz] = v
			}
		}
	}
	return all
}

// naiveE matches a mounting E-nnn.
var naiveE = regexp.MustCompile(`^E-([1-9][0-9]{1,3})$`)

// measureDepth sets the depth of an entry that has a thickness.
func (e *naiveEntry) measureDepth() {
	mounting := acoustics.Mounting(gjson.Parse(e.mounting).Str)
	face := naiveE.FindStringSubmatch(mounting)
	switch {
	case e.gap != "null":
		e.depthMM = new(big.Rat).Add(e.thicknessMM, naiveDecimal(e.gap))
	case mounting == "A" || mounting == "B" || mounting == "I":
		e.depthMM = e.thicknessMM
	case face != nil && naiveDecimal(face[1]).Cmp(e.thicknessMM) >= 0:
		e.depthMM = naiveDecimal(face[1])
	default:
		e.gapUnknown = true
	}
}

// rate sets the fields that are computed from the curves of an entry.
func (e *naiveEntry) rate(octave, third gjson.Result) {
	e.levels = readNaiveLevels(octave, third, false)
	e.ratings = acoustics.Rate(naiveCurve(octave), naiveCurve(third))
	if e.ratings.AlphaW != nil {
		e.class = acoustics.Class(*e.ratings.AlphaW)
	}
}

// mostAbsorptive returns the entry with the highest alpha_w. Of equal entries it returns the one with the
// highest NRC, then the first. Entries without a value come last.
func (all *naiveEntries) mostAbsorptive() (best *naiveEntry) {
	value := func(h *acoustics.Hundredths) int {
		if h == nil {
			return math.MinInt
		}
		return int(*h)
	}
	for i := range all.absorption {
		e := &all.absorption[i]
		if best == nil || cmp.Or(
			cmp.Compare(value(e.ratings.AlphaW), value(best.ratings.AlphaW)), cmp.Compare(value(e.ratings.NRC),
				value(best.ratings.NRC)),
		) > 0 {
			best = e
		}
	}
	return best
}

// readNaiveLevels returns the octave values of two frequency maps. If others is true, it also returns the
// values of third octaves that are not octave centres.
func readNaiveLevels(octave, third gjson.Result, others bool) naiveLevels {
	stated := func(curve gjson.Result) naiveLevels {
		values := naiveLevels{}
		for key, value := range curve.Map() {
			hz, _ := strconv.Atoi(key)
			values[hz] = naiveThousandths(value.Raw)
		}
		return values
	}
	octaves, thirds, levels := stated(octave), stated(third), naiveLevels{}
	for hz, three := range naiveThirds {
		a, okA := thirds[three[0]]
		b, okB := thirds[three[1]]
		c, okC := thirds[three[2]]
		if v, ok := octaves[hz]; ok {
			levels[hz] = 3 * v
		} else if okA && okB && okC {
			levels[hz] = a + b + c
		}
	}
	if others {
		for hz, v := range thirds {
			if _, isOctave := naiveThirds[hz]; !isOctave {
				levels[hz] = 3 * v
			}
		}
	}
	return levels
}

func naiveCurve(curve gjson.Result) (c acoustics.Curve) {
	for key, value := range curve.Map() { // empty for null
		hz, _ := strconv.Atoi(key)
		c = append(c, acoustics.Point{BandHz: hz, Value: value.Num})
	}
	slices.SortFunc(c, func(p, q acoustics.Point) int { return p.BandHz - q.BandHz })
	return c
}

func naiveDecimal(text string) *big.Rat {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text + " is not a number")
	}
	return v
}

// knownThousandths caches the results of naiveThousandths.
var knownThousandths sync.Map

// naiveThousandths returns a coefficient in thousandths, rounded half away from zero.
func naiveThousandths(text string) int {
	if known, ok := knownThousandths.Load(text); ok {
		return known.(int)
	}
	v := naiveDecimal(text)
	v.Mul(v, big.NewRat(2000, 1))
	v.Add(v, big.NewRat(int64(v.Sign()), 1)) // v rounded is half of 2v+1, truncated
	n := int(new(big.Int).Quo(v.Num(), new(big.Int).Mul(v.Denom(), big.NewInt(2))).Int64())
	knownThousandths.Store(strings.Clone(text), n)
	return n
}

// A naiveNeed contains the needs of a query.
type naiveNeed struct {
	runtime.Needs
	thicknessMM, depthMM *big.Rat    // nil if there is no limit
	target               naiveLevels // nil if there is no target
	least                int         // minimum number of the target's bands in an entry
	near                 bool        // accept any value in the bands of absorption_min
}

// ofAbsorption reports whether the needs require an ISO 354 entry.
func (n *naiveNeed) ofAbsorption() bool {
	return len(n.AbsorptionMin) > 0 || len(n.AbsorptionMax) > 0 || n.thicknessMM != nil || n.depthMM != nil ||
		len(n.Mountings) > 0 ||
		len(n.SourceKinds) > 0 || len(n.AbsorptionClasses) > 0 || n.hasTarget()
}

func (n *naiveNeed) hasTarget() bool { return n.Like != nil || len(n.Curve) > 0 }

func (n *naiveNeed) isSet() bool {
	return n.ofAbsorption() || len(n.ScatteringMin) > 0 || len(n.DiffusionMin) > 0
}

// naiveNeedOf returns the needs of a query.
func naiveNeedOf(q *runtime.Query, of []naiveEntries) *naiveNeed {
	n := &naiveNeed{Needs: q.Filters.Needs}
	length := func(mm *float64) *big.Rat {
		if mm == nil {
			return nil
		}
		return naiveDecimal(strconv.FormatFloat(*mm, 'f', -1, 64))
	}
	n.thicknessMM, n.depthMM = length(n.ThicknessMax), length(n.DepthMax)
	switch {
	case n.Like != nil:
		n.target, n.least = of[*n.Like].mostAbsorptiveLevels, 3
	case len(n.Curve) > 0:
		n.target, n.least = naiveLevels{}, len(n.Curve)
		for _, b := range n.Curve {
			n.target[b.BandHz] = 3 * b.Thousandths
		}
	}
	return n
}

// A naiveMatch is an entry that meets all needs.
type naiveMatch struct {
	*naiveEntry
	margin     int         // margin in thirds of thousandths
	sum, bands int         // sum of squared differences to the target, in squared thirds of thousandths
	lacking    map[int]int // shortfall of a near miss, by band
}

// meet returns the match of an entry. ok reports whether the entry meets the needs.
func (e *naiveEntry) meet(n *naiveNeed) (m naiveMatch, ok bool) {
	one := func(allowed []string, value string) bool {
		return len(allowed) == 0 || value != "null" && slices.Contains(allowed, gjson.Parse(value).Str)
	}
	within := func(mm, most *big.Rat) bool { return most == nil || mm != nil && mm.Cmp(most) <= 0 }
	m = naiveMatch{naiveEntry: e, margin: math.MaxInt}
	for _, least := range n.AbsorptionMin {
		v, ok := e.levels[least.BandHz]
		if !ok || v < 3*least.Thousandths && !n.near {
			return m, false
		}
		m.margin = min(m.margin, v-3*least.Thousandths)
		if n.near {
			if m.lacking == nil {
				m.lacking = map[int]int{}
			}
			m.lacking[least.BandHz] = max(3*least.Thousandths-v, 0)
		}
	}
	for _, most := range n.AbsorptionMax {
		if v, ok := e.levels[most.BandHz]; !ok || v > 3*most.Thousandths {
			return m, false
		}
	}
	if len(n.Mountings) > 0 && !slices.Contains(n.Mountings, acoustics.Mounting(gjson.Parse(e.mounting).Str)) {
		return m, false
	}
	if !one(n.SourceKinds, e.kind) || !within(e.thicknessMM, n.thicknessMM) {
		return m, false
	}
	flat := within(e.depthMM, n.depthMM) || n.DepthUnknown && e.gapUnknown && within(e.thicknessMM, n.depthMM)
	if !flat {
		return m, false
	}
	if len(n.AbsorptionClasses) > 0 && (e.class == "" || !slices.Contains(n.AbsorptionClasses, e.class)) {
		return m, false
	}
	for hz, v := range n.target {
		if own, ok := e.levels[hz]; ok {
			m.sum, m.bands = m.sum+(own-v)*(own-v), m.bands+1
		}
	}
	return m, !n.hasTarget() || m.bands >= n.least
}

// reaches reports whether one of a norm's entries has at least the minimum in every band.
func reaches(entries []naiveLevels, least []runtime.Bound) bool {
	return len(least) == 0 || slices.ContainsFunc(entries, func(levels naiveLevels) bool {
		return !slices.ContainsFunc(least, func(b runtime.Bound) bool {
			v, ok := levels[b.BandHz]
			return !ok || v < 3*b.Thousandths
		})
	})
}

// compareDistance orders matches by the mean of the squared differences.
func compareDistance(a, b naiveMatch) int { return cmp.Compare(a.sum*b.bands, b.sum*a.bands) }

// compareLacking orders near misses by the largest shortfall, then by the sum of shortfalls.
func compareLacking(a, b naiveMatch) int {
	of := func(m naiveMatch) (largest, sum int) {
		for _, v := range m.lacking {
			largest, sum = max(largest, v), sum+v
		}
		return largest, sum
	}
	largestA, sumA := of(a)
	largestB, sumB := of(b)
	return cmp.Or(cmp.Compare(largestA, largestB), cmp.Compare(sumA, sumB))
}

// match returns the displayed entry of product d, or none if no need requires an ISO 354 entry. ok is false
// if the product does not meet the needs.
func (o *needsOracle) match(n *naiveNeed, d int, byMargin bool) (best naiveMatch, ok bool) {
	entries := &o.entries[d]
	if n.Like != nil && int(*n.Like) == d || !reaches(entries.scatter, n.ScatteringMin) ||
		!reaches(entries.diffusion, n.DiffusionMin) {
		return best, false
	}
	if !n.ofAbsorption() {
		return best, true
	}
	for i := range entries.absorption {
		m, meets := entries.absorption[i].meet(n)
		if !meets {
			continue
		}
		better := best.naiveEntry == nil
		switch {
		case better:
		case n.near:
			better = compareLacking(m, best) < 0
		case n.hasTarget() && !byMargin:
			better = compareDistance(m, best) < 0
		default: // all are equal without absorption_min
			better = m.margin > best.margin
		}
		if better {
			best = m
		}
	}
	return best, best.naiveEntry != nil
}

// json returns the JSON value of the key match.
func (m naiveMatch) json(n *naiveNeed) string {
	if m.naiveEntry == nil {
		return "null"
	}
	margin, distance, depth, rating, shortfall := "null", "null", "null", `"alpha_w":null,"alpha_w_shape":null`, ""
	class := "null"
	if m.depthMM != nil {
		mm, _ := m.depthMM.Float64()
		depth = strconv.FormatFloat(mm, 'f', -1, 64)
	}
	if r := m.ratings; r.AlphaW != nil {
		rating = fmt.Sprintf(`"alpha_w":%v,"alpha_w_shape":%q`, float64(*r.AlphaW)/100, r.Shape)
	}
	if m.class != "" {
		class = strconv.Quote(m.class)
	}
	if m.lacking != nil {
		shortfall = `,"shortfall":` + naiveBands(m.lacking)
	}
	if len(n.AbsorptionMin) > 0 {
		margin = naiveShown(m.margin)
	}
	if n.hasTarget() {
		distance = naiveShownRoot(m.sum, m.bands)
	}
	return fmt.Sprintf(
		`{"entry":%s,"id":%s,"mounting":%s,"thickness_mm":%s,"air_gap_mm":%s,"depth_mm":%s,"source_kind":%s,%s,`+
			`"absorption_class":%s,"absorption_octave":%s,"margin":%s,"distance":%s%s}`,
		m.index, m.id, m.mounting, m.thickness, m.gap, depth, m.kind, rating, class, naiveBands(m.levels), margin, distance,
		shortfall)
}

// naiveBands returns a JSON object with the coefficient of each octave.
func naiveBands(levels map[int]int) string {
	var shown []string
	for _, hz := range naiveOctaves {
		if v, ok := levels[hz]; ok {
			shown = append(shown, fmt.Sprintf(`"%d":%s`, hz, naiveShown(v)))
		}
	}
	return "{" + strings.Join(shown, ",") + "}"
}

// naiveShown converts thirds of thousandths to four decimals. No value is exactly half-way.
func naiveShown(thirds int) string {
	tenThousandths := math.Round(float64(thirds) * 10 / 3)
	return strconv.FormatFloat(tenThousandths/10_000+0, 'f', -1, 64) // + 0 turns -0 into 0
}

// naiveShownRoot rounds the root of sum/n, in thirds of thousandths, to four decimals. No value is exactly
// half-way: 400 sum = 9n odd² would require that n is a multiple of 16.
func naiveShownRoot(sum, n int) string {
	// in ten-thousandths: the largest k with k-1/2 <= 10/3 √(sum/n)
	k := max(int(math.Sqrt(float64(100*sum)/float64(9*n)))-1, 0)
	for 9*n*(2*k+1)*(2*k+1) <= 400*sum {
		k++
	}
	return strconv.FormatFloat(float64(k)/10_000, 'f', -1, 64)
}

// A needsOracle answers queries with needs by reading every entry.
type needsOracle struct {
	*oracle
	entries []naiveEntries           // entries of each product
	texts   func(text string) []hit  // returns the matches of a text in the order of relevance
	byID    []int                    // position of each product in the order of ids
	byName  map[runtime.Locale][]int // positions in the order of names, from the engine; other tests verify them
}

// newNeedsOracle returns the oracle for a compiled catalogue.
func newNeedsOracle(o *oracle, g *runtime.Generation) *needsOracle {
	all := &needsOracle{oracle: o, entries: make([]naiveEntries, len(o.products)), texts: o.matched,
		byName: map[runtime.Locale][]int{}}
	var detail []byte
	for d := range o.products {
		detail = g.AppendDetail(detail[:0], column.Doc(d), false)
		all.entries[d] = readNaiveEntries(slices.Clone(detail))
	}
	ids := make([]int, len(o.products))
	for d := range ids {
		ids[d] = d
	}
	slices.SortFunc(ids, func(a, b int) int { return strings.Compare(o.products[a].id, o.products[b].id) })
	all.byID = make([]int, len(ids))
	for place, d := range ids {
		all.byID[d] = place
	}
	for _, locale := range []runtime.Locale{runtime.German, runtime.English} {
		places := make([]int, len(o.products))
		for place, d := range g.Search(&runtime.Query{Sort: runtime.SortName, Locale: locale, Limit: len(places)}).Docs {
			places[d] = place
		}
		all.byName[locale] = places
	}
	return all
}

// anyStrategy is the strategy of a hit if texts are not read.
const anyStrategy = 255

// A naiveAnswer contains all hits of a query in order.
type naiveAnswer struct {
	docs     []column.Doc
	need     *naiveNeed
	matches  []naiveMatch // match of each of docs
	strategy runtime.Strategy
	counts   [indexes.NumFamilies]map[string]int // counts of facet values
	near     bool                                // whether docs are near misses, because there are no hits
}

// total returns the number of hits.
func (a *naiveAnswer) total() int {
	if a.near {
		return 0
	}
	return len(a.docs)
}

// answer answers a query, ignoring its page and limit.
func (o *needsOracle) answer(q *runtime.Query) (a naiveAnswer) {
	n := naiveNeedOf(q, o.entries)
	a.need = n
	for f := range a.counts {
		a.counts[f] = map[string]int{}
	}
	matches := make([]naiveMatch, len(o.products))
	lengths := make([]*big.Rat, len(o.products)) // sort keys
	var docs []int
	for _, h := range o.texts(q.Text) {
		match, ok := o.match(n, h.doc, q.Sort == runtime.SortMargin)
		if !ok {
			continue
		}
		failed := o.products[h.doc].failed(&q.Filters)
		a.count(&o.products[h.doc], failed)
		if failed != 0 {
			continue
		}
		if len(docs) == 0 {
			a.strategy = h.strategy()
		}
		if !n.isSet() {
			match.naiveEntry = o.entries[h.doc].mostAbsorptive()
		}
		docs, matches[h.doc] = append(docs, h.doc), match
		lengths[h.doc] = o.leastLength(n, h.doc, q.Sort)
	}
	if q.Near && len(docs) == 0 && len(n.AbsorptionMin) > 0 {
		o.answerNear(&a, q)
		return a
	}
	sort := q.Sort
	if sort == runtime.SortDefault && n.hasTarget() && naiveKey(q.Text) == "" {
		sort = runtime.SortDistance
	}
	switch sort {
	case runtime.SortDefault, runtime.SortRelevance: // unchanged: without a text, the order is by date
	case runtime.SortMargin:
		slices.SortFunc(docs, func(a, b int) int { return cmp.Or(cmp.Compare(matches[b].margin, matches[a].margin), a-b) })
	case runtime.SortDistance:
		slices.SortFunc(docs, func(a, b int) int { return cmp.Or(compareDistance(matches[a], matches[b]), a-b) })
	case runtime.SortThickness, runtime.SortDepth:
		slices.SortFunc(docs, func(a, b int) int { return cmp.Or(compareLengths(lengths[a], lengths[b]), a-b) })
	case runtime.SortName:
		slices.SortFunc(docs, func(a, b int) int { return o.byName[q.Locale][a] - o.byName[q.Locale][b] })
	default:
		slices.Sort(docs)
		o.sortedBy(docs, sort, q.Locale)
	}
	for _, d := range docs {
		a.docs = append(a.docs, column.Doc(d))
		a.matches = append(a.matches, matches[d])
	}
	return a
}

// answerNear returns the nearest misses of a query. They match its text, its filters and its other needs.
func (o *needsOracle) answerNear(a *naiveAnswer, q *runtime.Query) {
	near := *a.need
	near.near = true
	a.need, a.near = &near, true
	matches := map[int]naiveMatch{}
	for _, h := range o.texts(q.Text) {
		if match, ok := o.match(&near, h.doc, false); ok && o.products[h.doc].failed(&q.Filters) == 0 {
			matches[h.doc] = match
		}
	}
	docs := slices.SortedFunc(maps.Keys(matches), func(a, b int) int {
		return cmp.Or(compareLacking(matches[a], matches[b]), a-b)
	})
	for _, d := range docs {
		a.docs, a.matches = append(a.docs, column.Doc(d)), append(a.matches, matches[d])
	}
}

// leastLength returns the smallest length that the sort uses among the entries of a product that meet all
// needs, or nil.
func (o *needsOracle) leastLength(n *naiveNeed, d int, sort runtime.Sort) (least *big.Rat) {
	for i := range o.entries[d].absorption {
		e := &o.entries[d].absorption[i]
		length := e.thicknessMM
		if sort == runtime.SortDepth {
			length = e.depthMM
		}
		if _, meets := e.meet(n); meets && compareLengths(length, least) < 0 {
			least = length
		}
	}
	return least
}

// compareLengths orders lengths, with nil last.
func compareLengths(a, b *big.Rat) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return a.Cmp(b)
}

// A needFamily is a family whose values are properties of entries.
type needFamily struct {
	name   string
	known  []string // values in addition to those of the catalogue
	chosen func(n *runtime.Needs) *[]string
	of     func(e *naiveEntry) string // returns the value, or "" if there is none
	got    func(f *runtime.NeedFacets) []runtime.ValueCount
}

var needFamilies = []needFamily{
	{"absorption_classes", []string{"A", "B", "C", "D", "E"}, func(n *runtime.Needs) *[]string { return &n.AbsorptionClasses },
		func(e *naiveEntry) string { return e.class },
		func(f *runtime.NeedFacets) []runtime.ValueCount { return f.AbsorptionClasses }},
	{"mountings", nil, func(n *runtime.Needs) *[]string { return &n.Mountings },
		func(e *naiveEntry) string { return acoustics.Mounting(gjson.Parse(e.mounting).Str) },
		func(f *runtime.NeedFacets) []runtime.ValueCount { return f.Mountings }},
	{"source_kinds", []string{"measured", "literature", "simulated"},
		func(n *runtime.Needs) *[]string { return &n.SourceKinds },
		func(e *naiveEntry) string { return gjson.Parse(e.kind).Str },
		func(f *runtime.NeedFacets) []runtime.ValueCount { return f.SourceKinds }},
}

// needFacets counts, for each value of a family, the products that would be found if it were the only chosen
// value.
func (o *needsOracle) needFacets(q *runtime.Query, family *needFamily) (shown []runtime.ValueCount) {
	counts, known := map[string]int{}, map[string]bool{}
	for _, v := range family.known {
		known[v] = true
	}
	n := naiveNeedOf(q, o.entries)
	chosen := *family.chosen(&n.Needs)
	*family.chosen(&n.Needs) = nil
	for d := range o.entries {
		for i := range o.entries[d].absorption {
			known[family.of(&o.entries[d].absorption[i])] = true
		}
	}
	for _, h := range o.texts(q.Text) {
		if _, ok := o.match(n, h.doc, false); !ok || o.products[h.doc].failed(&q.Filters) != 0 {
			continue
		}
		values := map[string]bool{}
		for i := range o.entries[h.doc].absorption {
			e := &o.entries[h.doc].absorption[i]
			if _, meets := e.meet(n); meets {
				values[family.of(e)] = true
			}
		}
		for v := range values {
			counts[v]++
		}
	}
	delete(known, "")
	for v := range known {
		if counts[v] > 0 || slices.Contains(chosen, v) {
			shown = append(shown, runtime.ValueCount{Value: v, Count: counts[v]})
		}
	}
	slices.SortFunc(shown, func(a, b runtime.ValueCount) int {
		byCount := cmp.Compare(b.Count, a.Count)
		if family.name == "absorption_classes" {
			byCount = 0
		}
		return cmp.Or(byCount, cmp.Compare(a.Value, b.Value))
	})
	return shown
}

// compareNeedFacets compares the counts of needs with those of the oracle.
func (o *needsOracle) compareNeedFacets(t *testing.T, q *runtime.Query, got *runtime.NeedFacets) {
	t.Helper()
	for i := range needFamilies {
		f := &needFamilies[i]
		if got, want := f.got(got), o.needFacets(q, f); !slices.Equal(got, want) {
			t.Fatalf("%s: %s counts %v, want %v", asText(q), f.name, got, want)
		}
	}
}

// yesOrNo contains the values of a property.
var yesOrNo = map[bool][]string{true: {"true"}, false: {"false"}}

// count counts a product that matches the text and the needs in each family, provided that it passes the
// filters of all other families.
func (a *naiveAnswer) count(p *product, failed uint) {
	for f := range indexes.NumFamilies {
		if failed&^(1<<f) != 0 {
			continue
		}
		var values []string
		switch f {
		case indexes.FamilyCategory:
			values = []string{p.category}
		case indexes.FamilyCharacter:
			values = []string{p.character}
		case indexes.FamilyInstallation:
			values = p.installations
		case indexes.FamilyManufacturer:
			values = []string{p.indexManufacturer().Slug}
		case indexes.FamilyFireClass:
			if p.fire != "" {
				values = source.FireClasses[slices.Index(source.FireClasses, p.fire):]
			}
		case indexes.FamilyEPD:
			values = yesOrNo[p.epd]
		case indexes.FamilyPurchasable:
			values = yesOrNo[p.purchasable]
		}
		for _, v := range values {
			if v != "" {
				a.counts[f][v]++
			}
		}
	}
}

// mostShown is the approximate maximum number of hits on a page that are compared as JSON.
const mostShown = 100

// compareNeeds compares all results of a query with the oracle, and pages and the selection with all results.
func (o *needsOracle) compareNeeds(t *testing.T, g *runtime.Generation, q runtime.Query) naiveAnswer {
	t.Helper()
	want := o.answer(&q)
	q.Page, q.Limit, q.Facets = 0, len(o.products)+1, true
	got := g.Search(&q)
	if want.strategy == anyStrategy && len(want.docs) > 0 {
		want.strategy = got.Strategy
	}
	if got.Total != want.total() || got.Strategy != want.strategy || got.HasMore || !slices.Equal(got.Docs, want.docs) {
		t.Fatalf("%s: got %d by %v, want %d by %v%s", asText(&q), got.Total, got.Strategy, len(want.docs), want.strategy,
			o.firstOther(&q, got.Docs, want.docs))
	}
	sameMatches := func(r *runtime.Result, from int) bool {
		if !want.need.isSet() && !q.Match {
			return r.Matches == nil
		}
		step := 1 + len(r.Docs)/mostShown
		for i := 0; i < len(r.Docs); i += step {
			got, want := string(g.AppendMatch(nil, r.Docs[i], r.Matches[i])), want.matches[from+i].json(want.need)
			if got != want {
				t.Logf("%s: the match of product %d, hit %d:\ngot  %s\nwant %s\n%s", asText(&q), r.Docs[i], from+i, got, want,
					g.AppendDetail(nil, r.Docs[i], false))
				return false
			}
		}
		return len(r.Matches) == len(r.Docs)
	}
	if !sameMatches(got, 0) {
		t.Fatalf("%s: other matches, %d of %d hits", asText(&q), len(got.Matches), got.Total)
	}
	o.compareFacets(t, &q, got.Facets, &want)
	if q.NeedFacets {
		o.compareNeedFacets(t, &q, got.NeedFacets)
		q.NeedFacets = false
	} else if got.NeedFacets != nil {
		t.Fatalf("%s: counts of needs that were not requested", asText(&q))
	}
	if want.near {
		o.compareNear(t, g, q, &want)
		return want
	}
	for _, q.Limit = range []int{1, 7, 24} {
		last := max(got.Total-1, 0) / q.Limit
		for _, q.Page = range []int{0, 1, last / 2, last, last + 1} {
			from := min(q.Page*q.Limit, got.Total)
			to := min(from+q.Limit, got.Total)
			page := g.Search(&q)
			same := slices.Equal(page.Docs, want.docs[from:to]) && page.Total == got.Total && page.Strategy == got.Strategy &&
				page.HasMore == (q.Page < last)
			if !same || !sameMatches(page, from) {
				t.Fatalf("%s: page %d of %d is not that of the whole: %v of %d", asText(&q), q.Page, q.Limit, page.Docs, page.Total)
			}
		}
	}
	selection := g.Select(&q)
	byID := slices.SortedFunc(slices.Values(want.docs), func(a, b column.Doc) int { return o.byID[a] - o.byID[b] })
	if selected := slices.Collect(selection.ByID()); selection.Len != len(byID) || !slices.Equal(selected, byID) {
		t.Fatalf("%s: selected by id %v, want %v", asText(&q), selected, byID)
	}
	return want
}

// compareNear compares pages of near misses with want. It checks that only the first page contains any, and
// that Select returns none.
func (o *needsOracle) compareNear(t *testing.T, g *runtime.Generation, q runtime.Query, want *naiveAnswer) {
	t.Helper()
	for _, q.Limit = range []int{1, 7, 24} {
		for _, q.Page = range []int{0, 1} {
			docs := want.docs[:min(q.Limit*(1-q.Page), len(want.docs))]
			if page := g.Search(&q); !slices.Equal(page.Docs, docs) || page.Total != 0 || page.HasMore {
				t.Fatalf("%s: page %d of %d near misses: %v of %d, want %v", asText(&q), q.Page, q.Limit, page.Docs, page.Total, docs)
			}
		}
	}
	if selected := g.Select(&q); selected.Len != 0 {
		t.Fatalf("%s: %d near misses are selected", asText(&q), selected.Len)
	}
}

// compareFacets compares the counts of facets with those of the oracle.
func (o *needsOracle) compareFacets(t *testing.T, q *runtime.Query, got *runtime.Facets, want *naiveAnswer) {
	t.Helper()
	counts := func(of []runtime.ValueCount) map[string]int {
		m := map[string]int{}
		for _, v := range of {
			m[v.Value] = v.Count
		}
		return m
	}
	manufacturers := map[string]int{}
	for _, m := range got.Manufacturers {
		manufacturers[m.Slug] = m.Count
	}
	split := func(s runtime.Split) map[string]int { return map[string]int{"true": s.True, "false": s.False} }
	for f, counted := range [indexes.NumFamilies]map[string]int{
		indexes.FamilyCategory: counts(got.Categories), indexes.FamilyCharacter: counts(got.Characters),
		indexes.FamilyInstallation: counts(got.Installations),
		indexes.FamilyManufacturer: manufacturers, indexes.FamilyFireClass: counts(got.FireClasses),
		indexes.FamilyEPD: split(got.HasEPD), indexes.FamilyPurchasable: split(got.Purchasable),
	} {
		for value, n := range counted {
			if n != want.counts[f][value] {
				t.Fatalf("%s: the facet of %s counts %d %q, want %d", asText(q), indexes.FamilyNames[f], n, value,
					want.counts[f][value])
			}
		}
		for value, n := range want.counts[f] {
			if n != counted[value] {
				t.Fatalf("%s: the facet of %s counts %d %q, want %d", asText(q), indexes.FamilyNames[f], counted[value], value, n)
			}
		}
	}
}

// firstOther describes the first hit that differs.
func (o *needsOracle) firstOther(q *runtime.Query, got, want []column.Doc) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	n := naiveNeedOf(q, o.entries)
	describe := func(docs []column.Doc) string {
		if at >= len(docs) {
			return "none"
		}
		match, ok := o.match(n, int(docs[at]), q.Sort == runtime.SortMargin)
		return fmt.Sprintf("product %d, meets %v: %s", docs[at], ok, match.json(n))
	}
	return fmt.Sprintf("\nhit %d: got  %s\nwant %s", at, describe(got), describe(want))
}

// asText returns a query with the values of its pointers.
func asText(q *runtime.Query) string {
	shown, f, n := []string{fmt.Sprintf("%q", q.Text)}, &q.Filters, &q.Filters.Needs
	add := func(name string, asked bool, value any) {
		if asked {
			shown = append(shown, fmt.Sprintf("%s=%v", name, value))
		}
	}
	number := func(name string, value *float64) {
		if value != nil {
			add(name, true, *value)
		}
	}
	add("categories", f.Categories != nil, f.Categories)
	add("characters", f.Characters != nil, f.Characters)
	add("installations", f.Installations != nil, f.Installations)
	add("manufacturers", f.Manufacturers != nil, f.Manufacturers)
	number("alpha_w_min", f.AlphaWMin)
	number("alpha_w_max", f.AlphaWMax)
	add("fire_class", f.FireClass != "", f.FireClass)
	add("has_epd", f.HasEPD, true)
	add("purchasable", f.Purchasable, true)
	add("absorption_min", n.AbsorptionMin != nil, n.AbsorptionMin)
	add("absorption_max", n.AbsorptionMax != nil, n.AbsorptionMax)
	add("scattering_min", n.ScatteringMin != nil, n.ScatteringMin)
	add("diffusion_min", n.DiffusionMin != nil, n.DiffusionMin)
	number("thickness_max", n.ThicknessMax)
	number("depth_max", n.DepthMax)
	add("depth_unknown", n.DepthUnknown, true)
	add("match", q.Match, true)
	add("near", q.Near, true)
	add("mounting", n.Mountings != nil, n.Mountings)
	add("source_kind", n.SourceKinds != nil, n.SourceKinds)
	add("absorption_class", n.AbsorptionClasses != nil, n.AbsorptionClasses)
	if n.Like != nil {
		add("like", true, *n.Like)
	}
	add("curve", n.Curve != nil, n.Curve)
	add("sort", q.Sort != runtime.SortDefault, q.Sort)
	add("locale", q.Locale != runtime.German, q.Locale)
	return strings.Join(shown, " ")
}
