package products_test

import (
	"encoding/json"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/products"
	"sabine/dataset/product"
)

var vocabulary = &dataset.Vocabulary{Families: map[string]map[string]dataset.Term{
	product.FamilyCategory: {
		"gewebe": {Names: map[string]string{"de": "Gewebe", "en": "Woven fabric"}, Synonyms: []string{"Stoff", "Filz"}},
		"filz":   {Names: map[string]string{"de": "Filz"}},
	},
	product.FamilyInstallation: {"dach": {Names: map[string]string{"de": "Dachüberstand"}}},
}}

func TestWordsOfTheVocabulary(t *testing.T) {
	for _, test := range []struct {
		rule, field, text string
		ours              bool
		want, meta        string // field of the record, and text in structured_meta
	}{
		{"the value itself", "material_category", "gewebe", false, `"gewebe"`, ""},
		{"its name in any language, in any case, with any hyphens", "material_category", "WOVEN-FABRIC", false, `"gewebe"`,
			""},
		{"a synonym", "material_category", "stoff", false, `"gewebe"`, ""},
		{"a name comes before a synonym", "material_category", "Filz", false, `"filz"`, ""},
		{"umlauts as letters", "installation_types", "Dachueberstand", false, `["dach"]`, ""},
		{"each value once, with any separators", "installation_types", "Dach; dach, DACH/Dachüberstand", false,
			`["dach"]`, ""},
		{"a JSON array", "installation_types", `["dach","dach"]`, false, `["dach"]`, ""},
		{"what a declared family lacks", "material_category", "Holz", false, "", "Holz"},
		{"what it lacks of a list", "installation_types", "Dach, Keller, Wand", false, `["dach"]`, "Keller, Wand"},
		{"also in our own export", "material_category", "Holz", true, "", "Holz"},
		{"the sample's words where the inputs declare none", "absorption_character", "Full range", false, `"breitband"`, ""},
		{"otherwise it does not change", "absorption_character", "Resonator", false, `"Resonator"`, ""},
		{"as in our own export", "absorption_character", "Full range", true, `"Full range"`, ""},
	} {
		t.Run(test.rule, func(t *testing.T) {
			rows := rowsOf("a.csv", "label|manufacturer|"+test.field+"\nA|X|"+test.text)
			rows[0].Table.OwnExport = test.ours
			out := outcomeOf(t, products.Options{Vocabulary: vocabulary}, rows...)
			record := map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(out.records[0]), &record); err != nil {
				t.Fatal(err)
			}
			meta := ""
			if test.meta != "" {
				meta = `{"` + test.field + `":"` + test.meta + `"}`
			}
			if got := string(record[test.field]); got != test.want || string(record["structured_meta"]) != meta {
				t.Errorf("got %s and %s, want %s and %s", got, record["structured_meta"], test.want, meta)
			}
		})
	}
}

func TestAValueOutsideTheVocabularyIsOneWarningWithTheNearestWord(t *testing.T) {
	out := outcomeOf(t, products.Options{Vocabulary: vocabulary}, append(rowsOf("a.csv",
		`label|manufacturer|material_category|installation_types
		A|X|Gewebbe|Dachüberstant; Keller
		B|X|Holz|dach
		C|X|Holz|Keller`), rowsOf("b.csv", `label|manufacturer|material_category
		D|X|Holz`)...)...)
	out.expect(t, nil, []string{
		`a.csv:2[D2]: installation_types: "Dachüberstant" is not in the vocabulary of installation_types; the nearest ` +
			`word is ` +
			`"Dachüberstand"; stored as text in structured_meta (1 row)`,
		`a.csv:2[D2]: installation_types: "Keller" is not in the vocabulary of installation_types; stored as text in structured_meta ` +
			`(2 rows: D2, D4)`,
		`a.csv:2[C2]: material_category: "Gewebbe" is not in the vocabulary of material_category; the nearest word is ` +
			`"gewebe"; ` +
			`stored as text in structured_meta (1 row)`,
		`a.csv:3[C3]: material_category: "Holz" is not in the vocabulary of material_category; stored as text in structured_meta ` +
			`(3 rows: C3, C4, b.csv:2[C2])`,
	})
}

// TestTheJSONOfOurOwnExport verifies that cells of geometry, images and structured_meta are read like a
// record, with the place of the cell.
func TestTheJSONOfOurOwnExport(t *testing.T) {
	for _, test := range []struct {
		rule, table      string
		want             string
		faults, warnings []string
	}{
		{
			rule: "geometry with other sizes",
			table: `label|manufacturer|geometry
				A|X|{"shape":"box","bounding_box_mm":{"width":1,"height":2,"depth":3},"size_variants":[{"label":"L","width":2,"height":3,"depth":4}]}`,
			want: `{"label": "A", "manufacturer": "X", "geometry": {"shape": "box",
				"bounding_box_mm": {"width": 1, "height": 2, "depth": 3},
				"size_variants": [{"label": "L", "width": 2, "height": 3, "depth": 4}]}}`,
		},
		{
			rule: "geometry instead of a shape and its lengths, which are kept as text",
			table: `label|manufacturer|geometry|shape|size
				A|X|{"shape":"box","bounding_box_mm":{"width":1,"height":2,"depth":3}}|panel|600 x 600 x 40`,
			want: `{"label": "A", "manufacturer": "X", "geometry": {"shape": "box",
				"bounding_box_mm": {"width": 1, "height": 2, "depth": 3}},
				"structured_meta": {"Abmessungen": "600 x 600 x 40", "Form": "panel"}}`,
		},
		{
			rule: "images in their order",
			table: `label|manufacturer|images
				A|X|[{"url":"https://a.test/2.jpg","display_order":2},{"url":"https://a.test/1.jpg","display_order":1}]`,
			want: `{"label": "A", "manufacturer": "X", "images": [{"url": "https://a.test/1.jpg", "display_order": 1},
				{"url": "https://a.test/2.jpg", "display_order": 2}]}`,
		},
		{
			rule: "structured_meta with other columns, texts of one key once",
			table: `label|manufacturer|structured_meta|Farbe|Gewicht
				A|X|{"Farbe":"rot","Gewicht":3}|rot|4 kg`,
			want: `{"label": "A", "manufacturer": "X", "structured_meta": {"Farbe": "rot", "Gewicht": "3; 4 kg"}}`,
		},
		{
			rule: "a fault in it",
			table: `label|manufacturer|geometry
				A|X|{"shape":"cube","bounding_box_mm":{"width":1,"height":2,"depth":3}}`,
			want: `{"label": "A", "manufacturer": "X", "geometry": {"bounding_box_mm": {"width": 1, "height": 2, "depth": 3}}}`,
			faults: []string{
				`a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: geometry.shape: expected panel, baffle, box, ` +
					`cylinder, sphere or ` +
					`sheet, got the string "cube"`,
			},
		},
		{
			rule: "a member that records do not have",
			table: `label|manufacturer|images
				A|X|[{"url":"https://a.test/1.jpg","size":3}]`,
			want: `{"label": "A", "manufacturer": "X", "images": [{"url": "https://a.test/1.jpg"}]}`,
			warnings: []string{`a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: images.size: not in the ` +
				`record format: ignored`},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			rows := rowsOf("a.csv", test.table)
			s := products.New(products.Options{})
			for _, r := range rows {
				s.Add(r)
			}
			for r := range s.Products() {
				sameJSON(t, string(product.AppendSource(nil, r.Product)), test.want)
				var out outcome
				out.take(r.Faults, r.Warnings)
				out.expect(t, test.faults, test.warnings)
			}
		})
	}
}
