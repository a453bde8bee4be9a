package product_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/dataset/synthetic"
)

// catalogues returns source records as JSON lines.
func catalogues(t testing.TB) []byte {
	t.Helper()
	sample, err := os.ReadFile("../sample/products.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.NewBuffer(sample)
	if err := synthetic.Generate(text, 500, 1); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// eachProduct calls visit with the products of the catalogues.
func eachProduct(t testing.TB, visit func(p *product.Product)) {
	t.Helper()
	for line := range bytes.Lines(catalogues(t)) {
		parsed := dataset.Parse(dataset.Raw{JSON: line})
		if len(parsed.Faults) > 0 {
			t.Fatal(&parsed.Faults[0])
		}
		visit(parsed.Product)
	}
}

// TestSourceRecordRoundTrip checks that AppendSource and dataset.Parse are inverse.
func TestSourceRecordRoundTrip(t *testing.T) {
	eachProduct(t, func(p *product.Product) {
		source := product.AppendSource(nil, p)
		if got := dataset.Parse(dataset.Raw{JSON: source}).Product; !reflect.DeepEqual(got, p) {
			t.Errorf("%s\ngot  %+v\nwant %+v", source, got, p)
		}
	})
}

// objectsOf returns the two objects of a record that together contain the whole product: the detail with
// geometry, and the data that a detail does not show.
func objectsOf(r *product.Record) (detail, rest string) {
	text := string(r.Text)
	return text[:r.DetailEnd-1] + text[r.DetailEnd:r.GeometryEnd] + "}", text[r.GeometryEnd+1 : r.RestEnd]
}

// TestStoredRecordRoundTrip checks that a stored record contains all data from the source record.
func TestStoredRecordRoundTrip(t *testing.T) {
	r := product.NewRenderer()
	eachProduct(t, func(p *product.Product) {
		if !p.Published {
			return
		}
		back := product.Read(objectsOf(r.Render(p)))
		source := product.AppendSource(nil, back)
		if got := dataset.Parse(dataset.Raw{JSON: source}).Product; !reflect.DeepEqual(got, p) {
			t.Errorf("%s\ngot  %+v\nwant %+v", source, got, p)
		}
		if back.DeclaredOctave != p.DeclaredOctave || !reflect.DeepEqual(back.NRC, p.NRC) ||
			!reflect.DeepEqual(back.SAA, p.SAA) {
			t.Errorf("%s: got %t, %v, %v, want %t, %v, %v", p.ID, back.DeclaredOctave, back.NRC, back.SAA, p.DeclaredOctave,
				p.NRC, p.SAA)
		}
	})
}

// recordSet records by path which fields of a value are set.
func recordSet(set map[string]bool, path string, v reflect.Value) {
	set[path] = set[path] || !v.IsZero()
	_, isTime := v.Interface().(time.Time)
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		recordSet(set, path, v.Elem())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			recordSet(set, path+"[]", v.Index(i))
		}
	case v.Kind() == reflect.Struct && !isTime:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Ratings" { // computed, and not in a record
				recordSet(set, path+"."+name, v.Field(i))
			}
		}
	}
}

// TestAllFieldsRoundTrip checks that no field is lost in a stored or source record. A product with a declared
// octave curve cannot have ratings, so it takes two products to cover all fields.
func TestAllFieldsRoundTrip(t *testing.T) {
	rated, declared := fullProduct(), fullProduct()
	thirds := acoustics.Curve{}
	for _, hz := range acoustics.StandardThirds {
		thirds = append(thirds, acoustics.Point{BandHz: hz, Value: 0.5})
	}
	rated.Measurements.Absorption[1].AlphaSThirdOctave = thirds
	rated.Measurements.Scatter[0].MeasuringOption, rated.Measurements.Diffusion[0].MeasuringOption = ptr("rotated"),
		ptr("half")
	declared.Measurements.Absorption = nil
	declared.HasEPD, declared.EPDURL = true, nil // not their defaults
	declared.Purchasable = false
	set := map[string]bool{}
	for _, p := range []*product.Product{rated, declared} {
		source := product.AppendSource(nil, p)
		parsed := dataset.Parse(dataset.Raw{JSON: source})
		if parsed.Product == nil {
			t.Fatalf("%s: %v", source, parsed.Faults)
		}
		p := parsed.Product
		recordSet(set, "Product", reflect.ValueOf(*p))
		stored := product.Read(objectsOf(product.NewRenderer().Render(p)))
		if again := dataset.Parse(dataset.Raw{JSON: product.AppendSource(nil, stored)}).Product; !reflect.DeepEqual(again,
			p) {
			t.Errorf("as a source record\ngot  %+v\nwant %+v", again, p)
		}
		for i := range p.Measurements.Absorption {
			p.Measurements.Absorption[i].Ratings = acoustics.Ratings{}
		}
		if !reflect.DeepEqual(stored, p) {
			t.Errorf("as a stored record\ngot  %+v\nwant %+v", stored, p)
		}
	}
	for path, isSet := range set {
		if !isSet {
			t.Errorf("%s is zero in both products", path)
		}
	}
}

