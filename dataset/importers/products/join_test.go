package products_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/identity"
	"sabine/dataset/importers/products"
)

// rowsOfTables parses the tables of a test as separate files: a.csv, b.csv and so on.
func rowsOfTables(tables ...string) (rows []*cells.Row) {
	for i, text := range tables {
		rows = append(rows, rowsOf(string(rune('a'+i))+".csv", text)...)
	}
	return rows
}

// TestMasterDataAndValuesAreOneCatalogue checks that rows in two tables, sheets or files are joined by
// article number, and otherwise by name.
func TestMasterDataAndValuesAreOneCatalogue(t *testing.T) {
	const values = `article_number|alpha_s_octave 500
		47|.5`
	taken := `b.csv:2[A2]: manufacturer: missing in this row; copied from other rows with the same article number (1 row)`
	for _, test := range []struct {
		rule             string
		o                products.Options
		tables           []string
		want             []string // labels, manufacturers and coefficients of the records, in the order of ids
		faults, warnings []string
	}{
		{
			rule: "values without a manufacturer take the manufacturer of the article number",
			tables: []string{`article_number|label|manufacturer
				47|Segel|X
				48|Baffel|X`, values},
			want:     []string{"Baffel of X: []", "Segel of X: [{500 0.5}]"},
			warnings: []string{taken},
		},
		{
			rule: "two products with the name are a fault that names both",
			tables: []string{`article_number|label|manufacturer
				47|Segel|X
				48|Segel|X`, `label|alpha_s_octave 500
				Segel|.5`},
			want: []string{"Segel of X: []", "Segel of X: []"},
			faults: []string{`b.csv:2[A2]: missing manufacturer in this row, and several products have the label "Segel": ` +
				`one by "X" in a.csv:2[A2], one by "X" in a.csv:3[A3]`},
			warnings: []string{`a.csv:2[A2]: product d67145fd-06b0-5295-a381-765c10c0756a: label: "Segel" is also the label ` +
				`of another product ` +
				`of this manufacturer: a.csv:3[A3], product d393e14f-3617-5b4e-92c0-9b5914e91315`},
		},
		{
			rule: "values are of the product with an id that has the article number",
			tables: []string{`id|article_number|label|manufacturer
				6ba7b810-9dad-11d1-80b4-00c04fd430c8|47|Segel|X`, `article_number|manufacturer|alpha_s_octave 500
				47|X|.5
				47||.5`},
			want: []string{"Segel of X: [{500 0.5}]"},
			warnings: []string{
				`b.csv:3[A3]: repeats values from another row of the same set-up (1 row)`,
				`b.csv:3[A3]: manufacturer: missing in this row; copied from other rows with the same article number (1 row)`,
			},
		},
		{
			rule: "an article number that no other row has is the label",
			tables: []string{`article_number|manufacturer|alpha_s_octave 500
				47|X|.5
				48|X|.6`},
			want: []string{"48 of X: [{500 0.6}]", "47 of X: [{500 0.5}]"},
			warnings: []string{`a.csv:2[A2]: label: no row with this article number has a name: the article number is used as the name ` +
				`(2 products: A2, A3)`},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			for _, reversed := range []bool{false, true} { // in both orders
				rows := rowsOfTables(test.tables...)
				if reversed {
					for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
						rows[i], rows[j] = rows[j], rows[i]
					}
				}
				out := outcomeOf(t, test.o, rows...)
				if got := summaries(&out); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
					t.Errorf("got %q, want %q", got, test.want)
				}
				out.expect(t, test.faults, test.warnings)
			}
		})
	}
}

// summaries returns the label, the manufacturer and the octaves of each product.
func summaries(out *outcome) (texts []string) {
	for _, r := range out.results {
		if r.Product == nil {
			continue
		}
		var curve string
		for _, a := range r.Product.Measurements.Absorption {
			for _, p := range a.AlphaSOctave {
				curve += "{" + columns.FormatNumber(float64(p.BandHz)) + " " + columns.FormatNumber(p.Value) + "}"
			}
		}
		texts = append(texts, r.Product.Label.In("de")+" of "+r.Product.Manufacturer.Name+": ["+curve+"]")
	}
	return texts
}

func TestAMapNamesTheManufacturerOfItsTable(t *testing.T) {
	rows := rowsOfTables(`article_number|label|manufacturer
		47|Segel|X`, `article_number|alpha_s_octave 500
		47|.5`, `label|alpha_s_octave 500
		Segel|.6`)
	for _, r := range rows[1:] {
		r.Table.Map = &columns.TableMap{Manufacturer: "Y", SourceKind: "measured"}
	}
	out := outcomeOf(t, products.Options{Manufacturer: "Sonst", SourceKind: "simulated"}, rows...)
	got := summaries(&out)
	if want := "Segel of Y: [{500 0.6}] 47 of Y: [{500 0.5}] Segel of X: []"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, r := range out.results {
		for _, a := range r.Product.Measurements.Absorption {
			if a.SourceKind != "measured" {
				t.Errorf("got source kind %q, want the source kind of the map", a.SourceKind)
			}
		}
	}
}

