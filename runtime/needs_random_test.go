package runtime_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	source "sabine/dataset/product"
	"sabine/dataset/synthetic"
	"sabine/indexes/column"
	"sabine/runtime"
)

// inputOf returns an input whose content is in memory.
func inputOf(name string, content []byte) dataset.Input {
	return dataset.Input{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
}

// randomCurve returns a frequency map. way selects the values: few different values, so that there are many
// ties; three decimals; or more decimals, many of them half-way between two thousandths. Most values are from
// 0 to 1, some are above 1 or below 0.
func randomCurve(r *rand.Rand, bands []int, way int, most float64) json.RawMessage {
	gaps := r.IntN(3) // unless 0, some bands are missing
	var members []string
	for _, hz := range bands {
		if gaps > 0 && r.IntN(12) < gaps {
			continue
		}
		v := r.Float64()
		switch r.IntN(12) {
		case 0:
			v = -0.1 * v
		case 1:
			v = 1 + (most-1)*v
		}
		text := strconv.FormatFloat(v, 'f', 3, 64)
		switch {
		case way == 0:
			text = strconv.FormatFloat(math.Round(v*5)/5, 'f', 1, 64)
		case way == 2 && v > 0 && v < most-0.1:
			text += pick(r, []string{"5", "4999", "50001", "49999999", "7", "1234567"})
		}
		members = append(members, fmt.Sprintf(`"%d":%s`, hz, text))
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// randomCurves sets the frequency maps of a quantity: only third octaves, only octaves, both, or none.
func randomCurves(r *rand.Rand, entry map[string]any, quantity string, way int, most float64) {
	kinds := r.IntN(10)
	if kinds < 7 {
		entry[quantity+"_octave"] = randomCurve(r, acoustics.OctaveBands, way, most)
	}
	if kinds > 3 && kinds < 9 {
		entry[quantity+"_third_octave"] = randomCurve(r, acoustics.ThirdBands, way, most)
	}
	if r.IntN(20) == 0 {
		entry[quantity+"_octave"] = nil
	}
}

// randomMeasurements returns the measured data of a product.
func randomMeasurements(r *rand.Rand, way int) map[string]any {
	maybe := func(entry map[string]any, key string, values ...string) {
		if i := r.IntN(len(values) + 1); i < len(values) {
			entry[key] = json.RawMessage(values[i])
		}
	}
	var absorption, scatter, diffusion []map[string]any
	var made []any // curves made so far; two entries may share one
	for range r.IntN(5) {
		e := map[string]any{"source_kind": pick(r, source.SourceKinds)}
		maybe(e, "id", `"a"`, `"b"`, `"Prüfung \"1\""`)
		maybe(e, "mounting", `"A"`, `"E-400"`, `"Typ A"`, `"Decke, abgehängt"`, `"a"`, `""`, `"B"`, `"type i"`, `"E50"`,
			`"E-60"`, `"E"`, `"E-5"`, `"D-50"`)
		maybe(e, "thickness_mm", "0", "12.5", "12.9", "19.1", "40", "40", "60", "60.05", "1e2")
		maybe(e, "air_gap_mm", "0", "0.1", "0.3", "20", "47.3", "200", "360")
		randomCurves(r, e, "alpha_s", way, 2)
		if len(made) > 0 && r.IntN(4) == 0 {
			delete(e, "alpha_s_third_octave")
			e["alpha_s_octave"] = pick(r, made)
		} else if curve := e["alpha_s_octave"]; curve != nil {
			made = append(made, curve)
		}
		absorption = append(absorption, e)
	}
	for range r.IntN(3) * r.IntN(2) {
		e := map[string]any{"source_kind": pick(r, source.SourceKinds)}
		randomCurves(r, e, "scatter", way, 1.2)
		scatter = append(scatter, e)
	}
	for range r.IntN(3) * r.IntN(2) {
		e := map[string]any{"source_kind": "measured"}
		randomCurves(r, e, "diffusion", way, 1.2)
		randomCurves(r, e, "normalized_diffusion", way, 1.2) // no parameter refers to this curve
		randomCurves(r, e, "directional_diffusion", way, 1.2)
		diffusion = append(diffusion, e)
	}
	return map[string]any{"absorption_iso_354": absorption, "scatter_iso_17497_1": scatter,
		"diffusion_iso_17497_2": diffusion}
}

// randomRecords returns the source of a small catalogue whose products have all kinds of entries.
func randomRecords(t *testing.T, r *rand.Rand, n int) []dataset.Input {
	t.Helper()
	c := randomCatalogue(r, n)
	way := r.IntN(3)
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	orNil := func(text string) any {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return text
	}
	for i, p := range c.products {
		record := map[string]any{
			"id":   fmt.Sprintf("%08x-0000-4000-8000-%012d", r.Uint32(), i),
			"slug": fmt.Sprintf("product-%d", i), "manufacturer": p.manufacturer, "label": map[string]any{"de": p.label},
			"commercial_name": orNil(p.commercial), "material_category": orNil(p.category),
			"absorption_character": orNil(p.character),
			"installation_types":   p.installations, "fire_class": orNil(p.fire), "has_epd": p.epd, "purchasable": p.purchasable,
			"measurements": randomMeasurements(r, way),
		}
		if p.description != "" {
			record["description"] = p.description
		}
		if r.IntN(4) > 0 {
			record["updated_at"] = time.Date(2026, 1, 1+r.IntN(9), 0, 0, 0, 0, time.UTC)
		}
		if r.IntN(3) == 0 {
			record["alpha_w"] = p.alpha
		}
		if r.IntN(3) == 0 {
			record["absorption_octave"] = randomCurve(r, acoustics.OctaveBands, way, 1)
		}
		if err := out.Encode(record); err != nil {
			t.Fatal(err)
		}
	}
	families := map[string]map[string]any{}
	for i, v := range c.vocabulary() {
		terms := map[string]any{}
		for _, value := range v.Values {
			term := map[string]any{}
			for locale, name := range value.Names {
				term[locale] = name
			}
			if value.Synonyms != nil {
				term["synonyms"] = value.Synonyms
			}
			terms[value.Value] = term
		}
		families[[]string{source.FamilyCategory, source.FamilyCharacter, source.FamilyInstallation}[i]] = terms
	}
	vocabulary, err := json.Marshal(families)
	if err != nil {
		t.Fatal(err)
	}
	return []dataset.Input{inputOf("products.ndjson", lines.Bytes()), inputOf("vocabulary.json", vocabulary)}
}

// randomBounds returns at most the given number of bounds. Each is exactly a value, a thousandth away from
// it, or further away on the side that passes.
func randomBounds(r *rand.Rand, levels naiveLevels, bands []int, most, side int) (bounds []runtime.Bound) {
	for _, i := range r.Perm(len(bands)) {
		v, ok := levels[bands[i]]
		if !ok && r.IntN(40) > 0 { // sometimes use a band that the entry lacks
			continue
		}
		thousandths := int(math.Floor(float64(v) / 3))
		switch r.IntN(8) {
		case 0:
			thousandths--
		case 1:
			thousandths++ // the next thousandth above a mean, or one more than a stated value
		case 2, 3, 4:
			thousandths += side * r.IntN(400)
		}
		bounds = append(bounds, runtime.Bound{BandHz: bands[i], Thousandths: min(max(thousandths, -100), 2000)})
		if len(bounds) == most {
			break
		}
	}
	return bounds
}

// randomNeeds returns needs that an entry of a product usually meets.
func (o *needsOracle) randomNeeds(r *rand.Rand) (n runtime.Needs) {
	var d int
	for range 20 {
		d = r.IntN(len(o.products))
		if of := &o.entries[d]; len(of.absorption)+len(of.scatter)+len(of.diffusion) > 0 {
			break
		}
	}
	of := &o.entries[d]
	if len(of.absorption) > 0 && r.IntN(12) > 0 {
		o.randomAbsorption(r, pick(r, of.absorption), &n)
	}
	if len(of.scatter) > 0 && r.IntN(3) > 0 {
		n.ScatteringMin = randomBounds(r, pick(r, of.scatter), acoustics.ThirdBands, 1+r.IntN(2), -1)
	}
	if len(of.diffusion) > 0 && r.IntN(3) > 0 {
		n.DiffusionMin = randomBounds(r, pick(r, of.diffusion), acoustics.ThirdBands, 1+r.IntN(2), -1)
	}
	if r.IntN(4) == 0 {
		o.randomTarget(r, &n)
	}
	return n
}

// randomAbsorption sets needs that an ISO 354 entry usually meets.
func (o *needsOracle) randomAbsorption(r *rand.Rand, e naiveEntry, n *runtime.Needs) {
	one := func(value string, others ...string) (values []string) {
		var text *string
		if err := json.Unmarshal([]byte(value), &text); err != nil {
			panic(err)
		}
		if text != nil && *text != "" { // an empty mounting cannot be requested
			values = append(values, *text)
		}
		if values == nil || r.IntN(2) == 0 {
			values = append(values, pick(r, others))
		}
		return values
	}
	atMost := func(mm *big.Rat) *float64 {
		if mm == nil {
			return new(float64(r.IntN(80)))
		}
		v := new(big.Rat).Add(mm, pick(r, []*big.Rat{{}, {}, big.NewRat(1, 10), big.NewRat(-1, 10), big.NewRat(50, 1)}))
		exact, _ := strconv.ParseFloat(v.FloatString(3), 64) // lengths have at most three decimals
		return &exact
	}
	if r.IntN(3) > 0 {
		n.AbsorptionMin = randomBounds(r, e.levels, acoustics.OctaveBands, 1+r.IntN(3), -1)
	}
	if r.IntN(4) == 0 {
		n.AbsorptionMax = randomBounds(r, e.levels, acoustics.OctaveBands, 1+r.IntN(2), 1)
	}
	if r.IntN(5) == 0 {
		n.ThicknessMax = atMost(e.thicknessMM)
	}
	if r.IntN(4) == 0 {
		n.DepthMax = atMost(cmp.Or(e.depthMM, e.thicknessMM))
	}
	n.DepthUnknown = r.IntN(3) == 0
	if r.IntN(5) == 0 {
		for _, text := range one(e.mounting, "A", "E-400", "unknown") {
			n.Mountings = append(n.Mountings, acoustics.Mounting(text))
		}
	}
	if r.IntN(6) == 0 {
		n.SourceKinds = one(e.kind, append([]string{"guessed"}, source.SourceKinds...)...)
	}
	if r.IntN(6) == 0 {
		n.AbsorptionClasses = []string{pick(r, []string{"A", "B", "C", "D", "E", "F"})}
		if e.class != "" && r.IntN(4) > 0 {
			n.AbsorptionClasses = append(n.AbsorptionClasses, e.class)
		}
	}
}

// randomTarget sets a target: a product, the curve of a product, or a similar curve.
func (o *needsOracle) randomTarget(r *rand.Rand, n *runtime.Needs) {
	d := r.IntN(len(o.products))
	for range 20 {
		if len(o.entries[d].mostAbsorptiveLevels) >= 3 {
			break
		}
		d = r.IntN(len(o.products))
	}
	if r.IntN(2) == 0 {
		n.Like = new(column.Doc(d))
		return
	}
	all, shift := o.entries[d].absorption, pick(r, []int{0, 1, 1, 50})
	if len(all) == 0 {
		return
	}
	curve := randomBounds(r, pick(r, all).levels, acoustics.OctaveBands, 2+r.IntN(4), 0)
	for i := range curve {
		curve[i].Thousandths = min(curve[i].Thousandths+shift*r.IntN(2), 2000)
	}
	if len(curve) >= 2 {
		n.Curve = curve
	}
}

// filtersOf returns filters, mostly with values of one product.
func (o *needsOracle) filtersOf(r *rand.Rand) (f runtime.Filters) {
	p := pick(r, o.products)
	some := func(value string) []string {
		switch {
		case r.IntN(6) > 0 || value == "":
			return nil
		case r.IntN(4) == 0:
			return []string{value, "unknown"}
		}
		return []string{value}
	}
	made := p.indexManufacturer()
	f.Categories, f.Characters = some(p.category), some(p.character)
	if len(p.installations) > 0 {
		f.Installations = some(pick(r, p.installations))
	}
	f.Manufacturers = some(pick(r, []string{made.Slug, made.ID, strings.ToUpper(made.ID)}))
	f.HasEPD, f.Purchasable = r.IntN(12) == 0, r.IntN(12) == 0
	if r.IntN(8) == 0 {
		f.FireClass = p.fire
	}
	if r.IntN(8) == 0 && !math.IsNaN(p.alpha) {
		f.AlphaWMin = &p.alpha
	}
	if r.IntN(8) == 0 && !math.IsNaN(p.alpha) {
		f.AlphaWMax = &p.alpha
	}
	return f
}

// randomNeed returns a query with needs, sometimes with a text, with filters and with a valid sort.
func (o *needsOracle) randomNeed(r *rand.Rand, text func() string) runtime.Query {
	q := runtime.Query{Locale: runtime.Locale(r.IntN(2))}
	if r.IntN(2) == 0 {
		q.Filters = o.filtersOf(r)
	}
	q.Filters.Needs = o.randomNeeds(r)
	switch r.IntN(8) {
	case 0, 1:
		q.Text = text()
	case 2:
		q.Text = pick(r, []string{"?!", "  ", "™"}) // texts with empty keys
	}
	if r.IntN(2) == 0 {
		q.Sort = runtime.Sort(r.IntN(int(runtime.SortName) + 1))
	}
	if r.IntN(5) == 0 {
		q.Sort = pick(r, []runtime.Sort{runtime.SortThickness, runtime.SortDepth})
	}
	if r.IntN(12) == 0 {
		q.Filters.Needs = runtime.Needs{DepthUnknown: true}
	}
	q.Match, q.NeedFacets = r.IntN(4) == 0, r.IntN(4) == 0
	if r.IntN(3) == 0 {
		q.Near = true
		for i := range q.Filters.Needs.AbsorptionMin { // raise the minimums, mostly above all values
			q.Filters.Needs.AbsorptionMin[i].Thousandths = min(q.Filters.Needs.AbsorptionMin[i].Thousandths+r.IntN(900), 2000)
		}
		byBand := func(a, b runtime.Bound) int { return a.BandHz - b.BandHz } // the order of bounds after parsing
		slices.SortFunc(q.Filters.Needs.AbsorptionMin, byBand)
	}
	if len(q.Filters.Needs.AbsorptionMin) > 0 && r.IntN(3) == 0 {
		q.Sort = runtime.SortMargin
	}
	if n := &q.Filters.Needs; (n.Like != nil || n.Curve != nil) && r.IntN(3) == 0 {
		q.Sort = runtime.SortDistance
	}
	return q
}

// A tally counts the results of random needs.
type tally struct{ needs, found, hits, near int }

// compareRandomNeeds compares random needs with the oracle.
func (o *needsOracle) compareRandomNeeds(t *testing.T, g *runtime.Generation, r *rand.Rand, times int, text func() string,
	sum *tally) {
	t.Helper()
	for range times {
		q := o.randomNeed(r, text)
		want := o.compareNeeds(t, g, q)
		if sum.needs%10 == 0 && len(o.products) < minManyProducts {
			q.Facets = true
			checkFacets(t, g, q) // verifies the buckets and their order
		}
		sum.needs++
		sum.hits += len(want.docs)
		if len(want.docs) > 0 {
			sum.found++
		}
		if want.near && len(want.docs) > 0 {
			sum.near++
		}
	}
}

// requireHits fails the test if most needs find nothing, because the test would then prove little.
func (s *tally) requireHits(t *testing.T) {
	t.Helper()
	t.Logf("of %d needs %d find something, %d products, %d near misses", s.needs, s.found, s.hits, s.near)
	if 2*s.found < s.needs || 50*s.near < s.needs {
		t.Errorf("of %d needs only %d find something, %d near misses", s.needs, s.found, s.near)
	}
}

func TestNeedsOfTheSampleAgreeWithReadingEveryEntry(t *testing.T) {
	t.Parallel()
	c := sampleCatalogue(t)
	g := openSample(t)
	o := newNeedsOracle(newOracle(c), g)
	r := rand.New(rand.NewPCG(12, 1))
	var sum tally
	o.compareRandomNeeds(t, g, r, often(210), func() string { return o.textOf(r) }, &sum)
	sum.requireHits(t)
}

func TestNeedsOfRandomCataloguesAgreeWithReadingEveryEntry(t *testing.T) {
	t.Parallel()
	var sum tally
	for seed := range uint64(often(25)) {
		r := rand.New(rand.NewPCG(12, 100+seed))
		inputs := randomRecords(t, r, 1+r.IntN(80))
		c := readCatalogue(t, inputs, sampleDetails)
		g := openCompiled(t, inputs)
		o := newNeedsOracle(newOracle(c), g)
		o.compareRandomNeeds(t, g, r, 30, func() string { return randomText(r, c) }, &sum)
	}
	sum.requireHits(t)
}

// minManyProducts is the minimum size of a catalogue for which the engine does not read every entry.
const minManyProducts = 500

// generated returns a catalogue with many products.
func generated(t *testing.T) []dataset.Input {
	t.Helper()
	n := 20_000
	if testing.Short() {
		n = minManyProducts
	}
	var records bytes.Buffer
	if err := synthetic.Generate(&records, n, 12); err != nil {
		t.Fatal(err)
	}
	return []dataset.Input{inputOf("generated.ndjson", records.Bytes())}
}

// TestNeedsOfManyProductsAgreeWithReadingEveryEntry uses the engine's matches for texts without needs, which
// other tests verify.
func TestNeedsOfManyProductsAgreeWithReadingEveryEntry(t *testing.T) {
	t.Parallel()
	inputs := generated(t)
	c := readCatalogue(t, inputs, func(*source.Product) []string { return nil })
	g := openCompiled(t, inputs)
	o := newNeedsOracle(&oracle{products: c.products}, g)
	o.texts = func(text string) []hit {
		found := g.Search(&runtime.Query{Text: text, Limit: len(c.products)})
		hits := make([]hit, len(found.Docs))
		for i, d := range found.Docs {
			hits[i] = hit{doc: int(d), rank: [7]float64{anyStrategy}}
		}
		return hits
	}
	r := rand.New(rand.NewPCG(12, 2))
	pagesByNeedCutOneOrder(t, g)
	var sum tally
	o.compareRandomNeeds(t, g, r, 20, func() string { return strings.Fields(pick(r, c.products).label)[0] }, &sum)
	sum.requireHits(t)
}

// pagesByNeedCutOneOrder compares pages by margin and by distance, for which the engine skips entries, with a
// single page of all hits, for which it skips no entries.
func pagesByNeedCutOneOrder(t *testing.T, g *runtime.Generation) {
	least := []runtime.Bound{{BandHz: 500, Thousandths: 100}, {BandHz: 1000, Thousandths: 200}}
	curve := []runtime.Bound{{BandHz: 250, Thousandths: 400}, {BandHz: 1000, Thousandths: 800}}
	near := runtime.Query{Near: true, Limit: g.Products(), Filters: runtime.Filters{Needs: runtime.Needs{
		AbsorptionMin: []runtime.Bound{{BandHz: 500, Thousandths: 1990}, {BandHz: 1000, Thousandths: 1200}}}}}
	all := g.Search(&near).Docs
	for _, near.Limit = range []int{1, 7, 24, 1000} {
		if got := g.Search(&near).Docs; len(all) < 400 || !slices.Equal(got, all[:min(near.Limit, len(all))]) {
			t.Errorf("%d near misses of %d: got %v", near.Limit, len(all), got)
		}
	}
	for _, q := range []runtime.Query{
		{Sort: runtime.SortMargin, Filters: runtime.Filters{Needs: runtime.Needs{AbsorptionMin: least}}},
		{Sort: runtime.SortMargin, Filters: runtime.Filters{HasEPD: true, Needs: runtime.Needs{AbsorptionMin: least[:1]}}},
		{Sort: runtime.SortThickness, Filters: runtime.Filters{Needs: runtime.Needs{AbsorptionMin: least}}},
		{Sort: runtime.SortDepth, Filters: runtime.Filters{HasEPD: true, Needs: runtime.Needs{AbsorptionMin: least}}},
		{Sort: runtime.SortDistance, Filters: runtime.Filters{Needs: runtime.Needs{Curve: curve}}},
		{Sort: runtime.SortDistance, Text: "für", Filters: runtime.Filters{Needs: runtime.Needs{AbsorptionMin: least,
			Curve: curve}}},
	} {
		q.Limit = g.Products()
		whole := g.Search(&q)
		if whole.Total < 100 {
			t.Errorf("%+v: %d hits are too few", q, whole.Total)
		}
		q.Limit = 20
		for _, q.Page = range []int{0, 1, 2, whole.Total / 40, (whole.Total - 1) / 20} {
			from := q.Page * q.Limit
			want := whole.Docs[from:min(from+q.Limit, whole.Total)]
			if got := g.Search(&q).Docs; !slices.Equal(got, want) {
				t.Errorf("%+v: got %v, want %v", q, got, want)
			}
		}
	}
}

// withoutOneNeed returns needs without one parameter, or without one band of a parameter.
func withoutOneNeed(n runtime.Needs) (all []runtime.Needs) {
	less := func(leaveOut func(*runtime.Needs)) {
		fewer := n
		leaveOut(&fewer)
		all = append(all, fewer)
	}
	for _, of := range []func(*runtime.Needs) *[]runtime.Bound{
		func(n *runtime.Needs) *[]runtime.Bound {
			return &n.AbsorptionMin
		}, func(n *runtime.Needs) *[]runtime.Bound { return &n.AbsorptionMax },
		func(n *runtime.Needs) *[]runtime.Bound {
			return &n.ScatteringMin
		}, func(n *runtime.Needs) *[]runtime.Bound { return &n.DiffusionMin },
	} {
		if bounds := *of(&n); len(bounds) > 0 {
			less(func(n *runtime.Needs) { *of(n) = nil })
			less(func(n *runtime.Needs) { *of(n) = bounds[1:] })
		}
	}
	less(func(n *runtime.Needs) { n.ThicknessMax = nil })
	less(func(n *runtime.Needs) { n.DepthMax = nil })
	less(func(n *runtime.Needs) { n.DepthUnknown = true })
	less(func(n *runtime.Needs) { n.Mountings = nil })
	less(func(n *runtime.Needs) { n.SourceKinds = nil })
	less(func(n *runtime.Needs) { n.AbsorptionClasses = nil })
	less(func(n *runtime.Needs) { n.Like, n.Curve = nil, nil })
	return all
}

// TestNeedsOnlyRestrict checks that an additional need never adds a product, that the pages together contain
// total products, and that no margin is negative.
func TestNeedsOnlyRestrict(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(12, 3))
	inputs := randomRecords(t, r, 150)
	c := readCatalogue(t, inputs, sampleDetails)
	g := openCompiled(t, inputs)
	o := newNeedsOracle(&oracle{products: c.products}, g)
	pages := func(q runtime.Query) map[column.Doc]bool {
		found := map[column.Doc]bool{}
		for total, more := 0, true; more; q.Page++ {
			page := g.Search(&q)
			for i, d := range page.Docs {
				found[d] = true
				if margin := gjson.GetBytes(g.AppendMatch(nil, d, page.Matches[i]), "margin"); margin.Num < 0 {
					t.Errorf("%s: product %d has the margin %s", asText(&q), d, margin.Raw)
				}
			}
			total, more = total+len(page.Docs), page.HasMore
			if !more && (total != page.Total || total != len(found)) {
				t.Fatalf("%s: %d hits on all pages, %d products, total %d", asText(&q), total, len(found), page.Total)
			}
		}
		return found
	}
	for range 200 {
		q := o.randomNeed(r, func() string { return randomText(r, c) })
		q.Near = false
		if q.Limit = 1 + r.IntN(30); q.Sort > runtime.SortName {
			q.Sort = runtime.SortRelevance
		}
		if !naiveNeedOf(&q, o.entries).isSet() {
			continue
		}
		found := pages(q)
		for _, fewer := range withoutOneNeed(q.Filters.Needs) {
			wider := runtime.Query{Text: q.Text, Filters: q.Filters, Limit: len(c.products)}
			wider.Filters.Needs = fewer
			kept := map[column.Doc]bool{}
			for _, d := range g.Search(&wider).Docs {
				kept[d] = true
			}
			for d := range found {
				if !kept[d] {
					t.Fatalf("product %d is found by %s, and not by %s", d, asText(&q), asText(&wider))
				}
			}
		}
	}
}