func TestDifferences(t *testing.T) {
	if got := product.Differences(fullProduct(), fullProduct()); got != nil {
		t.Errorf("a product differs from itself in %q", got)
	}
	for want, change := range map[string]func(p *product.Product){
		"id":                   func(p *product.Product) { p.ID[0]++ },
		"slug":                 func(p *product.Product) { p.Slug = nil },
		"label":                func(p *product.Product) { p.Label[0].Text = "Wand" },
		"label.en-GB":          func(p *product.Product) { p.Label[1].Text = "Wall" },
		"label.en-GB label.fr": func(p *product.Product) { p.Label[1] = product.Localized{Locale: "fr", Text: "Mur"} },
		"label label.en-GB":    func(p *product.Product) { p.Label = product.Text{{Locale: "de", Text: "Wand"}} },
		"description.en":       func(p *product.Product) { p.Description = p.Description[:1] },
		"commercial_name":      func(p *product.Product) { p.CommercialName = ptr("") },
		"manufacturer":         func(p *product.Product) { p.Manufacturer.Name = "M" },
		"manufacturer.slug":    func(p *product.Product) { p.Manufacturer.Slug = "m" },
		"manufacturer.id":      func(p *product.Product) { p.Manufacturer.ID[15]++ },
		"material_category":    func(p *product.Product) { p.MaterialCategory = nil },
		"installation_types":   func(p *product.Product) { p.InstallationTypes = []string{"free-standing", "wall"} },
		"alpha_w alpha_w_min":  func(p *product.Product) { p.AlphaW, p.AlphaWMin = ptr(0.86), nil },
		"updated_at":           func(p *product.Product) { p.UpdatedAt = ptr(p.UpdatedAt.Add(1)) },
		"":                     func(p *product.Product) { p.UpdatedAt = ptr(p.UpdatedAt.UTC()) },
		"nrc saa":              func(p *product.Product) { p.NRC, p.SAA = p.SAA, p.NRC },
		"absorption_octave":    func(p *product.Product) { p.AbsorptionOctave = nil },
		"epd_url has_epd":      func(p *product.Product) { p.HasEPD, p.EPDURL = false, nil },
		"structured_meta":      func(p *product.Product) { p.StructuredMeta[1].Value = "46" },
		"images":               func(p *product.Product) { p.Images[1].ID = ptr("img-2") },
		"measurements":         func(p *product.Product) { p.Measurements.Diffusion[0].DiffusionOctave[0].Value = 0.51 },
		"geometry":             func(p *product.Product) { p.Geometry.ExposedAreas = nil },
		"data_source":          func(p *product.Product) { p.DataSource = nil },
		"fire_class url":       func(p *product.Product) { p.FireClass, p.URL = nil, nil },
		"absorption_character": func(p *product.Product) { p.AbsorptionCharacter = ptr("hochton") },
		"purchasable":          func(p *product.Product) { p.Purchasable = false },
	} {
		changed := fullProduct()
		change(changed)
		for _, got := range [][]string{product.Differences(fullProduct(), changed),
			product.Differences(changed, fullProduct())} {
			if strings.Join(got, " ") != want {
				t.Errorf("got %q, want %s", got, want)
			}
		}
	}
}

// TestJSON checks that the value of a field is equal to its value in the detail with geometry.
func TestJSON(t *testing.T) {
	for _, p := range []*product.Product{fullProduct(), bareProduct()} {
		for name, want := range gjson.ParseBytes(rendered(p)[3].json).ForEach {
			if got := p.JSON(name.Str); string(got) != want.Raw {
				t.Errorf("%s: got %s, want %s", name.Str, got, want.Raw)
			}
		}
	}
}

func TestAppendSetUp(t *testing.T) {
	record := product.NewRenderer().Render(fullProduct())
	absorption := string(record.Text[record.AbsorptionStart:record.AbsorptionEnd])
	const none = `,"id":null,"mounting":null,"thickness_mm":null,"air_gap_mm":null,"depth_mm":null,"source_kind":null`
	for _, test := range []struct {
		rule, absorption string
		entry            int
		depth            *float64
		want             string
	}{
		{"an entry", absorption, 0, new(245.5),
			`,"id":"abs-1","mounting":"E","thickness_mm":45.5,"air_gap_mm":200,"depth_mm":245.5,"source_kind":"measured"`},
		{"a large depth is written as a JSON number", absorption, 0, new(1e21),
			`,"id":"abs-1","mounting":"E","thickness_mm":45.5,"air_gap_mm":200,"depth_mm":1e+21,"source_kind":"measured"`},
		{"nulls of an entry", absorption, 1, nil, `,"id":"abs-2","mounting":null,"thickness_mm":null,` +
			`"air_gap_mm":null,"depth_mm":null,"source_kind":"literature"`},
		{"no entry", absorption, 2, nil, none},
		{"no entries", "[]", 0, nil, none},
		{"no array", "", 0, nil, none},
	} {
		if got := string(product.AppendSetUp([]byte("{"), test.absorption, test.entry, test.depth)); got != "{"+test.want {
			t.Errorf("%s:\ngot  %s\nwant {%s", test.rule, got, test.want)
		}
	}
}