// TestProductsWithoutValuesInATableOfBandsAreLeftOut also expects a warning.
func TestProductsWithoutValuesInATableOfBandsAreLeftOut(t *testing.T) {
	for _, test := range []struct {
		rule   string
		o      products.Options
		tables []string
		change func(*cells.Row) // changes the last row
		want   []string
		left   string
	}{
		{rule: "a row without a coefficient", tables: []string{"label|manufacturer|alpha_s_octave 500\nA|X|.5\nB|X|"},
			want: []string{"A of X: [{500 0.5}]"}, left: "a.csv:3[A3]"},
		{rule: "a row of a table with a row a band", tables: []string{"label|manufacturer|alpha_s 500\nA|X|.5\nB|X|"},
			want: []string{"A of X: [{500 0.5}]"}, left: "a.csv:3[A3]"},
		{rule: "of several tables of bands", tables: []string{"label|manufacturer|alpha_s_octave 500\nB|X|",
			"label|manufacturer|alpha_s_octave 250\nB|X|"}, left: "a.csv:2[A2]"},
		{rule: "not where a row has a coefficient",
			tables: []string{"label|manufacturer|alpha_s_octave 500\nB|X|.5\nB|X|"},
			want:   []string{"B of X: [{500 0.5}]"}},
		{rule: "not where it has a rating", tables: []string{"label|manufacturer|alpha_w|alpha_s_octave 500\nB|X|.5|"},
			want: []string{"B of X: []"}},
		{rule: "not where a table has no bands", tables: []string{"label|manufacturer|Farbe\nB|X|rot",
			"label|manufacturer|alpha_s_octave 500\nB|X|"}, want: []string{"B of X: []"}},
		{rule: "not of our own table", tables: []string{"label|manufacturer|alpha_s_octave 500\nB|X|"},
			change: func(r *cells.Row) { r.Table.OwnExport = true }, want: []string{"B of X: []"}},
		{rule: "not of a map", tables: []string{"label|manufacturer|alpha_s_octave 500\nB|X|"},
			change: func(r *cells.Row) { r.Table.Map = &columns.TableMap{} }, want: []string{"B of X: []"}},
		{rule: "not of a correction", o: products.Options{Partial: true},
			tables: []string{"label|manufacturer|alpha_s_octave 500\nB|X|"}, want: []string{"B of X: []"}},
		{rule: "not where a band has a text", tables: []string{"label|manufacturer|alpha_s_octave 500\nB|X|"},
			change: func(r *cells.Row) {
				r.Values = append(r.Values, cells.Value{Header: "alpha_s_octave 500", Text: "5,1 s", Cell: 3})
			}, want: []string{"B of X: []"}},
		{rule: "not where a cell is a fault", tables: []string{"label|manufacturer|alpha_s_octave 500\nB|X|"},
			change: func(r *cells.Row) {
				r.Faults = []dataset.Fault{{Place: r.Table.Place(2, 2, 3), Problem: "no number"}}
			}, want: []string{"B of X: []"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			rows := rowsOfTables(test.tables...)
			if test.change != nil {
				test.change(rows[len(rows)-1])
			}
			out := outcomeOf(t, test.o, rows...)
			if got := summaries(&out); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got %q, want %q", got, test.want)
			}
			left := test.left + ": product without a coefficient or rating in a table of bands: left out (1 product)"
			if all := strings.Join(out.warnings, "\n"); test.left == "" && strings.Contains(all, "left out") ||
				test.left != "" && !strings.Contains(all, left) {
				t.Errorf("got warnings %s, want %q", all, test.left)
			}
		})
	}
}

func TestOptionsSupplyWhatTablesLack(t *testing.T) {
	out := outcomeOf(t, products.Options{Manufacturer: "Sonst", SourceKind: "simulated"}, rowsOf("a.csv",
		`label|manufacturer|source_kind|alpha_s_octave 500|diffusion_octave 500
		A|||.5|.6
		B|X|measured|.5|`)...)
	if len(out.faults) > 0 || len(out.records) != 2 {
		t.Fatalf("faults %q, %d records", out.faults, len(out.records))
	}
	sameJSON(t, out.records[0], `{
		"label": "B", "manufacturer": "X",
		"measurements": {"absorption_iso_354": [{"id": "abs", "source_kind": "measured", "alpha_s_octave": {"500": 0.5}}]}
	}`)
	sameJSON(t, out.records[1], `{
		"label": "A", "manufacturer": "Sonst",
		"measurements": {
			"absorption_iso_354": [{"id": "abs", "source_kind": "simulated", "alpha_s_octave": {"500": 0.5}}],
			"diffusion_iso_17497_2": [{"id": "dif", "source_kind": "measured", "diffusion_octave": {"500": 0.6}}]
		}
	}`)
}

