package identity_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/identity"
)

const noMaker = "missing manufacturer in this row" + identity.MakerExpected

// TestWhichRowsAreOfOneProduct checks both orders of the rows.
func TestWhichRowsAreOfOneProduct(t *testing.T) {
	const id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	taken := `b.csv:2[A2]: manufacturer: missing in this row; copied from other rows with the same article number (1 row)`
	byName := `b.csv:2[A2]: manufacturer: missing in this row; copied from other rows with the same label (1 row)`
	for _, test := range []struct {
		rule                string
		o                   identity.Options
		tables              []string
		groups, left, notes []string
	}{
		{rule: "rows with one article number and manufacturer", tables: []string{
			"article_number|label|manufacturer\n47|Segel|X\n47|Segel groß|X\n47|Segel|Y\n48|Segel|X"},
			groups: []string{"47 of Y: a.csv:4", "48 of X: a.csv:5", "47 of X: a.csv:2 a.csv:3"}},
		{rule: "else rows with one name and manufacturer", tables: []string{
			"label|manufacturer\nSegel|X\nSegel|X\nBaffel|X"},
			groups: []string{"Segel of X: a.csv:2 a.csv:3", "Baffel of X: a.csv:4"}},
		{rule: "rows with one id, in any case, and the smallest manufacturer", tables: []string{
			"id|label|manufacturer\n" + id + "|A|Y\n6BA7B810-9DAD-11D1-80B4-00C04FD430C8|B|X"},
			groups: []string{id + " of X: a.csv:2 a.csv:3"}},
		{rule: "a row that names no product", tables: []string{"label|manufacturer\n|X"},
			left: []string{"a.csv:2[A2]: no product"}},
		{rule: "a material, a commercial name or a description is a name", tables: []string{
			"material|commercial_name|description|manufacturer\n|B|C|X\nA|B|C|X\n||C|X"},
			groups: []string{"C of X: a.csv:4", "A of X: a.csv:3", "B of X: a.csv:2"}},

		{rule: "values without a manufacturer take the manufacturer of the article number", tables: []string{
			"article_number|label|manufacturer\n47|Segel|X\n48|Baffel|X", "article_number\n47"},
			groups: []string{"48 of X: a.csv:3", "47 of X: a.csv:2 b.csv:2"}, notes: []string{taken}},
		{rule: "not the manufacturer of the options, which is for rows without one in all tables",
			o:      identity.Options{Manufacturer: "Sonst"},
			tables: []string{"article_number|label|manufacturer\n47|Segel|X", "article_number\n47"},
			groups: []string{"47 of X: a.csv:2 b.csv:2"}, notes: []string{taken}},
		{rule: "where the product is of the manufacturer of the options, it is that",
			o:      identity.Options{Manufacturer: "Sonst"},
			tables: []string{"article_number|label|manufacturer\n47|Segel|\n47|Platte|X", "article_number\n47"},
			groups: []string{"47 of Sonst: a.csv:2 b.csv:2", "47 of X: a.csv:3"}, notes: []string{taken}},
		{rule: "two manufacturers with the article number are a fault that names both",
			tables: []string{"article_number|label|manufacturer\n47|Segel|X\n47|Platte|Y", "article_number\n47"},
			groups: []string{"47 of Y: a.csv:3", "47 of X: a.csv:2"},
			left: []string{`b.csv:2[A2]: missing manufacturer in this row, and several products have the article number "47": ` +
				`one by "X" in a.csv:2[A2], one by "Y" in a.csv:3[A3]`}},
		{rule: "values with a name take the manufacturer of the name",
			tables: []string{"label|manufacturer|description\nSegel|X|weich", "label\nSegel"},
			groups: []string{"Segel of X: a.csv:2 b.csv:2"}, notes: []string{byName}},
		{rule: "also if the master data have an article number and a name",
			tables: []string{"article_number|label|manufacturer\n47|Segel|X", "label\nSegel"},
			groups: []string{"47 of X: a.csv:2 b.csv:2"}, notes: []string{byName}},
		{rule: "two products with the name are a fault that names both",
			tables: []string{"article_number|label|manufacturer\n47|Segel|X\n48|Segel|X", "label\nSegel"},
			groups: []string{"48 of X: a.csv:3", "47 of X: a.csv:2"},
			left: []string{`b.csv:2[A2]: missing manufacturer in this row, and several products have the label "Segel": ` +
				`one by "X" in a.csv:2[A2], one by "X" in a.csv:3[A3]`}},
		{rule: "unless one only has the name",
			tables: []string{"article_number|label|manufacturer\n47|Segel|X\n48|Segel|X\n|Segel|X", "label\nSegel"},
			groups: []string{"Segel of X: a.csv:4 b.csv:2", "48 of X: a.csv:3", "47 of X: a.csv:2"},
			notes:  []string{byName}},
		{rule: "values without a name are of the article number",
			tables: []string{"article_number|label|manufacturer\n47|Segel|X", "article_number|manufacturer\n47|X"},
			groups: []string{"47 of X: a.csv:2 b.csv:2"}},
		{rule: "values are of the product with an id that has the article number",
			tables: []string{"id|article_number|label|manufacturer\n" + id + "|47|Segel|X", "article_number|manufacturer\n47|X"},
			groups: []string{id + " of X: a.csv:2 b.csv:2"}},
		{rule: "values with a name are of the only product with an article number that has it",
			tables: []string{"article_number|label|manufacturer\n47|Segel|X", "label|manufacturer\nSegel|X"},
			groups: []string{"47 of X: a.csv:2 b.csv:2"},
			notes: []string{"b.csv:2[A2]: label: missing article number in this row; assigned to the product with this name " +
				"(1 product)"}},

		{rule: "without a manufacturer anywhere it is a fault", tables: []string{"article_number\n47"},
			left: []string{"a.csv:2[A2]: " + noMaker}},
		{rule: "unless the options have one", o: identity.Options{Manufacturer: "Sonst"},
			tables: []string{"article_number\n47"}, groups: []string{"47 of Sonst: a.csv:2"}},
		{rule: "corrections need none", o: identity.Options{Partial: true}, tables: []string{"label\nSegel"},
			groups: []string{"Segel of : a.csv:2"}},
		{rule: "spellings of a manufacturer are one, the most frequent",
			tables: []string{"label|manufacturer\nA|MÜLLER\nB|Müller\nA|Mueller\nB|Müller"},
			groups: []string{"B of Müller: a.csv:3 a.csv:5", "A of Müller: a.csv:2 a.csv:4"},
			notes:  []string{`a.csv:2[A2]: manufacturer: several spellings of one manufacturer: "Müller" (used), "Mueller", "MÜLLER"`}},
		{rule: "a slug identifies the manufacturer",
			tables: []string{"label|manufacturer|manufacturer_slug\nA|X|x-1\nA|Y|x-1"},
			groups: []string{"A of X: a.csv:2 a.csv:3"},
			notes:  []string{`a.csv:2[A2]: manufacturer: several spellings of one manufacturer: "X" (used), "Y"`}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			rows := rowsOf(test.tables...)
			for range 2 {
				out := outcomeOf(test.o, rows)
				expect(t, "groups", out.groups, test.groups)
				expect(t, "rows of no product", out.left, test.left)
				expect(t, "notes", out.notes, test.notes)
				slices.Reverse(rows)
			}
		})
	}
}

