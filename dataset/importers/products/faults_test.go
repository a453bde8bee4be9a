package products_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/products"
)

const makerExpected = ": add a column such as Hersteller or manufacturer, use sabine import --manufacturer, or name a manufacturer in the map"

func TestFaultsAndWarningsOfProducts(t *testing.T) {
	for _, test := range []struct {
		rule, table      string
		faults, warnings []string
	}{
		{
			rule: "a row without a product",
			table: `label|manufacturer|alpha_s_octave 500
				|X|.5`,
			faults: []string{`a.csv:2[A2]: this row names no product: expected a name, an article number or an id`},
		},
		{
			rule: "a row without a manufacturer",
			table: `label|alpha_s_octave 500
				A|.5`,
			faults: []string{`a.csv:2[A2]: missing manufacturer in this row` + makerExpected},
		},
		{
			rule: "an id without a manufacturer",
			table: `id|label|alpha_s_octave 500
				6ba7b810-9dad-11d1-80b4-00c04fd430c8|A|.5`,
			faults: []string{`a.csv:2[A2]: product 6ba7b810-9dad-11d1-80b4-00c04fd430c8: manufacturer: missing in all rows of this product` +
				makerExpected},
		},
		{
			rule: "an id that is none",
			table: `id|label|manufacturer
				47|A|X`,
			faults: []string{
				`a.csv:2[A2]: product 47: id: expected a UUID`,
			},
		},
		{
			rule: "an id with two manufacturers",
			table: `id|label|manufacturer|alpha_s_octave 500
				6ba7b810-9dad-11d1-80b4-00c04fd430c8|A|X|.5
				6BA7B810-9dad-11d1-80b4-00c04fd430c8|A|Y|.5`,
			faults: []string{`a.csv:3[A3]: product 6ba7b810-9dad-11d1-80b4-00c04fd430c8: manufacturer: "Y", but "X" in ` +
				`a.csv:2[A2]: expected one value for a product`},
			warnings: []string{`a.csv:3[A3]: repeats values from another row of the same set-up (1 row)`},
		},
		{
			rule: "two values for one set-up and band",
			table: `label|manufacturer|thickness_mm|alpha_s_octave 500
				A|X|20|.5
				A|X|20|.6
				A|X|40|.6`,
			faults: []string{`a.csv:3[D3]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: alpha_s_octave 500: 0.6 at 500 ` +
				`Hz, but 0.5 in ` +
				`a.csv:2[D2]: expected one value for each band of a set-up`},
		},
		{
			rule: "two values in a table with a row a band",
			table: `label|manufacturer|alpha_s 500
				A|X|.5
				A|X|.5
				A|X|.7
				A|X|.6`,
			faults: []string{`a.csv:4[C4]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: alpha_s 500: 0.7 at 500 Hz, but ` +
				`0.5 in ` +
				`a.csv:2[C2]: expected one value for each band of a set-up`},
			warnings: []string{`a.csv:3[A3]: repeats values from another row of the same set-up (1 row)`},
		},
		{
			rule: "rows without new values are reported",
			table: `label|manufacturer|thickness_mm|alpha_s_octave 500
				A|X|20|.5
				A|X|20|.5
				A|X|20|.5
				A|X|40|.6`,
			warnings: []string{`a.csv:3[A3]: repeats values from another row of the same set-up (2 rows: A3, A4)`},
		},
		{
			rule: "spellings of a mounting, and values that contradict each other in two",
			table: `label|manufacturer|mounting|alpha_s_octave 500
				A|X|Typ A|.5
				A|X|A|.5
				B|X|Typ A|.5
				B|X|A|.6`,
			faults: []string{`a.csv:5[D5]: product af62290b-10c9-57df-8b93-1330cec3a42d: alpha_s_octave 500: 0.6 at 500 ` +
				`Hz, but 0.5 in ` +
				`a.csv:4[D4]: expected one value for each band of a set-up`},
			warnings: []string{
				`a.csv:2[A2]: repeats values from another row of the same set-up (1 row)`,
				`a.csv:2[A2]: mounting: two spellings of one mounting: "A" and "Typ A" (2 rows: A2, A4)`,
			},
		},
		{
			rule: "two values of a field that a product has once",
			table: `label|manufacturer|published|alpha_s_octave 500
				A|X|true|.5
				A|X|false|.5`,
			faults: []string{`a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: published: "true", but "false" ` +
				`in a.csv:3[C3]: expected one value for a product`},
			warnings: []string{`a.csv:3[A3]: repeats values from another row of the same set-up (1 row)`},
		},
		{
			rule: "all of several values of such a field are named",
			table: `label|manufacturer|slug
				A|X|c
				A|X|a
				A|X|b`,
			faults: []string{`a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: slug: "c", but "a" in ` +
				`a.csv:3[C3], "b" in ` +
				`a.csv:4[C4]: expected one value for a product`},
		},
		{
			rule: "diffusion that is not measured",
			table: `label|manufacturer|source_kind|diffusion_octave 500
				A|X|simulated|.5`,
			faults: []string{`a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: source_kind: expected measured, the only source kind for diffusion, got "simulated"`},
		},
		{
			rule: "practical coefficients that are no octaves",
			table: `label|manufacturer|alpha_p 500|alpha_p 630
				A|X|.5|
				A|X||.6`,
			faults: []string{`a.csv:2[A2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: absorption_octave["630"]: ` +
				`not the centre frequency of an octave band`},
			warnings: []string{`a.csv:2[A2]: bands from several rows are read as one curve, because the rows do not name different set-ups (1 set-up)`},
		},
		{
			rule: "several names of an article",
			table: `article_number|label|manufacturer|alpha_s_octave 500
				47|Absorber|X|.5
				47|Absorber groß|X|.5
				47|Absorber|X|.5`,
			warnings: []string{
				`a.csv:2[A2]: product d67145fd-06b0-5295-a381-765c10c0756a: label: "Absorber" is used as the name; other rows have "Absorber groß"`,
				`a.csv:3[A3]: repeats values from another row of the same set-up (2 rows: A3, A4)`,
			},
		},
		{
			rule: "several spellings of a manufacturer, and texts that differ",
			table: `label|manufacturer|Farbe|thickness_mm|alpha_s_octave 500
				A|Müller|rot|20|.5
				A|MÜLLER|blau|40|.5
				B|Müller|rot|20|.5
				B|Müller|blau|40|.5`,
			warnings: []string{
				`a.csv:2[C2]: Farbe: differs between rows of a product: stored in the measuring_option of its set-ups (2 ` +
					`products: C2, C4)`,
				`a.csv:2[A2]: manufacturer: several spellings of one manufacturer: "Müller" (used), "MÜLLER"`,
			},
		},
		{
			rule: "ratings of set-ups that differ",
			table: `label|manufacturer|thickness_mm|alpha_w|nrc|absorption_class|` +
				`alpha_s_octave 250|alpha_s_octave 500|alpha_s_octave 1000|alpha_s_octave 2000|alpha_s_octave 4000
				A|X|20|0.5|0.5|D|.5|.5|.5|.5|.5
				A|X|40|0.7|0.5|C|.5|.5|.5|.5|.5
				B|X|20|0.3|0.9|D|.5|.5|.5|.5|.5
				B|X|40|0.8|0.8|A|.8|.8|.8|.8|.8`,
			warnings: []string{
				`a.csv:2[A2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: alpha_w: declared as 0.7, but the value ` +
					`computed from the most absorptive set-up is 0.5`,
				`a.csv:4[D4]: product af62290b-10c9-57df-8b93-1330cec3a42d: alpha_w: declared as 0.3, but the value computed ` +
					`from the coefficients is 0.5`,
				`a.csv:4[E4]: product af62290b-10c9-57df-8b93-1330cec3a42d: nrc: declared as 0.9, but the value computed from the coefficients is 0.5`,
				`a.csv:4[A4]: product af62290b-10c9-57df-8b93-1330cec3a42d: structured_meta.Absorberklasse: declared as A, but ` +
					`the value computed from the coefficients is B`,
				`a.csv:2[F2]: absorption_class: differs between rows of a product: stored in the measuring_option of its set-ups (2 products: F2, F4)`,
				`a.csv:2[D2]: alpha_w: differs between rows of a product: stored in the measuring_option of its set-ups (2 ` +
					`products: D2, D4)`,
				`a.csv:4[E4]: nrc: differs between rows of a product: stored in the measuring_option of its set-ups (1 product)`,
			},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			out := outcomeOf(t, products.Options{}, rowsOf("a.csv", test.table)...)
			out.expect(t, test.faults, test.warnings)
		})
	}
}

