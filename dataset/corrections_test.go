package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/product"
)

// corrected returns the source records of a catalogue after corrections, the numbers of corrected products
// and fields, and the findings. It verifies that the corrections in reverse order produce the same records.
func corrected(t *testing.T, catalogue, corrections []string) (records []string, products, fields int, found []string) {
	t.Helper()
	for range 2 {
		slices.Reverse(corrections)
		before := records
		records, products, fields, found = nil, 0, 0, nil
		note := func(kind string, faults []Fault) {
			for i := range faults {
				found = append(found, kind+faults[i].Error())
			}
		}
		c, err := ReadCorrections(t.Context(), []Input{textInput("c.ndjson", strings.Join(corrections, "\n"))})
		if err != nil {
			t.Fatal(err)
		}
		for raw, err := range NewReader([]Input{textInput("a.ndjson", strings.Join(catalogue, "\n"))}).Records() {
			if err != nil {
				t.Fatal(err)
			}
			parsed, done := c.Parse(raw)
			c.Note(raw.Place, done)
			if done.Fields > 0 {
				products++
			}
			fields += done.Fields
			note("", append(parsed.Faults, done.Faults...))
			if parsed.Product != nil {
				records = append(records, string(product.AppendSource(nil, parsed.Product)))
			}
		}
		faults, warnings := c.Finish()
		note("", append(c.Faults, faults...))
		note("warning: ", append(c.Warnings, warnings...))
		if before != nil && !slices.Equal(before, records) {
			t.Errorf("the order changes %q to %q", before, records)
		}
	}
	return records, products, fields, found
}

// The corrections in the tests refer to the product of productOf(1).
var byID = `{"id":"` + productID(1) + `",`

