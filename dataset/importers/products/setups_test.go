package products_test

import (
	"slices"
	"strings"
	"testing"

	"sabine/dataset/acoustics"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/products"
)

// TestTheIDOfASetUpDescribesIt also verifies that the id remains the same when set-ups are added.
func TestTheIDOfASetUpDescribesIt(t *testing.T) {
	for _, test := range []struct {
		rule, table string
		want        []string
	}{
		{
			rule: "mounting, thickness and air gap",
			table: `label|manufacturer|mounting|thickness_mm|air_gap_mm|alpha_s_octave 500
				A|X|E-200|40|160|.5`,
			want: []string{"abs-e-200-t40-g160"},
		},
		{
			rule: "words of a mounting, in small letters",
			table: `label|manufacturer|mounting|alpha_s_octave 500
				A|X|Typ A, (Ö) 2|.5`,
			want: []string{"abs-typ-a-ö-2"},
		},
		{
			rule: "an id that is given",
			table: `label|manufacturer|entry_id|thickness_mm|alpha_s_octave 500
				A|X|Messung 7|40|.5`,
			want: []string{"Messung 7"},
		},
		{
			rule: "set-ups that differ in a text have its hash",
			table: `label|manufacturer|thickness_mm|Farbe|alpha_s_octave 500
				A|X|40|rot|.5
				A|X|40|blau|.6
				A|X|20|blau|.6`,
			want: []string{"abs-t20", "abs-t40-f2b37369", "abs-t40-8ddf6e16"},
		},
		{
			rule: "set-ups that differ in their source have its hash",
			table: `label|manufacturer|source_kind|alpha_s_octave 500
				A|X|literature|.5
				A|X|measured|.6`,
			want: []string{"abs-1a4e1337", "abs-1b3829a9"},
		},
		{
			rule: "numbers count as numbers, and what is not known comes first",
			table: `label|manufacturer|thickness_mm|air_gap_mm|alpha_s_octave 500
				A|X|100||.1
				A|X|20|100|.2
				A|X|20|50|.3
				A|X|20||.4
				A|X||50|.5`,
			want: []string{"abs-g50", "abs-t20", "abs-t20-g50", "abs-t20-g100", "abs-t100"},
		},
		{
			rule: "an overall depth less the thickness of master data is the air gap",
			table: `label|manufacturer|thickness_mm|overall_depth_mm|alpha_s_octave 500
				A|X|20.1||
				A|X||220.3|.5`,
			want: []string{"abs-t20.1-g200.2"},
		},
		{
			rule: "not beside an air gap",
			table: `label|manufacturer|thickness_mm|air_gap_mm|overall_depth_mm|alpha_s_octave 500
				A|X|20|||
				A|X||50|220|.5`,
			want: []string{"abs-t20-g50"},
		},
		{
			rule: "not where it is less than the thickness",
			table: `label|manufacturer|thickness_mm|overall_depth_mm|alpha_s_octave 500
				A|X|20||
				A|X||10|.5`,
			want: []string{"abs-t20"},
		},
		{
			rule: "not of two thicknesses",
			table: `label|manufacturer|thickness_mm|overall_depth_mm|alpha_s_octave 500
				A|X|20||
				A|X|30||
				A|X||220|.5`,
			want: []string{"abs"},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			out := outcomeOf(t, products.Options{}, rowsOf("a.csv", test.table)...)
			var ids []string
			for _, a := range out.results[0].Product.Measurements.Absorption {
				ids = append(ids, a.ID)
			}
			if !slices.Equal(ids, test.want) || len(out.faults) > 0 {
				t.Errorf("got %q and faults %q, want %q", ids, out.faults, test.want)
			}
		})
	}
}