func TestReadOfInvalidData(t *testing.T) {
	for _, test := range []struct{ rule, object, want string }{
		{"nothing", "", `{"manufacturer":""}`},
		{"an object", `{"label":"A","manufacturer":"M","slug":"s"}`, `{"slug":"s","label":"A","manufacturer":"M"}`},
		{"in any order", `{"slug":"s","manufacturer":"M","label":"A"}`, `{"slug":"s","label":"A","manufacturer":"M"}`},
		{"unknown members", `{"x":[{}],"slug":"s","alphaW":1}`, `{"slug":"s","manufacturer":""}`},
		{"values of another type", `{"url":1,"images":{},"absorption_octave":[1],"structured_meta":"x","geometry":null}`,
			`{"url":"","manufacturer":""}`},
		{"invalid numbers", `{"alpha_w":1e999,"alpha_w_min":-Inf,"absorption_octave":{"125":NaN}}`,
			`{"alpha_w":0,"alpha_w_min":0,"absorption_octave":{"125":0},"manufacturer":""}`},
		{"invalid bands", `{"absorption_octave":{"":1,"x":2,"125":0.5}}`,
			`{"absorption_octave":{"125":0.5},"manufacturer":""}`},
	} {
		got := product.AppendSource(nil, product.Read(test.object))
		have, want := decoded(t, got), decoded(t, []byte(test.want))
		delete(have, "purchasable") // a missing value is read as false, which is not the default
		delete(have, "id")          // a missing value is read as zeros, which is a valid id
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
		}
	}
}

// TestReadLimitsElements checks that Read limits the elements of an array: an element takes hundreds of bytes
// of memory, but as little as two bytes of the text.
func TestReadLimitsElements(t *testing.T) {
	p := product.Read(`{"measurements":{"diffusion_iso_17497_2":[` + strings.Repeat("{},", product.MaxElements) +
		strings.Repeat("1,", 1000) + `{}]},"label":"A"}`)
	if n := len(p.Measurements.Diffusion); n != product.MaxElements || p.Label.In(product.German) != "A" {
		t.Errorf("%d elements, label %q", n, p.Label.In(product.German))
	}
}

// FuzzRead reads hostile JSON and uses the resulting product.
func FuzzRead(f *testing.F) {
	for _, p := range []*product.Product{fullProduct(), bareProduct()} {
		detail, rest := objectsOf(product.NewRenderer().Render(p))
		f.Add(detail, rest)
	}
	f.Add(`{"absorption_octave":{"":null,"125":"0.1","x":1},"measurements":{"absorption_iso_354":{"a":[]}}`, `[`)
	f.Add(
		`{"label":{"en":1,"":{}},"manufacturer":{"id":"x","slug":null},"images":[1,null,{"display_order":1e999}],"updated_at":"x"}`, `{"label":[]}`)
	f.Add(
		`{"measurements":{"absorption_iso_354":[null,{"alpha_s_octave":{"125":-1e99,"99999999999999999999":1}}]},"nrc":1e300}`, `{"a`)
	f.Add(strings.Repeat(`{"geometry":`, 50), strings.Repeat(`[`, 50))
	f.Add(`{"measurements":{"diffusion_iso_17497_2":[`+strings.Repeat(`1,`, 1000)+`{}]}}`,
		`{"alpha_w_min":NaN,"alpha_w":+Inf}`)
	f.Fuzz(func(t *testing.T, detail, rest string) {
		p := product.Read(detail, rest)
		product.NewRenderer().Render(p)
		product.AppendSource(nil, p)
		product.AppendSetUp(nil, detail, 1, nil)
		p.Values(nil)
		for range p.EntryRows(new(product.EntryRow)) {
		}
		for _, entry := range append(p.AbsorptionEntries(), p.ScatteringEntries()...) {
			for _, hz := range acoustics.OctaveBands {
				_, _ = acoustics.OctaveCoefficient(entry.Octave, entry.Third, hz)
			}
		}
		if got := product.Differences(p, p); got != nil {
			t.Errorf("a product differs from itself in %q", got)
		}
	})
}
