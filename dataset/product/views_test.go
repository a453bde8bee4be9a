package product_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

type view struct {
	name string
	json []byte
}

// viewsOf assembles the views of a record in the same way as the server.
func viewsOf(r *product.Record) []view {
	join := func(parts ...[]byte) []byte { return append(bytes.Join(parts, nil), '}') }
	made := func(v product.View) []byte {
		var parts [][]byte
		for _, span := range v {
			parts = append(parts, r.Text[span[0]:span[1]])
		}
		return join(parts...)
	}
	english := r.Public[1]
	if len(english) == 0 {
		english = r.Public[0]
	}
	return []view{
		{"summary", join(r.Text[:r.SummaryEnd])},
		{"summary with acoustics", join(r.Text[:r.AcousticsEnd])},
		{"detail", bytes.Clone(r.Text[:r.DetailEnd])},
		{"detail with geometry", join(r.Text[:r.DetailEnd-1], r.Text[r.DetailEnd:r.GeometryEnd])},
		{"public item", made(r.Public[0])},
		{"public item in English", made(english)},
		{"compare item", made(r.Compare)},
	}
}

// rendered returns the views of a product.
func rendered(p *product.Product) []view { return viewsOf(product.NewRenderer().Render(p)) }

// TestViewsAreGolden reads golden files with one line for each view: its name and its JSON.
func TestViewsAreGolden(t *testing.T) {
	for name, p := range map[string]*product.Product{"full": fullProduct(), "bare": bareProduct()} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			for _, v := range rendered(p) {
				got.WriteString(v.name + ": " + string(v.json) + "\n")
			}
			path := filepath.Join("testdata", name+".golden")
			if *product.Update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			gotLines, wantLines := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
			if len(gotLines) != len(wantLines) {
				t.Fatalf("%d views, want %d", len(gotLines)-1, len(wantLines)-1)
			}
			for i := range gotLines {
				if gotLines[i] != wantLines[i] {
					t.Errorf("got  %s\nwant %s", gotLines[i], wantLines[i])
				}
			}
		})
	}
}

// keysOf returns the keys of a JSON object in order.
func keysOf(t *testing.T, object []byte) []string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		t.Fatalf("%s is not an object: %v", object, err)
	}
	var keys []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return keys
}

// The keys of the views, as the API specifies them.
const (
	summaryKeys   = "id slug label commercial_name manufacturer material_category installation_types alpha_w updated_at"
	acousticsKeys = summaryKeys + " nrc saa absorption_octave"
	detailKeys    = acousticsKeys + " description has_epd url epd_url structured_meta images measurements"
	publicKeys    = "id slug label commercial_name data_source material_category absorption_character " +
		"installation_types has_epd manufacturerName alphaW alphaWMin imageUrl url epd_url variant_count structured_meta"
	compareKeys = "id slug label commercial_name material_category absorption_character data_source alphaW alphaWMin " +
		"manufacturerName has_epd url epd_url installation_types structured_meta absorption_iso354"
)

// keysOfViews are the keys of each view, in order.
var keysOfViews = map[string]string{
	"summary": summaryKeys, "summary with acoustics": acousticsKeys, "detail": detailKeys,
	"detail with geometry": detailKeys + " geometry",
	"public item":          publicKeys, "public item in English": publicKeys, "compare item": compareKeys,
}

