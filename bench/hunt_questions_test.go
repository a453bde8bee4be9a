package bench

import (
	"fmt"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sabine/bench/queries"
	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/runtime"
	"sabine/serve"
)

// ordinaryQuestions returns the questions in the classes. It combines questions with a text or filters with
// needs and targets from other questions, alternating between needs and targets. It adds a copy with facets
// of each question without facets.
func ordinaryQuestions(g *runtime.Generation, classes []queries.Class) ([]runtime.Query, error) {
	var all, bare []runtime.Query
	var needs [2][]runtime.Needs // needs at index 0, targets at index 1
	for _, class := range classes {
		for i := range min(len(class.Questions), class.Wanted) {
			q, err := class.Questions[i].In(g)
			if err != nil {
				return nil, err
			}
			q.Limit = serve.DefaultLimit
			all = append(all, q)
			switch n := q.Filters.Needs; {
			case n.Like != nil || n.Curve != nil:
				needs[1] = append(needs[1], n)
			case !isZero(n):
				needs[0] = append(needs[0], n)
			case !q.Facets && (q.Text != "" || !isZero(q.Filters)):
				bare = append(bare, q)
			}
		}
	}
	for i, q := range bare {
		if of := needs[i%2]; len(of) > 0 {
			q.Filters.Needs = of[i/2%len(of)]
			all = append(all, q)
		}
	}
	for _, q := range all[:len(all):len(all)] {
		if !q.Facets {
			q.Facets = true
			all = append(all, q)
		}
	}
	return all, nil
}

// isZero reports whether filters or needs are empty.
func isZero(v any) bool { return reflect.ValueOf(v).IsZero() }

// A breeder makes questions from the words, values and products in a catalogue. The API accepts them.
type breeder struct {
	*hostile
	values    [indexes.NumFamilies][]string
	mountings []string
	targets   []column.Doc // products that can be the target of a question
	total     int
}

func newBreeder(g *runtime.Generation) *breeder {
	b := &breeder{hostile: hostileOf(g), mountings: g.Mountings(), total: g.Products()}
	for f := range indexes.NumFamilies {
		b.values[f] = g.Values(f)
	}
	for d := range column.Doc(min(g.Products(), 2000)) {
		if g.CurveBands(d) >= runtime.MinShared {
			b.targets = append(b.targets, d)
		}
	}
	return b
}

// fresh returns a new question. It has a hostile text or no text.
func (b *breeder) fresh() runtime.Query {
	q := runtime.Query{Limit: serve.DefaultLimit}
	if b.r.IntN(4) > 0 {
		_, q.Text = b.next()
	}
	for range b.r.IntN(4) {
		b.vary(&q)
	}
	return b.valid(q)
}

// cross returns a question with the text, or half of the text, of one question and the filters of the other.
func (b *breeder) cross(q, other runtime.Query) runtime.Query {
	words, more := strings.Fields(q.Text), strings.Fields(other.Text)
	if b.r.IntN(2) == 0 {
		q.Text = strings.Join(slices.Concat(words[:len(words)/2], more[len(more)/2:]), " ")
	}
	q.Filters = other.Filters
	return q
}

// vary changes one part of a question. With probability one half, this is its text.
func (b *breeder) vary(q *runtime.Query) {
	if b.r.IntN(2) == 0 {
		q.Text = b.varied(q.Text)
	} else {
		one(b.hostile, variations)(b, q)
	}
}

// varied returns a text in which a word is replaced, removed, repeated or misspelt.
func (b *breeder) varied(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return b.word()
	}
	at, other := b.r.IntN(len(words)), b.r.IntN(len(words))
	switch b.r.IntN(12) {
	case 0, 1, 2:
		words = slices.Insert(words, at, b.word())
	case 3, 4:
		words[at] = b.word()
	case 5:
		words = slices.Delete(words, at, at+1)
	case 6:
		words = slices.Insert(words, at, words[other])
	case 7:
		words[at], words[other] = words[other], words[at]
	case 8:
		words[at] += words[other] // makes a compound, or a number with its unit
	case 9:
		words[at] = b.wrong(words[at], 1+b.r.IntN(2))
	case 10:
		letters := []rune(words[at])
		words[at] = string(letters[:1+b.r.IntN(len(letters))])
	default:
		words = words[:at+1]
	}
	return strings.Join(words, " ")
}