func TestFieldsOfTheProduct(t *testing.T) {
	for _, test := range []struct {
		rule, table, want string
	}{
		{
			rule: "the latest moment of all rows, in UTC",
			table: `label|manufacturer|updated_at
				A|X|2026-02-01T00:30:00+02:00
				A|X|2026-01-31T22:00:00Z`,
			want: `{"label": "A", "manufacturer": "X", "updated_at": "2026-01-31T22:30:00Z"}`,
		},
		{
			rule: "what is yes or no, where it is not the default",
			table: `label|manufacturer|published|purchasable|has_epd
				A|X|false|false|true`,
			want: `{"label": "A", "manufacturer": "X", "published": false, "purchasable": false, "has_epd": true}`,
		},
		{
			rule: "reference data are not for sale, and an address of a declaration is one",
			table: `label|manufacturer|data_source|purchasable|epd_url|has_epd
				A|X|ptb|false|https://a.test/epd|true`,
			want: `{"label": "A", "manufacturer": "X", "data_source": "ptb", "epd_url": "https://a.test/epd"}`,
		},
		{
			rule: "texts of its own",
			table: `label|manufacturer|slug|commercial_name|url|fire_class
				A|X|a-1|Silent|https://a.test/a|A2-s1,d0`,
			want: `{"label": "A", "manufacturer": "X", "slug": "a-1", "commercial_name": "Silent", "url": "https://a.test/a",
				"fire_class": "A2-s1,d0"}`,
		},
		{
			rule: "the smallest declared alpha_w",
			table: `label|manufacturer|alpha_w|alpha_w_min
				A|X|0.7|0.2`,
			want: `{"label": "A", "manufacturer": "X", "alpha_w": 0.7, "alpha_w_min": 0.2}`,
		},
		{
			rule: "an article number where there is no name",
			table: `id|article_number|manufacturer
				6ba7b810-9dad-11d1-80b4-00c04fd430c8|47|X`,
			want: `{"label": "47", "manufacturer": "X", "structured_meta": {"Artikelnummer": "47"}}`,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			out := outcomeOf(t, products.Options{}, rowsOf("a.csv", test.table)...)
			if len(out.records) != 1 || len(out.faults) > 0 {
				t.Fatalf("%d records, faults %q", len(out.records), out.faults)
			}
			sameJSON(t, out.records[0], test.want)
		})
	}
}

func TestTextsThatAreTooLongForTheirFieldAreStored(t *testing.T) {
	long := strings.Repeat("lang ", 250)
	out := outcomeOf(t, products.Options{},
		rowsOf("a.csv", "label|manufacturer|description|alpha_s_octave 500|alpha_p 500\n"+
			"A|X|"+long+"1|.5|.5\nA|X|"+long+"2|.6|.6")...)
	if len(out.faults) > 0 {
		t.Error(out.faults)
	}
	for _, want := range []string{long + "1", long + "2", `"Messoption abs-`, `"αp `} {
		if !strings.Contains(out.records[0], want) {
			t.Errorf("no %.20q in %s", want, out.records[0])
		}
	}
}

// TestASetCopiesRows verifies that rows are copied, because package cells reuses one row.
func TestASetCopiesRows(t *testing.T) {
	row := cells.Row{Table: &layout.Table{Input: "a.csv"}}
	s := products.New(products.Options{Manufacturer: "X"})
	for i, name := range []string{"A", "B"} {
		row.Number, row.Line = i+2, i+2
		row.Values = append(row.Values[:0], cells.Value{Field: columns.Label, Text: name, Header: "Name", Cell: 1})
		row.Curves = append(row.Curves[:0], cells.Curve{
			Quantity: columns.AlphaS, Resolution: columns.Octave, Points: acoustics.Curve{{BandHz: 500, Value: float64(i)}},
		})
		s.Add(&row)
	}
	got := map[string]float64{}
	for r := range s.Products() {
		got[r.Product.Label.In("de")] = r.Product.Measurements.Absorption[0].AlphaSOctave[0].Value
	}
	if len(got) != 2 || got["A"] != 0 || got["B"] != 1 {
		t.Errorf("got %v, want A: 0 and B: 1", got)
	}
}

func TestProductsAreInTheOrderOfTheirIDsBeforeRowsWithoutOne(t *testing.T) {
	out := outcomeOf(t, products.Options{}, rowsOf("a.csv", `label|manufacturer
		|X
		B|X
		A|X
		C|
		D|X`)...)
	var last string
	for i, r := range out.results {
		id := ""
		if r.Product != nil {
			id = r.Product.ID.String()
		}
		if i < 3 && id <= last || i >= 3 && id != "" {
			t.Errorf("product %d has id %q after %q", i, id, last)
		}
		last = id
	}
	if len(out.results) != 5 || out.results[3].Place.Line != 2 || out.results[4].Place.Line != 5 {
		t.Errorf("got %d results, want 3 products and the rows of lines 2 and 5", len(out.results))
	}
	s := products.New(products.Options{})
	for _, r := range rowsOf("a.csv", "label|manufacturer\nA|X\nB|X") {
		s.Add(r)
	}
	for range s.Products() {
		break // callers can stop early
	}
}
