package compiler

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/indexes"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func ptr[T any](v T) *T { return &v }

// fullProduct has a value in every field.
func fullProduct() *dataset.Product {
	return &dataset.Product{
		ID:                  uuid.MustParse("0b6f4c3e-58a8-52eb-852b-be809a01c8e0"),
		Slug:                ptr("wellenpanel-45-600"),
		Published:           true,
		Label:               dataset.Text{{Locale: "de", Text: `Wellenpanel "45/600"`}, {Locale: "en-GB", Text: "Wave panel <45/600>"}},
		CommercialName:      ptr("Undula\t45"),
		Description:         dataset.Text{{Locale: "de", Text: "Paneel aus Holzwolle.\nFür Wände."}, {Locale: "en", Text: "Wood wool panel."}},
		Manufacturer:        dataset.Manufacturer{ID: uuid.MustParse("11111111-2222-5333-8444-555555555555"), Slug: "mueller-soehne", Name: "Müller & Söhne"},
		DataSource:          ptr("manufacturer"),
		Purchasable:         true,
		MaterialCategory:    ptr("holz"),
		AbsorptionCharacter: ptr("breitband"),
		InstallationTypes:   []string{"wall", "free-standing"},
		FireClass:           &dataset.FireClass{Text: "B-s1,d0", Class: "B"},
		UpdatedAt:           ptr(time.Date(2026, 3, 1, 23, 30, 0, 120_000_000, time.FixedZone("", 3600))),
		HasEPD:              true,
		URL:                 ptr("https://example.com/p?a=1&b=2"),
		EPDURL:              ptr("https://example.com/epd.pdf"),
		StructuredMeta:      []dataset.MetaEntry{{Key: "Brandklasse", Value: "B-s1,d0"}, {Key: "Dicke \"mm\"", Value: "45"}},
		Images: []dataset.Image{
			{ID: ptr("img-1"), URL: "https://example.com/1.jpg", Filename: ptr("eins.jpg"), DisplayOrder: ptr(int64(-1))},
			{URL: "https://example.com/2.jpg"},
		},
		Geometry: &dataset.Geometry{
			Shape:        "panel",
			BoundingBox:  dataset.BoxMM{Width: 600, Height: 1200, Depth: 45.5},
			SizeVariants: []dataset.SizeVariant{{Label: ptr("klein"), BoxMM: dataset.BoxMM{Width: 300, Height: 600, Depth: 45.5}}, {BoxMM: dataset.BoxMM{Width: 1, Height: 2, Depth: 3}}},
			ExposedAreas: []dataset.ExposedArea{{Mounting: "free-standing", AreaM2: 1.6038}, {Mounting: "wall", AreaM2: 0.72}},
		},
		Measurements: dataset.Measurements{
			Absorption: []dataset.Absorption{
				{
					Measurement:          dataset.Measurement{ID: "abs-1", Label: "Absorption 1", SourceKind: "measured", SourceNorm: "ISO 354", MeasuringOption: ptr("Hallraum")},
					Mounting:             ptr("E"),
					ThicknessMM:          ptr(45.5),
					AirGapMM:             ptr(200.0),
					CalculatedAbsorption: ptr(0.85),
					AlphaSOctave:         acoustics.Curve{{BandHz: 63, Value: -0.05}, {BandHz: 125, Value: 0.2}, {BandHz: 1000, Value: 1.15}},
					AlphaSThirdOctave:    acoustics.Curve{{BandHz: 100, Value: 0.15}, {BandHz: 1000, Value: 1}},
				},
				{Measurement: dataset.Measurement{ID: "abs-2", Label: "Absorption 2", SourceKind: "literature", SourceNorm: "ISO 354"}, AlphaSOctave: acoustics.Curve{}},
			},
			Scatter: []dataset.Scatter{{
				Measurement:        dataset.Measurement{ID: "sca-1", Label: "Scatter 1", SourceKind: "simulated", SourceNorm: "ISO 17497-1"},
				ScatterOctave:      acoustics.Curve{{BandHz: 500, Value: 0.4}},
				ScatterThirdOctave: acoustics.Curve{{BandHz: 500, Value: 0.41}},
			}},
			Diffusion: []dataset.Diffusion{{
				Measurement:                               dataset.Measurement{ID: "dif-1", Label: "Diffusion 1", SourceKind: "measured", SourceNorm: "ISO 17497-2"},
				LimitFrequencyHz:                          ptr(315.0),
				DirectionalDiffusionOctave:                acoustics.Curve{{BandHz: 500, Value: 0.1}},
				DirectionalDiffusionThirdOctave:           acoustics.Curve{{BandHz: 500, Value: 0.2}},
				NormalizedDirectionalDiffusionOctave:      acoustics.Curve{{BandHz: 500, Value: 0.3}},
				NormalizedDirectionalDiffusionThirdOctave: acoustics.Curve{{BandHz: 500, Value: 0.4}},
				DiffusionOctave:                           acoustics.Curve{{BandHz: 500, Value: 0.5}},
				DiffusionThirdOctave:                      acoustics.Curve{{BandHz: 500, Value: 0.6}},
				NormalizedDiffusionOctave:                 acoustics.Curve{{BandHz: 500, Value: 0.7}},
				NormalizedDiffusionThirdOctave:            acoustics.Curve{{BandHz: 500, Value: 0.8}},
			}},
		},
		AlphaW:           ptr(0.85),
		AlphaWMin:        ptr(0.1),
		NRC:              ptr(acoustics.Hundredths(115)),
		SAA:              ptr(acoustics.Hundredths(87)),
		AbsorptionOctave: acoustics.Curve{{BandHz: 125, Value: 0.2}, {BandHz: 250, Value: 1}},
	}
}