// word returns a word in the catalogue, a frequent word, the beginning of a word, a misspelt word, two joined
// words, a filling word or a number.
func (b *breeder) word() string {
	switch b.r.IntN(8) {
	case 0:
		return b.beginning(5)
	case 1:
		return b.wrong(one(b.hostile, b.words), 1+b.r.IntN(2))
	case 2:
		return one(b.hostile, b.words) + one(b.hostile, b.words)
	case 3:
		return one(b.hostile, filling)
	case 4:
		return b.digits()
	case 5:
		return one(b.hostile, b.words)
	}
	return one(b.hostile, b.frequent)
}

// variations lists the functions that change parts of a question other than its text.
var variations = []func(b *breeder, q *runtime.Query){
	func(_ *breeder, q *runtime.Query) { q.Facets = !q.Facets },
	func(b *breeder, q *runtime.Query) { q.Limit = 1 + b.r.IntN(serve.MaxLimit) },
	func(_ *breeder, q *runtime.Query) { q.Limit = serve.MaxLimit },
	func(_ *breeder, q *runtime.Query) { q.Page = 0 },
	func(b *breeder, q *runtime.Query) { q.Page = b.r.IntN(10) },
	func(b *breeder, q *runtime.Query) { q.Page = b.r.IntN(1 + b.total/q.Limit) },
	func(b *breeder, q *runtime.Query) { q.Sort = runtime.Sort(b.r.IntN(int(runtime.SortDepth) + 1)) },
	func(_ *breeder, q *runtime.Query) { q.Filters = runtime.Filters{} },
	func(_ *breeder, q *runtime.Query) { q.Filters.Needs = runtime.Needs{} },
	func(b *breeder, q *runtime.Query) { q.Filters.Categories = b.choice(b.values[indexes.FamilyCategory]) },
	func(b *breeder, q *runtime.Query) { q.Filters.Characters = b.choice(b.values[indexes.FamilyCharacter]) },
	func(b *breeder, q *runtime.Query) {
		q.Filters.Installations = b.choice(b.values[indexes.FamilyInstallation])
	},
	func(b *breeder, q *runtime.Query) {
		q.Filters.Manufacturers = b.choice(b.values[indexes.FamilyManufacturer])
	},
	func(b *breeder, q *runtime.Query) {
		q.Filters.FireClass = one(b.hostile, append(b.values[indexes.FamilyFireClass], ""))
	},
	func(_ *breeder, q *runtime.Query) { q.Filters.HasEPD = !q.Filters.HasEPD },
	func(_ *breeder, q *runtime.Query) { q.Filters.Purchasable = !q.Filters.Purchasable },
	func(b *breeder, q *runtime.Query) { q.Filters.AlphaWMin, q.Filters.AlphaWMax = b.number(1, 0.05), nil },
	func(b *breeder, q *runtime.Query) { q.Filters.AlphaWMin, q.Filters.AlphaWMax = nil, b.number(1, 0.05) },
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.AbsorptionMin = b.bounds(indexes.NormAbsorption) },
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.AbsorptionMax = b.bounds(indexes.NormAbsorption) },
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.ScatteringMin = b.bounds(indexes.NormScattering) },
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.DiffusionMin = b.bounds(indexes.NormDiffusion) },
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.ThicknessMax = b.number(300, 5) },
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.DepthMax = b.number(600, 5) },
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.Mountings = b.choice(b.mountings) },
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.SourceKinds = b.choice(product.SourceKinds) },
	func(b *breeder, q *runtime.Query) {
		q.Filters.Needs.AbsorptionClasses = b.choice(acoustics.Classes)
	},
	func(b *breeder, q *runtime.Query) { q.Filters.Needs.Curve = b.bounds(indexes.NormAbsorption) },
	func(b *breeder, q *runtime.Query) {
		d := one(b.hostile, b.targets)
		q.Filters.Needs.Like, q.Filters.Needs.Curve = &d, nil
	},
}

// choice returns one or more values from a list, without duplicates. It returns none if the list is empty.
func (b *breeder) choice(of []string) []string {
	if len(of) == 0 {
		return nil
	}
	of = slices.Clone(of)
	b.r.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return of[:1+b.r.IntN(b.r.IntN(len(of))+1)]
}