func TestAMapNamesTheManufacturerOfItsTable(t *testing.T) {
	rows := rowsOf("article_number|label|manufacturer\n47|Segel|X", "article_number\n47", "label\nSegel")
	for _, r := range rows[1:] {
		r.Table.Map = &columns.TableMap{Manufacturer: "Y"}
	}
	out := outcomeOf(identity.Options{Manufacturer: "Sonst"}, rows)
	expect(t, "groups", out.groups, []string{"Segel of Y: c.csv:2", "47 of Y: b.csv:2", "47 of X: a.csv:2"})
}

// TestACompanyOfATitleOrOfAnotherSheetIsTheManufacturer checks rows without a manufacturer.
func TestACompanyOfATitleOrOfAnotherSheetIsTheManufacturer(t *testing.T) {
	const named = "label\nA"
	title, sheet := []string{"read from the title"}, []string{"read from another sheet"}
	for _, test := range []struct {
		rule      string
		o         identity.Options
		tables    []string
		title     string   // company in the title of the last table
		companies []string // companies in the sheets of its file
		groups    []string
		notes     []string
	}{
		{rule: "of its title", tables: []string{named}, title: "Acme", groups: []string{"A of Acme: a.csv:2"}, notes: title},
		{rule: "of its title before another sheet", tables: []string{named}, title: "Acme", companies: []string{"Nord"},
			groups: []string{"A of Acme: a.csv:2"}, notes: title},
		{rule: "the option before a title", o: identity.Options{Manufacturer: "Sonst"}, tables: []string{named},
			title: "Acme", groups: []string{"A of Sonst: a.csv:2"}},
		{rule: "the option that the title has too", o: identity.Options{Manufacturer: "Acme"}, tables: []string{named},
			title: "Acme", groups: []string{"A of Acme: a.csv:2"}},
		{rule: "of its title before other rows with its name", tables: []string{"label|manufacturer\nA|Nord", named},
			title: "Acme", groups: []string{"A of Nord: a.csv:2", "A of Acme: b.csv:2"}, notes: title},
		{rule: "of another sheet", tables: []string{named}, companies: []string{"Acme"},
			groups: []string{"A of Acme: a.csv:2"}, notes: sheet},
		{rule: "of only an article number", tables: []string{"article_number\n47"}, companies: []string{"Acme"},
			groups: []string{"47 of Acme: a.csv:2"}, notes: sheet},
		{rule: "of several sheets, the same", tables: []string{named}, companies: []string{"Acme", "Acme"},
			groups: []string{"A of Acme: a.csv:2"}, notes: sheet},
		{rule: "not one of two", tables: []string{named}, companies: []string{"Acme", "Nord"}},
		{rule: "not one of three, two of which agree", tables: []string{named}, companies: []string{"Acme", "Nord", "Nord"}},
		{rule: "the option before another sheet", o: identity.Options{Manufacturer: "Sonst"}, tables: []string{named},
			companies: []string{"Acme"}, groups: []string{"A of Sonst: a.csv:2"}},
		{rule: "not next to a column of manufacturers", tables: []string{"label|manufacturer\nA|"},
			companies: []string{"Acme"}},
		{rule: "other rows before another sheet", companies: []string{"Acme"},
			tables: []string{"article_number|label|manufacturer\n47|A|Nord", "article_number\n47"},
			groups: []string{"47 of Nord: a.csv:2 b.csv:2"},
			notes:  []string{"copied from other rows with the same article number"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			rows := rowsOf(test.tables...)
			last := rows[len(rows)-1]
			last.Table.Company = test.title
			out := outcomeOf(test.o, rows, test.companies...)
			expect(t, "groups", out.groups, test.groups)
			var notes []string
			for _, note := range test.notes {
				text := last.From().Place(1).String() + ": manufacturer: missing in this row; " + note + `: "Acme" (1 row)`
				if note[0] == 'c' { // copied
					text = last.From().Place(1).String() + ": manufacturer: missing in this row; " + note + " (1 row)"
				}
				notes = append(notes, text)
			}
			expect(t, "notes", out.notes, notes)
		})
	}
}