func TestCorrections(t *testing.T) {
	const (
		fire, noFire = `"fire_class":"A2-s1,d0"`, `"fire_class":"E"`
		article47    = `"structured_meta":{"Artikelnummer":"47"}`
		article48    = `"structured_meta":{"Artikelnummer":"48"}`
		entries      = `"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":`
		other        = `,"manufacturer":"Other"`
	)
	tests := []struct {
		rule        string
		catalogue   []string
		corrections []string
		has, hasNot string // strings that all records contain or lack
		counts      string // numbers of products and fields
	}{
		{"by the id, in any case", []string{productOf(10, noFire)},
			[]string{`{"id":"` + strings.ToUpper(productID(10)) + `",` + fire + `}`}, fire, noFire, "1 1"},
		{"a field that the record lacks", []string{productOf(1, "")}, []string{byID + fire + `}`}, fire, "", "1 1"},
		{"by article number and manufacturer, in another spelling",
			[]string{productOf(1, article47), productOf(2, article47+other)},
			[]string{`{"manufacturer":"ACME",` + article47 + `,` + fire + `}`}, fire, `ACME`, "1 1"},
		{"by an article number that one product has", []string{productOf(1, article47), productOf(2, article48)},
			[]string{`{` + article47 + `,` + fire + `}`}, fire, "", "1 1"},
		{"by label and manufacturer, which may be its slug",
			[]string{productOf(1, `"label":"Felt"`), productOf(2, `"label":"Felt"`+other)},
			[]string{`{"label":"Felt","manufacturer":{"slug":"other","name":"OTHER"},` + fire + `}`}, fire, `OTHER`, "1 1"},
		{"by a label that one product has", []string{productOf(1, `"label":{"en":"Felt","de":"Filz"}`)},
			[]string{`{"label":"Filz",` + fire + `}`}, fire, "", "1 1"},
		{"the article number precedes the label", []string{productOf(1, article47), productOf(2, "")},
			[]string{`{"label":"Product 2",` + article47 + `}`},
			productID(1) + `","label":"Product 2"`, `"label":"Product 1"`, "1 1"},
		{"the id precedes the article number", []string{productOf(2, article47+","+noFire), productOf(1, "")},
			[]string{byID + article47 + `,` + fire + `}`}, noFire, "", "1 2"},
		{"a text by language", []string{productOf(1, `"label":"Filz","description":{"de":"Alt","fr":"Vieux"}`)},
			[]string{byID + `"label":{"en":"Felt"},"description":{"FR":"Neuf","en":"New"}}`},
			`"description":{"de":"Alt","en":"New","fr":"Neuf"}`, "Vieux", "1 3"},
		{"structured_meta by name", []string{productOf(1, `"structured_meta":{"A":"1","a":"2"}`)},
			[]string{byID + `"structured_meta":{"a":3,"B":"4"}}`}, `"structured_meta":{"A":"1","B":"4","a":"3"}`, "", "1 1"},
		{"an empty name in structured_meta, and an empty name of a field", []string{productOf(1, `"structured_meta":{"A":"1"}`)},
			[]string{byID + `"structured_meta":{"":"x"},"":5}`}, `"structured_meta":{"":"x","A":"1"}`, "", "1 1"},
		{"an invalid string in structured_meta is replaced", []string{productOf(1, `"structured_meta":"x"`)},
			[]string{byID + `"structured_meta":{"A":"1"}}`}, `"structured_meta":{"A":"1"}`, `"de"`, "1 1"},
		{"null removes a value", []string{productOf(1, noFire+`,"structured_meta":{"A":"1","B":"2"}`)},
			[]string{byID + `"fire_class":null,"structured_meta":{"B":null}}`}, `"structured_meta":{"A":"1"}`, noFire, "1 2"},
		{"measurements as a whole",
			[]string{productOf(1, entries+`null}],"scatter_iso_17497_1":[{"source_kind":"measured"}]}`)},
			[]string{byID + entries + `{"500":0.5}}]}}`}, `"alpha_s_octave":{"500":0.5}`, "scatter", "1 1"},
		{"no measurements without an entry", []string{productOf(1, entries+`{"500":0.5}}]}`)},
			[]string{byID + `"measurements":{"absorption_iso_354":[]},` + fire + `}`},
			`"alpha_s_octave":{"500":0.5}`, "", "1 1"},
		{"an equal value, declared or computed, is not a correction",
			[]string{productOf(1, fire+`,`+entries+`{"250":0.5,"500":0.50,"1000":0.5,"2000":0.5,"4000":0.5}}]}`)},
			[]string{byID + `"alpha_w":0.5,"label":{"de":"Product 1"},"manufacturer":{"name":"Acme"},` + fire + `}`},
			fire, "", "0 0"},
		{"the manufacturer's name leaves slug and id", []string{productOf(1, `"manufacturer":{"name":"Acme","slug":"a"}`)},
			[]string{byID + `"manufacturer":"Acme",` + fire + `}`}, `"slug":"a"`, "", "1 1"},
		{"a manufacturer that is missing", []string{productOf(1, `"manufacturer":null`)},
			[]string{byID + `"manufacturer":{"name":"Werk"}}`}, `"name":"Werk"`, "", "1 1"},
		{"another manufacturer", []string{productOf(1, `"manufacturer":{"name":"Acme","slug":"a"}`)},
			[]string{byID + `"manufacturer":"Werk"}`}, `"slug":"werk","name":"Werk"`, "Acme", "1 1"},
		{"a fault is repaired", []string{productOf(1, `"fire_class":"B 1","label":7`)},
			[]string{byID + `"label":"L",` + fire + `}`}, `"label":"L"`, "", "1 2"},
		{"several corrections of one product", []string{productOf(1, noFire+","+article47)},
			[]string{byID + fire + `,"alpha_w":0.50}`, `{` + article47 + `,"url":"https://a.example","alpha_w":0.5}`},
			fire, noFire, "1 3"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			records, products, fields, found := corrected(t, test.catalogue, test.corrections)
			all := strings.Join(records, "\n")
			if len(records) != len(test.catalogue) || len(found) > 0 {
				t.Errorf("got %d records, %q", len(records), found)
			}
			if strings.Count(all, test.has) != 1 || test.hasNot != "" && strings.Contains(all, test.hasNot) {
				t.Errorf("got %s\nwant %s once, no %s", all, test.has, test.hasNot)
			}
			if got := fmt.Sprint(products, fields); got != test.counts {
				t.Errorf("got %s products and fields, want %s", got, test.counts)
			}
		})
	}
}