// TestViewsShowTheProduct checks that every view is valid JSON with the specified keys in order, and that the
// values are equal to those that encoding/json writes.
func TestViewsShowTheProduct(t *testing.T) {
	r, n := product.NewRenderer(), 0
	check := func(p *product.Product) {
		for _, v := range viewsOf(r.Render(p)) {
			if !json.Valid(v.json) {
				t.Fatalf("%s is not valid JSON: %s", v.name, v.json)
			}
			if got := strings.Join(keysOf(t, v.json), " "); got != keysOfViews[v.name] {
				t.Errorf("%s of %s has the keys\n%s, want\n%s", v.name, p.ID, got, keysOfViews[v.name])
			}
			want := map[string]any{}
			all := plain(p, v.name)
			for _, key := range strings.Fields(keysOfViews[v.name]) {
				want[key] = all[key]
			}
			encoded, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(decoded(t, v.json), decoded(t, encoded)) {
				t.Errorf("%s of %s\ngot  %s\nwant %s", v.name, p.ID, v.json, encoded)
			}
		}
	}
	check(fullProduct())
	check(bareProduct())
	eachProduct(t, func(p *product.Product) {
		switch n++; n % 4 {
		case 0:
			p.Slug = nil
		case 1:
			p.Label = p.Label[:1]
		case 2:
			p.Label = product.Text{p.Label[0], {Locale: "en-GB", Text: "Absorber \"" + strconv.Itoa(n) + "\"\n\t<ä\u2028>"}}
		}
		check(p)
	})
}

func decoded(t *testing.T, object []byte) (members map[string]any) {
	t.Helper()
	if err := json.Unmarshal(object, &members); err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	return members
}

// plain returns the members of a view, and some members of other views, as values for encoding/json.
func plain(p *product.Product, view string) map[string]any {
	of := strings.Fields(view)[0]
	label := p.Label[0].Text
	if view == "public item in English" {
		for _, l := range p.Label {
			if strings.HasPrefix(l.Locale, "en") {
				label = l.Text
			}
		}
	}
	all := map[string]any{
		"id": p.ID, "slug": p.Slug, "label": label, "commercial_name": p.CommercialName, "manufacturer": p.Manufacturer.Name,
		"manufacturerName": p.Manufacturer.Name, "material_category": p.MaterialCategory,
		"absorption_character": p.AbsorptionCharacter,
		"installation_types":   append([]string{}, p.InstallationTypes...), "updated_at": p.UpdatedAt,
		"data_source": p.DataSource,
		"alpha_w":     p.AlphaW, "alphaW": 0.0, "alphaWMin": 0.0, "nrc": nil, "saa": nil,
		"absorption_octave": curve(p.AbsorptionOctave),
		"description":       nil, "has_epd": p.HasEPD, "url": p.URL, "epd_url": p.EPDURL, "structured_meta": nil,
		"imageUrl": nil, "variant_count": nil, "images": nil, "geometry": nil,
	}
	if p.Slug == nil && (of == "public" || of == "compare") {
		all["slug"] = p.ID
	}
	if p.UpdatedAt != nil {
		all["updated_at"] = p.UpdatedAt.UTC()
	}
	if p.AlphaW != nil {
		all["alphaW"] = p.AlphaW
	}
	if p.AlphaWMin != nil {
		all["alphaWMin"] = p.AlphaWMin
	}
	if p.NRC != nil {
		all["nrc"] = float64(*p.NRC) / 100
	}
	if p.SAA != nil {
		all["saa"] = float64(*p.SAA) / 100
	}
	for _, l := range p.Description {
		if l.Locale == "de" {
			all["description"] = l.Text
		}
	}
	if p.StructuredMeta != nil {
		meta := map[string]string{}
		for _, e := range p.StructuredMeta {
			meta[e.Key] = e.Value
		}
		all["structured_meta"] = meta
	}
	if p.Images != nil {
		all["images"], all["imageUrl"] = plainImages(p.Images), p.Images[0].URL
	}
	if p.Geometry != nil {
		all["geometry"] = plainGeometry(p.Geometry)
	}
	absorption, scatter, diffusion := []any{}, []any{}, []any{}
	for _, a := range p.Measurements.Absorption {
		absorption = append(absorption, entry(&a.Measurement, map[string]any{
			"mounting": a.Mounting, "thickness_mm": a.ThicknessMM, "air_gap_mm": a.AirGapMM,
			"calculated_absorption": a.CalculatedAbsorption,
			"alpha_s_octave":        curve(a.AlphaSOctave), "alpha_s_third_octave": curve(a.AlphaSThirdOctave),
		}))
		all["variant_count"] = len(absorption)
	}
	for _, s := range p.Measurements.Scatter {
		scatter = append(scatter, entry(&s.Measurement, map[string]any{
			"scatter_octave": curve(s.ScatterOctave), "scatter_third_octave": curve(s.ScatterThirdOctave),
		}))
	}
	for _, d := range p.Measurements.Diffusion {
		diffusion = append(diffusion, entry(&d.Measurement, map[string]any{
			"limit_frequency_hz":                            d.LimitFrequencyHz,
			"directional_diffusion_octave":                  curve(d.DirectionalDiffusionOctave),
			"directional_diffusion_third_octave":            curve(d.DirectionalDiffusionThirdOctave),
			"normalized_directional_diffusion_octave":       curve(d.NormalizedDirectionalDiffusionOctave),
			"normalized_directional_diffusion_third_octave": curve(d.NormalizedDirectionalDiffusionThirdOctave),
			"diffusion_octave":                              curve(d.DiffusionOctave),
			"diffusion_third_octave":                        curve(d.DiffusionThirdOctave),
			"normalized_diffusion_octave":                   curve(d.NormalizedDiffusionOctave),
			"normalized_diffusion_third_octave":             curve(d.NormalizedDiffusionThirdOctave),
		}))
	}
	all["absorption_iso354"] = absorption
	all["measurements"] = map[string]any{"absorption_iso_354": absorption, "scatter_iso_17497_1": scatter,
		"diffusion_iso_17497_2": diffusion}
	return all
}