// TestRowsThatAreMergedByGuessAreReported expects a warning if rows with equal strings become one set-up,
// because the guess can be incorrect.
func TestRowsThatAreMergedByGuessAreReported(t *testing.T) {
	for _, test := range []struct {
		rule, table string
		warnings    []string
	}{
		{
			rule: "bands of one curve in several rows",
			table: `label|manufacturer|alpha_s_octave 250|alpha_s_octave 500
				A|X|.1|
				A|X||.9`,
			warnings: []string{`a.csv:2[A2]: bands from several rows are read as one curve, because the rows do not name different set-ups (1 set-up)`},
		},
		{
			rule: "a row a band is what a long table has",
			table: `label|manufacturer|alpha_s 250|alpha_s 500
				A|X|.1|
				A|X||.9`,
		},
		{
			rule: "octaves and third octaves of one measurement",
			table: `label|manufacturer|alpha_s_octave 500|alpha_s_third_octave 400|alpha_s_third_octave 500|alpha_s_third_octave 630
				A|X|.5|||
				A|X||.4|.5|.6`,
		},
		{
			rule: "octaves that are not the means of the third octaves",
			table: `label|manufacturer|alpha_s_octave 500|alpha_s_third_octave 400|alpha_s_third_octave 500|alpha_s_third_octave 630
				A|X|.9|||
				A|X||.4|.5|.6`,
			warnings: []string{`a.csv:3[A3]: rows are read as one set-up, but their octaves are not the means of their third octaves: ` +
				`check whether the rows are several set-ups (1 set-up)`},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			out := outcomeOf(t, products.Options{}, rowsOf("a.csv", test.table)...)
			out.warnings = slices.DeleteFunc(out.warnings, func(w string) bool {
				return strings.Contains(w, "no coefficients at")
			})
			out.expect(t, nil, test.warnings)
		})
	}
}