// TestCorrectionsOnlyHaveTheFieldsOfTheirRows checks that corrections need no manufacturer or name.
func TestCorrectionsOnlyHaveTheFieldsOfTheirRows(t *testing.T) {
	const id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	byMaker := func(text string) string { return uuid.NewSHA1(identity.Space, []byte(text)).String() }
	for _, test := range []struct {
		rule, table string
		key         dataset.Key
		id          string
		want        string // the product as a record
	}{
		{
			rule:  "by id",
			table: "id|fire_class\n" + id + "|B",
			key:   dataset.Key{ID: id}, id: id,
			want: `{"id": "` + id + `", "manufacturer": "", "fire_class": "B"}`,
		},
		{
			rule:  "a description is no name",
			table: "id|description|article_number\n" + id + "|weich|47",
			key:   dataset.Key{ID: id}, id: id,
			want: `{"id": "` + id + `", "manufacturer": "", "description": "weich", "structured_meta": {"Artikelnummer": "47"}}`,
		},
		{
			rule:  "by article number and manufacturer",
			table: "article_number|manufacturer|label\n47|X|Segel",
			key:   dataset.Key{Article: "47", Manufacturer: "X"}, id: byMaker("X\x00\x0047"),
			want: `{"id": "` + byMaker("X\x00\x0047") +
				`", "label": "Segel", "manufacturer": "X", "structured_meta": {"Artikelnummer": "47"}}`,
		},
		{
			rule:  "by article number only, which is not a name",
			table: "article_number|url\n47|https://a.test/47",
			key:   dataset.Key{Article: "47"}, id: uuid.Nil.String(),
			want: `{"id": "` + uuid.Nil.String() + `", "manufacturer": "", "url": "https://a.test/47",
				"structured_meta": {"Artikelnummer": "47"}}`,
		},
		{
			rule:  "by name only",
			table: "label|thickness_mm|alpha_s_octave 500\nSegel|40|.5",
			key:   dataset.Key{Name: "Segel"}, id: uuid.Nil.String(),
			want: `{"id": "` + uuid.Nil.String() + `", "label": "Segel", "manufacturer": "", "measurements": {"absorption_iso_354": [
				{"id": "abs-t40", "source_kind": "literature", "thickness_mm": 40, "alpha_s_octave": {"500": 0.5}}]}}`,
		},
		{
			rule:  "by name and manufacturer",
			table: "label|manufacturer\nSegel|X",
			key:   dataset.Key{Name: "Segel", Manufacturer: "X"}, id: byMaker("X\x00Segel"),
			want: `{"id": "` + byMaker("X\x00Segel") + `", "label": "Segel", "manufacturer": "X"}`,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			out := outcomeOf(t, products.Options{Partial: true}, rowsOf("a.csv", test.table)...)
			if len(out.results) != 1 || len(out.results[0].Faults) > 0 || len(out.results[0].Warnings) > 0 {
				t.Fatalf("got %d results: %+v", len(out.results), out.results)
			}
			r := out.results[0]
			if r.Key != test.key || r.Product.ID.String() != test.id {
				t.Errorf("got key %+v and id %s, want %+v and %s", r.Key, r.Product.ID, test.key, test.id)
			}
			sameJSON(t, out.records[0], test.want)
		})
	}
}

func TestAnEnglishNameOfACorrectionIsNotGerman(t *testing.T) {
	out := outcomeOf(t, products.Options{Partial: true},
		rowsOf("a.csv", "article_number|label_en|description_en\n47|Raft|soft")...)
	if p := out.results[0].Product; len(p.Label) != 1 || p.Label[0].Locale != "en" || len(p.Description) != 1 ||
		p.Description[0].Locale != "en" {
		t.Errorf("got label %v and description %v, want only English", p.Label, p.Description)
	}
	out = outcomeOf(t, products.Options{}, rowsOf("a.csv", "label|manufacturer|label_en|description_en\nA|X|Raft|soft")...)
	sameJSON(t, out.records[0], `{"label": {"de": "A", "en": "Raft"}, "description": {"de": "soft", "en": "soft"}, `+
		`"manufacturer": "X"}`)
}