func plainImages(list []product.Image) (all []any) {
	for _, i := range list {
		image := map[string]any{"url": i.URL, "filename": i.Filename, "display_order": i.DisplayOrder}
		if i.ID != nil {
			image["id"] = i.ID
		}
		all = append(all, image)
	}
	return all
}

func plainGeometry(g *product.Geometry) map[string]any {
	sides := func(b product.BoxMM) map[string]any {
		return map[string]any{"width": b.Width, "height": b.Height, "depth": b.Depth}
	}
	sizes, areas := []any{}, map[string]float64{}
	for _, s := range g.SizeVariants {
		size := sides(s.BoxMM)
		size["label"] = s.Label
		sizes = append(sizes, size)
	}
	for _, a := range g.ExposedAreas {
		areas[a.Mounting] = a.AreaM2
	}
	return map[string]any{"shape": g.Shape, "bounding_box_mm": sides(g.BoundingBox), "size_variants": sizes,
		"exposed_area_m2": areas}
}

func entry(m *product.Measurement, members map[string]any) map[string]any {
	maps.Copy(members, map[string]any{
		"id": m.ID, "label": m.Label, "source_kind": m.SourceKind, "source_norm": m.SourceNorm,
		"measuring_option": m.MeasuringOption,
	})
	return members
}

func curve(c acoustics.Curve) any {
	if c == nil {
		return nil
	}
	bands := map[string]float64{}
	for _, p := range c {
		bands[strconv.Itoa(p.BandHz)] = p.Value
	}
	return bands
}

func TestMembersThatAreNeverNull(t *testing.T) {
	for _, v := range rendered(bareProduct()) {
		got := decoded(t, v.json)
		if types, ok := got["installation_types"].([]any); !ok || len(types) != 0 {
			t.Errorf("%s: installation_types of a product without any is %v, want []", v.name, got["installation_types"])
		}
		if !strings.HasPrefix(v.name, "public") && !strings.HasPrefix(v.name, "compare") {
			if got["slug"] != nil {
				t.Errorf("%s: slug is %v, want null", v.name, got["slug"])
			}
			continue
		}
		if got["slug"] != "0b6f4c3e-58a8-52eb-852b-be809a01c8e1" {
			t.Errorf("%s: slug of a product without one is %v, want its id", v.name, got["slug"])
		}
		if got["alphaW"] != 0.0 || got["alphaWMin"] != 0.0 {
			t.Errorf("%s: alphaW %v, alphaWMin %v of a product without any, want 0", v.name, got["alphaW"], got["alphaWMin"])
		}
	}
}