func TestACurveWithoutPointsIsIgnored(t *testing.T) {
	rows := rowsOf("a.csv", "label|manufacturer\nA|X\nA|X")
	for _, r := range rows {
		r.Curves = []cells.Curve{{Quantity: "alpha_p"}, {Quantity: "alpha_s", Resolution: "octave"}}
	}
	out := outcomeOf(t, products.Options{}, rows...)
	out.expect(t, nil, nil)
	sameJSON(t, out.records[0], `{"label": "A", "manufacturer": "X"}`)
}

func TestSeriesWithOneNameAreReported(t *testing.T) {
	for _, test := range []struct {
		rule, table, want string
	}{
		{
			rule: "a column of series",
			table: `label|manufacturer|series|thickness_mm|alpha_s_octave 500
				A|X|Basis|20|.5
				A|X|Pro|40|.6`,
			want: `a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: series: check whether these are several products with the name "A": ` +
				`"Basis" in a.csv:2[C2], "Pro" in a.csv:3[C3]`,
		},
		{
			rule: "a column of trade names",
			table: `label|manufacturer|commercial_name|thickness_mm|alpha_s_octave 500
				A|X|Basis|20|.5
				A|X|Pro|40|.6`,
			want: `a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: commercial_name: check whether these are several products with the name "A": ` +
				`"Basis" in a.csv:2[C2], "Pro" in a.csv:3[C3]`,
		},
		{
			rule: "an article number means that it is one product",
			table: `article_number|label|manufacturer|series|thickness_mm|alpha_s_octave 500
				1|A|X|Basis|20|.5
				1|A|X|Pro|40|.6`,
		},
		{
			rule: "one series",
			table: `label|manufacturer|series|thickness_mm|alpha_s_octave 500
				A|X|Basis|20|.5
				A|X||40|.6`,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			out := outcomeOf(t, products.Options{}, rowsOf("a.csv", test.table)...)
			all := strings.Join(out.warnings, "\n")
			if test.want != "" && !strings.Contains(all, test.want) || test.want == "" && strings.Contains(all, "check whether") {
				t.Errorf("got warnings\n%s\nwant %q", all, test.want)
			}
		})
	}
}