// number returns a random multiple of step that is at most most.
func (b *breeder) number(most, step float64) *float64 {
	n := math.Round(b.r.Float64()*most/step) * step
	return &n
}

// bounds returns coefficients in some bands of a norm. It returns either a few that hardly any entry reaches,
// or many that most entries reach.
func (b *breeder) bounds(norm indexes.Norm) (bounds []runtime.Bound) {
	n := 1 + b.r.IntN(len(norm.Bands()))
	for _, hz := range norm.Bands() {
		if b.r.IntN(len(norm.Bands())) < n {
			bounds = append(bounds, runtime.Bound{BandHz: hz, Thousandths: b.r.IntN(1+b.r.IntN(2100)) - 100})
		}
	}
	return bounds
}

// valid returns q without contradictions, which the API would refuse, and without a text that has no words,
// which would find everything. A text with one word and as many other characters takes as long to read.
func (b *breeder) valid(q runtime.Query) runtime.Query {
	q.Text = strings.TrimSpace(cut(strings.TrimSpace(strings.ToValidUTF8(q.Text, "?"))))
	if analysis.Key(q.Text) == "" {
		q.Text = ""
	}
	f := &q.Filters
	if f.AlphaWMin != nil && f.AlphaWMax != nil && *f.AlphaWMin > *f.AlphaWMax {
		f.AlphaWMax = nil
	}
	n := &f.Needs
	n.AbsorptionMax = slices.DeleteFunc(slices.Clone(n.AbsorptionMax), func(high runtime.Bound) bool {
		return slices.ContainsFunc(n.AbsorptionMin, func(low runtime.Bound) bool {
			return low.BandHz == high.BandHz && low.Thousandths > high.Thousandths
		})
	})
	if len(n.AbsorptionMax) == 0 {
		n.AbsorptionMax = nil
	}
	if n.Like != nil || len(n.Curve) < 2 {
		n.Curve = nil
	}
	if q.Sort == runtime.SortMargin && n.AbsorptionMin == nil || q.Sort == runtime.SortDistance && n.Like == nil &&
		n.Curve == nil {
		q.Sort = runtime.SortDefault
	}
	return q
}

// queryString returns a question as the query string of an authenticated search.
func queryString(g *runtime.Generation, q *runtime.Query) string {
	v := url.Values{}
	set := func(name string, values ...string) {
		if joined := strings.Join(values, ","); joined != "" {
			v.Set(name, joined)
		}
	}
	number := func(name string, n *float64) {
		if n != nil {
			set(name, strconv.FormatFloat(*n, 'g', -1, 64))
		}
	}
	boolean := func(name string, is bool) {
		if is {
			set(name, "true")
		}
	}
	bounds := func(name string, bounds []runtime.Bound) {
		for _, b := range bounds {
			v.Add(name, fmt.Sprintf("%d:%g", b.BandHz, float64(b.Thousandths)/1000))
		}
	}
	set("q", q.Text)
	set("limit", strconv.Itoa(q.Limit))
	if q.Page > 0 {
		set("page", strconv.Itoa(q.Page))
	}
	if q.Sort > runtime.SortDefault {
		set("sort", runtime.SortNames()[q.Sort-runtime.SortRelevance])
	}
	boolean("facets", q.Facets)
	f, n := &q.Filters, &q.Filters.Needs
	set("category", f.Categories...)
	set("character", f.Characters...)
	set("installation", f.Installations...)
	set("manufacturer", f.Manufacturers...)
	set("fire_class", f.FireClass)
	boolean("has_epd", f.HasEPD)
	boolean("purchasable_only", f.Purchasable)
	number("alpha_w_min", f.AlphaWMin)
	number("alpha_w_max", f.AlphaWMax)
	bounds("absorption_min", n.AbsorptionMin)
	bounds("absorption_max", n.AbsorptionMax)
	bounds("scattering_min", n.ScatteringMin)
	bounds("diffusion_min", n.DiffusionMin)
	bounds("curve", n.Curve)
	number("thickness_max", n.ThicknessMax)
	number("depth_max", n.DepthMax)
	set("mounting", n.Mountings...)
	set("source_kind", n.SourceKinds...)
	set("absorption_class", n.AbsorptionClasses...)
	if n.Like != nil {
		set("like", g.ID(*n.Like).String())
	}
	return v.Encode()
}