func TestTheEnglishItem(t *testing.T) {
	label := func(localized ...string) product.Text {
		text := product.Text{{Locale: "de", Text: "Wand"}}
		for i := 0; i < len(localized); i += 2 {
			text = append(text, product.Localized{Locale: localized[i], Text: localized[i+1]})
		}
		return text
	}
	for _, test := range []struct {
		rule    string
		label   product.Text
		english string // "": the German item
	}{
		{"German only", label(), ""},
		{"no English", label("fr", "Mur", "it", "Parete"), ""},
		{"English", label("en", "Wall"), "Wall"},
		{"English of a country", label("en-GB", "Wall <GB>"), "Wall <GB>"},
		{"the first of two countries", label("en-AU", "Wall A", "en-GB", "Wall B"), "Wall A"},
		{"English precedes English of a country", label("EN-AU", "Wall A", "en", "Wall"), "Wall"},
		{"the locale in capital letters", label("EN", "Wall"), "Wall"},
		{"equal to the German text", label("en", "Wand"), ""},
		{"a text with escapes", label("en", "A \"wall\"\n\\ä"), "A \"wall\"\n\\ä"},
		{"a text that also occurs elsewhere", label("en", "manufacturer", "fr", "manufacturer"), "manufacturer"},
		{"a text that is a key", label("en", "alphaW"), "alphaW"},
		{"a comma", label("en", ","), ","},
		{"an empty text", label("en", ""), ""},
	} {
		p := fullProduct()
		p.Label = test.label
		record := product.NewRenderer().Render(p)
		views := viewsOf(record)
		english := gjson.GetBytes(views[5].json, "label").Str
		if test.english == "" && test.rule != "an empty text" {
			if len(record.Public[1]) > 0 || english != "Wand" {
				t.Errorf("%s: got a separate item of %d spans with the label %q", test.rule, len(record.Public[1]), english)
			}
		} else if english != test.english || len(record.Public[1]) == 0 {
			t.Errorf("%s: got %q in %d spans, want %q", test.rule, english, len(record.Public[1]), test.english)
		}
		for _, v := range views {
			if v.name != "public item in English" && gjson.GetBytes(v.json, "label").Str != "Wand" {
				t.Errorf("%s: %s does not have the German label: %s", test.rule, v.name, v.json)
			}
		}
	}
}

func TestNumbersOfViews(t *testing.T) {
	for number, want := range map[float64]string{0: "0", 1: "1", 0.85: "0.85", -0.1: "-0.1", 1.0001: "1.0001",
		0.123456789: "0.123456789", 1e-9: "1e-9", 1e21: "1e+21"} {
		p := bareProduct()
		p.Measurements.Absorption = []product.Absorption{{ThicknessMM: &number}}
		if got := gjson.GetBytes(rendered(p)[2].json, "measurements.absorption_iso_354.0.thickness_mm").Raw; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestRecordDoesNotDependOnPreviousProduct checks that reusing a renderer's memory is safe.
func TestRecordDoesNotDependOnPreviousProduct(t *testing.T) {
	used := product.NewRenderer()
	eachProduct(t, func(p *product.Product) {
		if got, want := used.Render(p), product.NewRenderer().Render(p); !bytes.Equal(got.Text, want.Text) ||
			got.Marks != want.Marks ||
			!slices.Equal(got.Public[0], want.Public[0]) || !slices.Equal(got.Public[1], want.Public[1]) ||
			!slices.Equal(got.Compare, want.Compare) {
			t.Fatalf("%s: got %+v, want %+v", p.ID, got, want)
		}
	})
}