func TestMessagesNameUpToTenPlaces(t *testing.T) {
	table := func(n int) string { return "label|manufacturer|slug" + strings.Repeat("\nA|X|s", n) }
	var rows []*cells.Row
	for i := range 14 {
		rows = append(rows, rowsOf("a.csv", fmt.Sprintf("label|manufacturer|slug|alpha_s_octave 500\nA|X|s%d|.5", i))...)
		rows[i].Number, rows[i].Line = i+2, i+2
	}
	out := outcomeOf(t, products.Options{}, rows...)
	out.expect(t, []string{
		`a.csv:11[C11]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: slug: "s9", but "s0" in a.csv:2[C2], "s1" in ` +
			`a.csv:3[C3], ` +
			`"s10" in a.csv:12[C12], "s11" in a.csv:13[C13], "s12" in a.csv:14[C14], "s13" in a.csv:15[C15], "s2" in ` +
			`a.csv:4[C4], ` +
			`"s3" in a.csv:5[C5], "s4" in a.csv:6[C6], "s5" in a.csv:7[C7] and 3 more: expected one value for a product`,
	}, []string{
		`a.csv:3[A3]: repeats values from another row of the same set-up (13 rows: A3, A4, A5, A6, A7, A8, A9, A10, A11, A12 and 3 more)`,
	})
	rows = append(rowsOf("b.csv", table(1)+"\n||x"), rowsOf("a.csv", table(1)+"\n||x")...)
	out = outcomeOf(t, products.Options{}, rows...)
	out.expect(t, []string{
		`a.csv:3[A3]: this row names no product: expected a name, an article number or an id`,
		`b.csv:3[A3]: this row names no product: expected a name, an article number or an id`,
	}, nil)
}

func TestAProductOfTooMuchTextIsNoRecord(t *testing.T) {
	long := func(text string) string { return strings.Repeat(text, 60<<10) }
	table := func(columns string, n int, row func(i int) string) string {
		lines := []string{"label|manufacturer|mounting|Farbe|" + columns}
		for i := range n {
			lines = append(lines, "Filz|X|"+row(i))
		}
		return strings.Join(lines, "\n")
	}
	one := func(i int) string { return fmt.Sprintf("E-%d|%s|.1", i, long("x")) }
	for _, test := range []struct{ rule, table, want string }{
		{"set-ups that differ in long texts", table("alpha_s_octave 500", 40, func(i int) string {
			return fmt.Sprintf("E-%d|%s|.1", i, long(string(rune('x'+i%2))))
		}), `Farbe: the values of product "Filz" exceed the limit of 2 MiB for a record here`},
		{"texts that separate set-ups with contradicting values", table("alpha_s_octave 500", 41, func(i int) string {
			if i == 40 {
				return "E-1||.9"
			}
			return one(i)
		}), `the values of product "Filz" exceed the limit of 2 MiB`},
		{"equal rows are also added up", table("alpha_s_octave 500", 600, func(i int) string {
			return "A|" + long(string(rune('x'+i%2))) + "|.1"
		}), `Farbe: the values of product "Filz" exceed the limit of 2 MiB`},
		{"a text that all rows have counts once", table("alpha_s_octave 500", 100, one), ""},
		{"rows of one product without end", table("alpha_s_octave 500", 1<<16+1, func(int) string { return "A||.1" }),
			"more than 65536 rows for one product"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			out := outcomeOf(t, products.Options{}, rowsOf("a.csv", test.table)...)
			all := strings.Join(out.faults, "\n")
			if !strings.Contains(all, test.want) || test.want == "" && all != "" || len(out.records) != 1 ||
				len(out.records[0]) > 4<<20 {
				t.Errorf("%d records, got faults %.300q, want %q", len(out.records), all, test.want)
			}
		})
	}
}