// bareProduct has no more than a record must have.
func bareProduct() *dataset.Product {
	return &dataset.Product{
		ID:           uuid.MustParse("0b6f4c3e-58a8-52eb-852b-be809a01c8e1"),
		Published:    true,
		Label:        dataset.Text{{Locale: "de", Text: "Vorhang"}},
		Manufacturer: dataset.Manufacturer{ID: uuid.MustParse("11111111-2222-5333-8444-555555555556"), Slug: "acme", Name: "ACME"},
		Purchasable:  true,
	}
}

// mustRender renders one product with a renderer of its own.
func mustRender(t testing.TB, p *dataset.Product) indexes.Body {
	t.Helper()
	return newRenderer().render(p)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// bodiesOf puts the parts of a body together as the server does.
func bodiesOf(b *indexes.Body) []struct {
	name string
	json []byte
} {
	open := b.Detail[:len(b.Detail)-1]
	end := []byte("}")
	return []struct {
		name string
		json []byte
	}{
		{"summary", join(b.Detail[:b.SummaryEnd], end)},
		{"summary with acoustics", join(b.Detail[:b.AcousticsEnd], end)},
		{"detail", b.Detail},
		{"detail with geometry", join(open, []byte(`,"geometry":`), b.Geometry, end)},
		{"public item", join(b.PublicHead, b.LabelDE, b.PublicTail)},
		{"public item in English", join(b.PublicHead, b.LabelEN, b.PublicTail)},
		{"compare item", join(b.CompareHead, b.Detail[b.AbsorptionStart:b.AbsorptionEnd], end)},
	}
}

// Each golden file has one body a line, behind its name.
func TestBodiesAreGolden(t *testing.T) {
	for name, product := range map[string]*dataset.Product{"full": fullProduct(), "bare": bareProduct()} {
		t.Run(name, func(t *testing.T) {
			body := mustRender(t, product)
			var got bytes.Buffer
			for _, b := range bodiesOf(&body) {
				if !json.Valid(b.json) {
					t.Errorf("%s is no JSON: %s", b.name, b.json)
				}
				got.WriteString(b.name + ": " + string(b.json) + "\n")
			}
			path := filepath.Join("testdata", name+".golden")
			if *update {
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
				t.Fatalf("%d bodies, want %d", len(gotLines)-1, len(wantLines)-1)
			}
			for i := range gotLines {
				if gotLines[i] != wantLines[i] {
					t.Errorf("got  %s\nwant %s", gotLines[i], wantLines[i])
				}
			}
		})
	}
}

// keysOf returns the keys of a JSON object in the order in which they stand there.
func keysOf(t *testing.T, object []byte) []string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		t.Fatalf("%s is no object: %v", object, err)
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

// The tables of the contract, row by row.
const (
	summaryKeys   = "id slug label commercial_name manufacturer material_category installation_types alpha_w updated_at"
	acousticsKeys = summaryKeys + " nrc saa absorption_octave"
	detailKeys    = acousticsKeys + " description has_epd url epd_url structured_meta images measurements"
	publicKeys    = "id slug label commercial_name data_source material_category absorption_character installation_types has_epd manufacturerName alphaW alphaWMin imageUrl url epd_url variant_count structured_meta"
	compareKeys   = "id slug label commercial_name material_category absorption_character data_source alphaW alphaWMin manufacturerName has_epd url epd_url installation_types structured_meta absorption_iso354"
)

func TestKeysStandInTheOrderOfTheTables(t *testing.T) {
	want := map[string]string{
		"summary": summaryKeys, "summary with acoustics": acousticsKeys, "detail": detailKeys, "detail with geometry": detailKeys + " geometry",
		"public item": publicKeys, "public item in English": publicKeys, "compare item": compareKeys,
	}
	for _, product := range []*dataset.Product{fullProduct(), bareProduct()} {
		body := mustRender(t, product)
		for _, b := range bodiesOf(&body) {
			if got := strings.Join(keysOf(t, b.json), " "); got != want[b.name] {
				t.Errorf("%s of %s has the keys\n%s, want\n%s", b.name, product.ID, got, want[b.name])
			}
		}
	}
}

func TestWhatTheContractKnowsNoNullFor(t *testing.T) {
	body := mustRender(t, bareProduct())
	for _, b := range bodiesOf(&body) {
		var got map[string]any
		if err := json.Unmarshal(b.json, &got); err != nil {
			t.Fatal(err)
		}
		if types, ok := got["installation_types"].([]any); !ok || len(types) != 0 {
			t.Errorf("%s: installation_types of a product without any is %v, want []", b.name, got["installation_types"])
		}
		if !strings.HasPrefix(b.name, "public") && !strings.HasPrefix(b.name, "compare") {
			if got["slug"] != nil {
				t.Errorf("%s: slug is %v, want null", b.name, got["slug"])
			}
			continue
		}
		if got["slug"] != "0b6f4c3e-58a8-52eb-852b-be809a01c8e1" {
			t.Errorf("%s: slug of a product without one is %v, want its id", b.name, got["slug"])
		}
		if got["alphaW"] != 0.0 || got["alphaWMin"] != 0.0 {
			t.Errorf("%s: alphaW %v, alphaWMin %v of a product without any, want 0", b.name, got["alphaW"], got["alphaWMin"])
		}
	}
}

// checkCoded holds the tag and the compressed forms of a body against its identity form, which they must hold as one
// gzip member and one zstd frame.
func checkCoded(t *testing.T, coded indexes.Coded, identity []byte) {
	t.Helper()
	sum := sha256.Sum256(identity)
	if want := hex.EncodeToString(sum[:16]); coded.ETag != want {
		t.Errorf("tag %s, want %s", coded.ETag, want)
	}
	r, err := gzip.NewReader(bytes.NewReader(coded.Gzip))
	if err != nil {
		t.Fatal(err)
	}
	r.Multistream(false)
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, identity) {
		t.Errorf("gzip holds %.200q, %v, want %.200q", got, err, identity)
	}
	unzstd, err := zstd.NewReader(nil, zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		t.Fatal(err)
	}
	defer unzstd.Close()
	if got, err := unzstd.DecodeAll(coded.Zstd, nil); err != nil || !bytes.Equal(got, identity) {
		t.Errorf("zstd holds %.200q, %v, want %.200q", got, err, identity)
	}
	if n := bytes.Count(coded.Zstd, []byte(zstdHeader[:4])); n != 1 {
		t.Errorf("%d zstd frames, want 1", n)
	}
}