// TestNothingDependsOnTheOrderOfRows compares products and messages.
func TestNothingDependsOnTheOrderOfRows(t *testing.T) {
	draw := func(r *rapid.T, name string, of ...string) string { return rapid.SampledFrom(of).Draw(r, name) }
	rapid.Check(t, func(r *rapid.T) {
		tables := make([]string, 2)
		for i := range tables {
			tables[i] = "id|article_number|label|material|manufacturer"
			for range rapid.IntRange(1, 6).Draw(r, "rows") {
				tables[i] += "\n" + draw(r, "id", "", "", "47") + "|" + draw(r, "number", "", "1", "2") + "|" +
					draw(r, "label", "", "A", "B") + "|" + draw(r, "material", "", "Filz") + "|" + draw(r, "maker", "", "X", "x", "Y")
			}
		}
		rows, o := rowsOf(tables...), identity.Options{Manufacturer: draw(r, "option", "", "X", "Z")}
		want := outcomeOf(o, rows)
		got := outcomeOf(o, rapid.Permutation(rows).Draw(r, "order"))
		for _, of := range [][2][]string{{got.groups, want.groups}, {got.left, want.left}, {got.notes, want.notes}} {
			if !slices.Equal(of[0], of[1]) {
				r.Fatalf("got %q, want %q", got, want)
			}
		}
	})
}