func TestFaultsOfCorrections(t *testing.T) {
	const article = `"structured_meta":{"Artikelnummer":"47"}`
	catalogue := []string{productOf(1, article), productOf(2, article), productOf(3, `"label":"Product 2"`)}
	tests := []struct {
		rule        string
		corrections []string
		want        []string
	}{
		{"of no product", []string{`{"id":"` + productID(9) + `"}`, `{"label":"Felt","manufacturer":"ACME"}`,
			`{"structured_meta":{"Artikelnummer":4711}}`},
			[]string{`warning: c.ndjson:1: no product has the id ` + productID(9) + `: the correction has no effect`,
				`warning: c.ndjson:2: no product has the label "Felt" of "ACME": the correction has no effect`,
				`warning: c.ndjson:3: no product has the article number "4711": the correction has no effect`}},
		{"of several products", []string{`{` + article + `}`, `{"label":"Product 2","manufacturer":"Acme"}`},
			[]string{`c.ndjson:1: several products have the article number "47": a.ndjson:1 and a.ndjson:2; ` +
				`add the manufacturer or the id`,
				`c.ndjson:2: several products have the label "Product 2" of "Acme": a.ndjson:2 and a.ndjson:3; add the id`}},
		{"without a reference to a product", []string{`{"fire_class":"E"}`},
			[]string{`c.ndjson:1: missing reference to a product: expected an id, an article number (structured_meta "Artikelnummer") or a label`}},
		{"an invalid value", []string{byID + `"fire_class":"Q","label":{"xx-yy-zz":"L"}}`},
			[]string{`c.ndjson:1: label["xx-yy-zz"]: expected a language (BCP 47), such as de, en or pt-BR, as the key`,
				`c.ndjson:1: fire_class: expected a class of DIN EN 13501-1, such as A1, B-s1,d0, Bfl-s1 or E-d2, ` +
					`got the string "Q"`}},
		{"not JSON, not an object", []string{byID, `7`},
			[]string{`c.ndjson:1: invalid JSON at byte 45: expected the rest of the value`,
				`c.ndjson:2: expected an object, got the number 7`}},
		{"a correction that makes the product invalid is a fault of the product", []string{byID + `"label":null}`},
			[]string{`a.ndjson:1: product ` + productID(1) + `: label: missing, expected a string, or an object that maps locales to strings`}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if _, _, _, found := corrected(t, catalogue, test.corrections); !slices.Equal(found, test.want) {
				t.Errorf("got  %q\nwant %q", found, test.want)
			}
		})
	}
}

func TestCorrectionsThatContradictEachOther(t *testing.T) {
	tests := []struct{ rule, a, b, path string }{
		{"two values of one field", `"fire_class":"E"`, `"fire_class":"A1"`, "fire_class"},
		{"two texts of one language", `"label":"A"`, `"label":{"de":"B"}`, "label.de"},
		{"two texts of one name", `"structured_meta":{"A":"1"}`, `"structured_meta":{"A":"2"}`, "structured_meta.A"},
		{"a text, and none at all", `"description":null`, `"description":{"en":"B"}`, "description.en"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			_, _, _, found := corrected(t, []string{productOf(1, "")}, []string{byID + test.a + "}", byID + test.b + "}"})
			want := "product " + productID(1) + ": " + test.path + ": conflicting values: "
			if len(found) != 1 || !strings.Contains(found[0], want) {
				t.Errorf("got %q, want %s", found, want)
			}
		})
	}
}

func FuzzCorrections(f *testing.F) {
	f.Add(byID+`"label":"A","structured_meta":{"a":1}}`, byID+`"label":{"en":"B"},"structured_meta":{"a":null}}`)
	f.Add(`{"label":7,"label":"A","structured_meta":[]}`, `{"label":"A","structured_meta":{"":""}}`)
	f.Fuzz(func(t *testing.T, record, correction string) {
		c, err := ReadCorrections(t.Context(), []Input{textInput("c.ndjson", correction)})
		if err != nil {
			t.Fatal(err)
		}
		raw := Raw{JSON: []byte(record)}
		parsed, done := c.Parse(raw)
		if len(done.by) > 0 && parsed.Product == nil && parsed.Faulty == nil {
			t.Errorf("%s\ncorrected by %s is not JSON", record, correction)
		}
		if len(done.by) == 0 && (parsed.Product == nil) != (Parse(raw).Product == nil) {
			t.Errorf("%s was not corrected and is another product", record)
		}
	})
}

func TestCorrectionOf(t *testing.T) {
	p := &product.Product{Published: true, Purchasable: true}
	key := Key{Article: "47"}
	got := CorrectionOf(Place{Input: "t.csv"}, key, p)
	if string(got.JSON) != "{}" || *got.Key != key || got.Place.Input != "t.csv" {
		t.Errorf("of nothing: got %s, %+v, %v", got.JSON, got.Key, got.Place)
	}
	class, _ := product.ParseFireClass("B")
	p.FireClass, p.Label = &class, product.Text{{Locale: "en", Text: "Felt"}}
	p.Manufacturer = product.Manufacturer{Name: "Acme", Slug: "acme"}
	p.StructuredMeta = []product.MetaEntry{{Key: "Farbe", Value: "grau"}}
	const want = `{"label":{"en":"Felt"},"manufacturer":{"slug":"acme","name":"Acme"},` +
		`"structured_meta":{"Farbe":"grau"},"fire_class":"B"}`
	if got = CorrectionOf(Place{}, key, p); len(ParseMembers(got).Faults) > 0 || string(got.JSON) != want {
		t.Errorf("got  %s\nwant %s", got.JSON, want)
	}
}