func TestCodedFormsHoldTheBodies(t *testing.T) {
	long, repeated, random := fullProduct(), fullProduct(), fullProduct()
	for i := range 20_000 {
		long.StructuredMeta = append(long.StructuredMeta, dataset.MetaEntry{Key: fmt.Sprint("Schlüssel ", i), Value: fmt.Sprint(i * i)})
		random.StructuredMeta = append(random.StructuredMeta, dataset.MetaEntry{Key: fmt.Sprintf("%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))})
		long.Geometry.SizeVariants = append(long.Geometry.SizeVariants, dataset.SizeVariant{BoxMM: dataset.BoxMM{Width: float64(i)}})
	}
	repeated.CommercialName = ptr(strings.Repeat("a", 500_000))
	for what, p := range map[string]*dataset.Product{
		"full": fullProduct(), "long, with a long geometry": long, "of one letter": repeated, "hard to compress": random,
	} {
		t.Run(what, func(t *testing.T) {
			body := mustRender(t, p)
			checkCoded(t, body.Coded(false), body.Detail)
			checkCoded(t, body.Coded(true), bodiesOf(&body)[3].json)
			if what == "full" && (body.WithGeometry.SharedGzip < 300 || body.WithGeometry.SharedZstd < 300) {
				t.Errorf("%d and %d bytes are shared", body.WithGeometry.SharedGzip, body.WithGeometry.SharedZstd)
			}
		})
	}
}

func TestBodiesUnder512BytesAreNotCoded(t *testing.T) {
	c := newCodec()
	const null = len(`,"geometry":null`)
	for _, test := range []struct {
		size        int // of the body without geometry
		plain, with bool
	}{{100, false, false}, {511 - null, false, false}, {512 - null, false, true}, {511, false, true}, {512, true, true}} {
		detail := []byte(`{"label":"` + strings.Repeat("a", test.size-len(`{"label":""}`)) + `"}`)
		body := indexes.Body{Detail: detail, Geometry: []byte("null")}
		body.Plain, body.WithGeometry = c.code(detail, body.Geometry)
		for _, form := range []struct {
			coded    indexes.Coded
			identity []byte
			want     bool
		}{{body.Coded(false), detail, test.plain}, {body.Coded(true), bodiesOf(&body)[3].json, test.with}} {
			if form.want {
				checkCoded(t, form.coded, form.identity)
			} else if form.coded.Gzip != nil || form.coded.Zstd != nil || form.coded.ETag != indexes.ETag(form.identity) {
				t.Errorf("a body of %d bytes is coded as %+v, want its tag alone", len(form.identity), form.coded)
			}
		}
	}
}

// The encoders keep state from body to body; it must not show.
func TestCodedFormsDoNotDependOnWhatCameBefore(t *testing.T) {
	fresh := mustRender(t, fullProduct())
	r := newRenderer()
	for range 300 {
		other := fullProduct()
		other.Label[0].Text = strings.Repeat("Andere Wörter ", 500)
		r.render(other)
		r.render(bareProduct())
		used := r.render(fullProduct())
		if got, want := indexes.AppendBody(nil, &used), indexes.AppendBody(nil, &fresh); !bytes.Equal(got, want) {
			t.Fatal("a renderer that was used before gives other bytes")
		}
	}
}
