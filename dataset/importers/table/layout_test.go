package table_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/table"
	"sabine/internal/xlsxtest"
)

// summed returns the products in the given tables, each in one line: name and manufacturer, practical
// coefficients and set-ups.
func summed(t *testing.T, o table.Options, inputs ...dataset.Input) (products, messages []string) {
	t.Helper()
	records, messages := imported(t, o, inputs...)
	messages = slices.DeleteFunc(messages, func(text string) bool { return strings.Contains(text, "no coefficients at") })
	for _, r := range records {
		var p struct {
			Label        string
			Manufacturer string
			Practical    map[string]float64 `json:"absorption_octave"`
			Measurements map[string][]map[string]any
			Meta         map[string]string `json:"structured_meta"`
		}
		if err := json.Unmarshal([]byte(r), &p); err != nil {
			t.Fatal(err)
		}
		text := p.Label
		if p.Manufacturer != "M" {
			text += " of " + p.Manufacturer
		}
		for _, key := range slices.Sorted(maps.Keys(p.Meta)) {
			text += ", " + key + "=" + p.Meta[key]
		}
		if p.Practical != nil {
			text += "; αp" + bandsOf(p.Practical)
		}
		for _, norm := range slices.Sorted(maps.Keys(p.Measurements)) {
			for _, e := range p.Measurements[norm] {
				text += "; " + setupOf(e)
			}
		}
		products = append(products, text)
	}
	slices.Sort(products)
	return products, messages
}

// setupOf describes an entry: mounting, thickness, air gap, option and curves.
func setupOf(e map[string]any) (text string) {
	for _, key := range []string{"mounting", "thickness_mm", "air_gap_mm", "measuring_option"} {
		if v, ok := e[key]; ok {
			text += fmt.Sprint(v, " ")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(e)) {
		if points, ok := e[key].(map[string]any); ok {
			curve := map[string]float64{}
			for band, v := range points {
				curve[band] = v.(float64)
			}
			text += strings.TrimSuffix(strings.Replace(key, "alpha_s", "αs", 1), "_octave") + bandsOf(curve) + " "
		}
	}
	return strings.TrimSpace(text)
}

func bandsOf(points map[string]float64) (text string) {
	bands := slices.SortedFunc(maps.Keys(points), func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
	for _, band := range bands {
		text += " " + band + ":" + strconv.FormatFloat(points[band], 'f', -1, 64)
	}
	return text
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

func TestWhereTablesAre(t *testing.T) {
	tests := []struct {
		rule, table string
		want        []string
		messages    string // part of the messages; "-" means none
	}{
		{"the first row", lines("Name;125;250", "A;0,1;0,2"), []string{"A; αs 125:0.1 250:0.2"}, "-"},
		{
			"below titles, to the right of blank columns",
			lines("Liste 2026;;;", ";;;", "Stand;;;", ";Name;125;250", ";A;0,1;0,2"),
			[]string{"A; αs 125:0.1 250:0.2"}, `unused cells: A1 "Liste 2026"`,
		},
		{
			"a group over its first band, units below",
			lines("Name;Dicke;αs;", ";;125;250", ";[mm];Hz;Hz", "A;40;0,1;0,2"),
			[]string{"A; 40 αs 125:0.1 250:0.2"}, "-",
		},
		{
			"two groups of quantities", lines("Name;αs;;αp;", ";500;1000;500;1000", "A;0,1;0,2;0,15;0,25"),
			[]string{"A; αp 500:0.15 1000:0.25; αs 500:0.1 1000:0.2"}, "",
		},
		{
			"groups of thirds and octaves",
			lines(";αs;;;", ";Terz;;Oktave;", "Name;500;630;500;1000", "A;0,1;0,2;0,3;0,4"),
			[]string{"A; αs 500:0.3 1000:0.4 αs_third 500:0.1 630:0.2"}, "-",
		},
		{
			"a group of any words, where merged cells are lost",
			lines("Name;Hersteller;Messwerte;", ";;125;250", "A;Acme;0,1;0,2"),
			[]string{"A of Acme; αs 125:0.1 250:0.2"}, "-",
		},
		{"a group of what is none of our quantities", lines("Name;αs;;Standardabweichung;", ";125;250;125;250",
			"A;0,1;0,2;0,3;0,4"),
			[]string{"A, Standardabweichung 125=0,3, Standardabweichung 250=0,4; αs 125:0.1 250:0.2"},
			`published in structured_meta under their names: "Standardabweichung 125", "Standardabweichung 250"`},
		{"a title of what is none of our quantities", lines("Nachhallzeiten in s;;", "Name;125;250", "A;1,1;1,2"), nil,
			"t.csv:2[B2]: unsupported quantity in the title, sheet name or file name"},
		{"a table of another quantity next to a table of coefficients",
			lines("αs;;", "Name;125;250", "A;0,1;0,2", "", "Nachhallzeiten in s;;", "Name;Raum;125;250", "A;Halle;1,1;1,2"),
			[]string{"A; αs 125:0.1 250:0.2"},
			"t.csv:6[C6]: the table is left out: unsupported quantity in the title"},
		{"rows of what is none of our quantities", lines("Name;Norm;125", "A;ISO 354;0,1", "B;ISO 10534-2;0,2"),
			[]string{"A; αs 125:0.1", "B, 125=0,2, Norm=ISO 10534-2"},
			"t.csv:3[B3]: Norm: the standard in the row states an unsupported quantity: stored as text"},
		{
			"bands above the other names", lines(";;125;250", "Name;Dicke [cm];αs;αs", "A;4;0,1;0,2"),
			[]string{"A; 40 αs 125:0.1 250:0.2"}, "-",
		},
		{
			"a name of two rows", lines("Produkt;;;", "Name;Artikel-Nr.;125;250", "A;X1;0,1;0,2"),
			[]string{"A, Artikelnummer=X1; αs 125:0.1 250:0.2"}, "",
		},
		{
			"percent of a group", lines("Name;αs [%];", ";125;250", "A;10;20"),
			[]string{"A; αs 125:0.1 250:0.2"}, "-",
		},
		{
			"the name of the bands is above the products", lines("Frequenz [Hz];125;250", "A;0,1;0,2"),
			[]string{"A; αs 125:0.1 250:0.2"}, "-",
		},
		{
			"nothing is above the products", lines(";125;250;500", "A;0,1;0,2;0,3"),
			[]string{"A; αs 125:0.1 250:0.2 500:0.3"}, "read as product names",
		},
		{
			"both axes are named over the products", lines("Produkt / Frequenz;125;250", "A;0,1;0,2"),
			[]string{"A; αs 125:0.1 250:0.2"}, "",
		},
		{"numbers that are bands are values", lines("Artikelnummer;Name;Dicke;500 Hz;1 kHz", "125;A;50;1;0,5",
			"250;B;63;0;1", "500;C;100;1;1"),
			[]string{"A, Artikelnummer=125; 50 αs 500:1 1000:0.5", "B, Artikelnummer=250; 63 αs 500:0 1000:1",
				"C, Artikelnummer=500; 100 αs 500:1 1000:1"}, "-"},
		{
			"a title with a number", lines("Produkt;500;", ";;", "Name;125;250", "A;0,1;0,2", "B;0,1;0,2"),
			[]string{"A; αs 125:0.1 250:0.2", "B; αs 125:0.1 250:0.2"}, "",
		},
		{
			"lines give fields without a column",
			lines("Hersteller: Acme;;", "Montage;E-400;", "Name;125;250", "A;0,1;0,2"),
			[]string{"A of Acme; E-400 αs 125:0.1 250:0.2"}, "-",
		},
		{
			"a line without a known key", lines("Datentyp: geraten;;", "Name;125;250", "A;0,1;0,2"),
			[]string{"A; αs 125:0.1 250:0.2"}, `unused cells: A1 "Datentyp: geraten"`,
		},
		{
			"a line does not overrule a column",
			lines("Hersteller: Acme;;", "Name;Hersteller;125", "A;Other;0,1"),
			[]string{"A of Other; αs 125:0.1"}, `unused cells: A1 "Acme"`,
		},
		{
			"a line between the rows",
			lines("Name;125;250", "Hersteller: Acme;;", "A;0,1;0,2", "Hersteller: Other;;", "B;0,1;0,2"),
			[]string{"A of Acme; αs 125:0.1 250:0.2", "B of Other; αs 125:0.1 250:0.2"}, "-",
		},
		{
			"a title gives the quantity", lines("Streugrade nach ISO 17497-1;;", "Name;500;630", "A;0,1;0,2"),
			[]string{"A; scatter_third 500:0.1 630:0.2"}, "-",
		},
		{
			"a title says percent", lines("Schallabsorptionsgrad αs in %;;", "Name;125;250", "A;1;20"),
			[]string{"A; αs 125:0.01 250:0.2"}, "-",
		},
		{
			"a title says percent, but the values are not",
			lines("Schallabsorptionsgrad αs in %;;", "Name;125;250", "A;0,1;0,2"),
			[]string{"A; αs 125:0.1 250:0.2"}, "the title indicates percentages",
		},
		{
			"set-ups side by side",
			lines("Name;αs, Montage A;;αs, Montage E-400;", ";125;250;125;250", "A;0,1;0,2;0,3;0,4"),
			[]string{"A; A αs 125:0.1 250:0.2; E-400 αs 125:0.3 250:0.4"}, "-",
		},
		{
			"set-ups side by side, in words that no field has",
			lines(";;ohne Vlies;;mit Vlies;", "Name;Dicke;125;250;125;250", "A;40;0,1;0,2;0,3;0,4"),
			[]string{"A; 40 mit Vlies αs 125:0.3 250:0.4; 40 ohne Vlies αs 125:0.1 250:0.2"}, "-",
		},
		{
			"tables one below the other",
			lines("Name;125;250", "A;0,1;0,2", "", "Streugrad;;", "Name;Farbe;500;630", "B;rot;0,3;0,4"),
			[]string{"A; αs 125:0.1 250:0.2", "B, Farbe=rot; scatter_third 500:0.3 630:0.4"},
			`t.csv:5[A5]: unknown columns are published in structured_meta under their names: "Farbe"`,
		},
		{
			"a header of two rows below",
			lines("Name;125;250", "A;0,1;0,2", "Name;αs;", ";500;630", "B;0,3;0,4"),
			[]string{"A; αs 125:0.1 250:0.2", "B; αs_third 500:0.3 630:0.4"}, "-",
		},
		{
			"a header that printed pages repeat",
			lines("Name;125;250", "A;0,1;0,2", "Name;125;250", "B;0,3;0,4"),
			[]string{"A; αs 125:0.1 250:0.2", "B; αs 125:0.3 250:0.4"}, "-",
		},
		{
			"sections, notes", lines("Name;125;250", "Decken;;", "A;0,1;0,2", ";;", "Ohne Gewähr;;"),
			[]string{"A; αs 125:0.1 250:0.2"}, `unused cells: A2 "Decken", A5 "Ohne Gewähr"`,
		},
		{
			"a row that numbers the columns", lines("Name;125;250", "1;2;3", "A;0,1;0,2"),
			[]string{"A; αs 125:0.1 250:0.2"}, `unused cells: A2 "1"`,
		},
		{
			"bands in kHz", lines("Name;0,125;0,25;0,5;1", "A;0,1;0,2;0,3;0,4"),
			[]string{"A; αs 125:0.1 250:0.2 500:0.3 1000:0.4"}, "-",
		},
		{"a mean", lines("Name;125;250", "A;0,1;0,2", "Mittelwert;0,1;0,2"), []string{"A; αs 125:0.1 250:0.2"},
			`t.csv:3[A3]: rows with means, totals or limits are left out: A3 "Mittelwert"`},
		{
			"rows of the product above", lines("Name;Hersteller;Luftspalt;125", "A;Acme;0;0,1", ";;200;0,2"),
			[]string{"A of Acme; 0 αs 125:0.1; 200 αs 125:0.2"},
			"t.csv:1[A1]: rows without a product name are assigned to the product in the row above: 1",
		},
		{
			"a row without coefficients that looks like names",
			lines("Name;Quelle;Dicke;125;250", "A;Literatur;50;;", "B;Literatur;50;0,1;0,2"),
			[]string{"B, Quelle=Literatur; 50 αs 125:0.1 250:0.2"},
			"t.csv:2[A2]: product without a coefficient or rating in a table of bands: left out (1 product)",
		},

		{
			"transposed: bands downwards",
			lines("Produkt: A", "Hersteller: Acme", "", "f/Hz;αs", "125;0,1", "250;0,2"),
			[]string{"A of Acme; αs 125:0.1 250:0.2"}, "-",
		},
		{
			"transposed: lines of two cells",
			lines("Produkt:;A", "Hersteller:;Acme", "f/Hz;αs", "125;0,1", "250;0,2"),
			[]string{"A of Acme; αs 125:0.1 250:0.2"}, "-",
		},
		{
			"transposed: a product a column", lines("Frequenz;A;B", "125;0,1;0,2", "250;0,3;0,4"),
			[]string{"A; αs 125:0.1 250:0.3", "B; αs 125:0.2 250:0.4"}, "-",
		},
		{
			"transposed: one manufacturer of all",
			lines("Hersteller;Acme;", "Frequenz;A;B", "125;0,1;0,2", "250;0,3;0,4"),
			[]string{"A of Acme; αs 125:0.1 250:0.3", "B of Acme; αs 125:0.2 250:0.4"}, "-",
		},
		{
			"transposed: names in the second column",
			lines("1;Name;A;B", "2;Dicke [mm];40;50", "3;125 Hz;0,1;0,2", "4;250 Hz;0,3;0,4"),
			[]string{"A; 40 αs 125:0.1 250:0.3", "B; 50 αs 125:0.2 250:0.4"}, "",
		},
		{
			"transposed: curves of one product",
			lines("Produkt: A;;", "f;αs;αp", "Hz;-;-", "500;0,11;0,1", "1000;0,22;0,2"),
			[]string{"A; αp 500:0.1 1000:0.2; αs 500:0.11 1000:0.22"}, "",
		},
		{"transposed: times and areas of a test report", lines("Produkt;A;;", "Hersteller;Acme;;", "Frequenz;T1;A;αs",
			"500;1,1;0,7;0,1", "630;1,2;0,8;0,2"),
			[]string{"A of Acme; αs_third 500:0.1 630:0.2"},
			`columns of unsupported quantities, such as times or areas, are left out: B3 "T1", C3 "A"`},
		{"transposed: symbols of quantities", lines("Produkt;A;", "Hersteller;Acme;", "f;αs;s", "500;0,11;0,1",
			"1000;0,22;0,2"),
			[]string{"A of Acme; αs 500:0.11 1000:0.22; scatter 500:0.1 1000:0.2"}, ""},
		{
			"transposed: percent of a column", lines("Produkt: A;", "f in Hz;αs [%]", "500;11", "1000;22"),
			[]string{"A; αs 500:0.11 1000:0.22"}, "-",
		},
		{"transposed: a quantity over its bands", lines("Name;A;B", "αs;;", "500 Hz;0,1;0,2", "630 Hz;0,1;0,2",
			"Streugrad;;", "500 Hz;0,3;0,4", "630 Hz;0,3;0,4"),
			[]string{"A; αs_third 500:0.1 630:0.1; scatter_third 500:0.3 630:0.3",
				"B; αs_third 500:0.2 630:0.2; scatter_third 500:0.4 630:0.4"}, "-"},

		{
			"long: a row a band",
			lines("Name;Montage;Frequenz [Hz];αs", "A;E;500;0,1", "A;E;630;0,2", "B;E;500;0,3", "B;E;630;0,4"),
			[]string{"A; E αs_third 500:0.1 630:0.2", "B; E αs_third 500:0.3 630:0.4"}, "-",
		},
		{
			"long: the product in the first row of its block",
			lines("Name;f;αs", "A;500;0,1", ";630;0,2", "B;500;0,3", ";630;0,4"),
			[]string{"A; αs_third 500:0.1 630:0.2", "B; αs_third 500:0.3 630:0.4"}, "in the row above: 2",
		},
		{
			"long: a quantity a column", lines("Name;f in Hz;αs;αp", "A;500;0,1;0,15", "A;1000;0,2;0,25"),
			[]string{"A; αp 500:0.15 1000:0.25; αs 500:0.1 1000:0.2"}, "",
		},
		{
			"long: lines between the rows name the product",
			lines("Frequenz;αs", "Produkt: A;", "500;0,1", "1000;0,2", "Produkt: B;", "500;0,3", "1000;0,4"),
			[]string{"A; αs 500:0.1 1000:0.2", "B; αs 500:0.3 1000:0.4"}, "-",
		},
		{
			"transposed: a column of units",
			lines("Eigenschaft;Einheit;;", "Name;;Platte A;Platte B", "Dicke;mm;40;50", "125;Hz;0,1;0,2", "250;Hz;0,3;0,4"),
			[]string{"Platte A; 40 αs 125:0.1 250:0.3", "Platte B; 50 αs 125:0.2 250:0.4"}, "",
		},
		{"a last row without a line end", "Name;125;250\nA;0,1;0,2", []string{"A; αs 125:0.1 250:0.2"}, "-"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			got, messages := summed(t, table.Options{Manufacturer: "M"}, csvText(test.table))
			if all := strings.Join(messages, "\n"); !slices.Equal(got, test.want) || test.messages == "-" && all != "" ||
				test.messages != "-" && !strings.Contains(all, test.messages) {
				t.Errorf("got  %q\nwant %q\nmessages %s\nwant %s", got, test.want, all, test.messages)
			}
		})
	}
}

func TestAFileNameGivesTheQuantity(t *testing.T) {
	for name, want := range map[string]string{
		"Messung_scattering.csv": "A; scatter 125:0.1", "streugrad 2026.csv": "A; scatter 125:0.1",
		"absorption-scattering.csv": "A; αs 125:0.1", "diffusoren.csv": "A; αs 125:0.1",
	} {
		if got, messages := summed(t, table.Options{}, bytesInput(name, []byte("name,brand,125\nA,M,0.1\n"))); !slices.Equal(
			got, []string{want}) {
			t.Errorf("%s: got %q, messages %q, want %s", name, got, messages, want)
		}
	}
}

func TestTablesThatCannotBeRead(t *testing.T) {
	tests := []struct{ rule, table, want string }{
		{
			"no row names the columns", lines("Liste;", "Typ;Farbe", "A;rot"),
			`t.csv: no header found: expected a row of column names, such as a name or an article number, and bands such as 125 Hz or 1k; the most likely rows, with ? after unknown names: row 2: Typ?, Farbe?; row 3: A?, rot?; row 1: Liste?`,
		},
		{"nothing", "", "t.csv: the file is empty"},
		{"unmarked percentages, next to values that could be coefficients",
			lines("Name;125;250", "A;15;40", "B;1;2", "C;30;50"),
			"t.csv:2[B2]: unmarked percentages: 2 of 3 rows have coefficients over 2"},
		{"unmarked percentages, one of which is a band", lines("Name;125 Hz;250 Hz;500 Hz;1 kHz;2 kHz;4 kHz",
			"A;5;22;55;80;92;90", "B;6;22;55;80;92;90"),
			"t.csv:2[B2]: unmarked percentages"},
		{
			"shares under names with a percent sign",
			lines("Name;125 Hz %;250 Hz %", "A;0,15;0,4", "B;0,1;1"),
			"t.csv:2[B2]: fractions marked as percentages",
		},
		{
			"no name of a product", lines("Farbe;125;250", "0,5;0,1;0,2"),
			"t.csv:1[A1]: no column of product names",
		},
		{"no row below", lines("Name;125;250"), "t.csv: no rows below the header"},
		{
			"a band twice", lines("Name;125;125 Hz", "A;0,1;0,2"),
			"t.csv:1[C1]: 125 Hz: duplicate column for 125 Hz; the first is B1",
		},
		{
			"a band of no series", lines("Name;125 Hz;240 Hz", "A;0,1;0,2"),
			"t.csv:1[C1]: 240 Hz: 240 Hz is not a third-octave band",
		},
		{
			"the file is cut off", "Name;125;250\nA;0,1;0,2\nB;0,",
			"t.csv:3[B3]: the file ends in the middle of a row: expected 3 cells, got 2",
		},
		{
			"a transposed file is cut off", "Frequenz;A;B\n125;0,1;0,2\n250;0,1;0,2\n500;0",
			"t.csv:4[B4]: the file ends in the middle of a row: expected 3 cells, got 2",
		},
		{
			"more cells than columns", lines("Name;125;250", "A;0,1;0,2;7"),
			"t.csv:2[D2]: more cells than columns in the header",
		},
		{
			"a cell of a transposed table", lines("Frequenz;A;B", "125;0,1;0,2", "250;0,3;viel"),
			`t.csv:3[C3]: 250: expected a coefficient`,
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if _, messages := summed(t, table.Options{Manufacturer: "M"}, csvText(test.table)); !strings.Contains(
				strings.Join(messages, "\n"), test.want) {
				t.Errorf("messages %q, want %q", messages, test.want)
			}
		})
	}
}

// workbookOf returns a workbook with sheets by name. Their rows are lines with cells separated by
// semicolons. Each sheet contains the merged ranges.
func workbookOf(sheets map[string]string, merged []string, hidden string) dataset.Input {
	var book xlsxtest.Book
	for _, name := range slices.Sorted(maps.Keys(sheets)) {
		sheet := xlsxtest.Sheet{Name: name, Hidden: name == hidden, Merged: merged}
		for line := range strings.SplitSeq(sheets[name], "\n") {
			sheet.Rows = append(sheet.Rows, xlsxtest.Cells(strings.Split(line, ";")))
		}
		book.Sheets = append(book.Sheets, sheet)
	}
	return bytesInput("t.xlsx", book.Bytes())
}

func TestTablesInWorkbooks(t *testing.T) {
	head := "Name;125;250\n"
	tests := []struct {
		rule     string
		sheets   map[string]string
		merged   []string
		hidden   string
		o        table.Options
		want     []string
		messages string
	}{
		{"merged names, groups and products",
			map[string]string{"S": "Absorber 2026\nProdukt;Luftspalt;Absorptionsgrad αs\n;;125;250\nA;0;0.1;0.2\n;200;0.3;0.4"},
			[]string{"A1:D1", "A2:A3", "B2:B3", "C2:D2", "A4:A5"}, "", table.Options{},
			[]string{"A; 0 αs 125:0.1 250:0.2; 200 αs 125:0.3 250:0.4"}, `unused cells: A1 "Absorber 2026"`},
		{
			"sheets without a table", map[string]string{"A": "Nur Text", "B": head + "A;0.1;0.2"}, nil, "",
			table.Options{}, []string{"A; αs 125:0.1 250:0.2"}, `skipped: sheet "A" (no table)`,
		},
		{
			"hidden sheets", map[string]string{"A": head + "X;0.1;0.2", "B": head + "A;0.1;0.2"}, nil, "A",
			table.Options{}, []string{"A; αs 125:0.1 250:0.2"}, `skipped: sheet "A" (hidden)`,
		},
		{
			"the sheet that is asked for, though hidden",
			map[string]string{"A": head + "X;0.1;0.2", "B": head + "A;0.1;0.2"}, nil, "A",
			table.Options{Sheet: "A"}, []string{"X; αs 125:0.1 250:0.2"}, "",
		},
		{
			"a sheet that is not there", map[string]string{"A": head + "X;0.1;0.2", "B": ""}, nil, "",
			table.Options{Sheet: "C"}, nil, `no sheet "C", expected one of: "A", "B"`,
		},
		{
			"the sheet gives the quantity", map[string]string{"Streugrade": "Name;500;630\nA;0.1;0.2"}, nil,
			"", table.Options{}, []string{"A; scatter_third 500:0.1 630:0.2"}, "",
		},
		{"merged manufacturer over transposed products",
			map[string]string{"S": "Hersteller;Acme;\nName;A;B\n125 Hz;0.1;0.2\n250 Hz;0.3;0.4"}, []string{"B1:C1"}, "",
			table.Options{},
			[]string{"A of Acme; αs 125:0.1 250:0.3", "B of Acme; αs 125:0.2 250:0.4"}, ""},
		{
			"a note next to the table", map[string]string{"S": "Name;125;250\nA;0.1;0.2;;siehe oben"}, nil, "",
			table.Options{}, []string{"A, remark=siehe oben; αs 125:0.1 250:0.2"},
			"t.xlsx[S!E2]: cells after the last column are stored under the key remark in structured_meta",
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			test.o.Manufacturer = "M"
			got, messages := summed(t, test.o, workbookOf(test.sheets, test.merged, test.hidden))
			if all := strings.Join(messages, "\n"); !slices.Equal(got, test.want) || !strings.Contains(all, test.messages) {
				t.Errorf("got  %q\nwant %q\nmessages %s\nwant %s", got, test.want, all, test.messages)
			}
		})
	}
}

// TestTheCompanyOfACoverSheetIsTheManufacturer checks products that have no other manufacturer.
func TestTheCompanyOfACoverSheetIsTheManufacturer(t *testing.T) {
	const values, product = "Name;125;250\nA;0.1;0.2", "; αs 125:0.1 250:0.2"
	for _, test := range []struct {
		rule   string
		sheets map[string]string
		o      table.Options
		want   []string
	}{
		{"a title", map[string]string{"Deckblatt": "Acme GmbH\nPreisliste 2026", "Werte": values}, table.Options{},
			[]string{"A of Acme GmbH" + product}},
		{"on a sheet after the table", map[string]string{"A": values, "B": "Hersteller;Acme"}, table.Options{},
			[]string{"A of Acme" + product}},
		{"of a table on another sheet", map[string]string{"A": "Acme GmbH\n" + values, "B": "Name;125;250\nB;0.1;0.2"},
			table.Options{}, []string{"A of Acme GmbH" + product, "B of Acme GmbH" + product}},
		{"not one of two", map[string]string{"A": "Acme GmbH", "B": "Nord AG", "C": values}, table.Options{}, nil},
		{"not before the option", map[string]string{"A": "Acme GmbH", "B": values}, table.Options{Manufacturer: "M"},
			[]string{"A" + product}},
	} {
		got, messages := summed(t, test.o, workbookOf(test.sheets, nil, ""))
		if slices.Sort(got); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q\nmessages %q", test.rule, got, test.want, messages)
		}
	}
}

func TestTheAccountOfATable(t *testing.T) {
	var account table.Account
	text := lines("Hersteller: Acme;;;", ";;αs [%];", "Name;Farbe;125;250", "A;;85;7", "B;rot;1;2", "Ende;;;")
	summed(t, table.Options{Account: &account}, csvText(text))
	got, err := json.Marshal(account.Tables)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"input":"t.csv","layout":"across","header_rows":[2,3],"quantity":"alpha_s","rows":2,"columns":[` +
		`{"header":"Name","cell":"A3","became":"label","example":"A","value":"A"},` +
		`{"header":"Farbe","cell":"B3","became":"structured_meta","example":"rot","value":"rot"},` +
		`{"header":"αs [%] 125","cell":"C3","became":"alpha_s 125 Hz %","example":"85","value":"0.85"},` +
		`{"header":"αs [%] 250","cell":"D3","became":"alpha_s 250 Hz %","example":"7","value":"0.07"},` +
		`{"header":"Hersteller","cell":"A1","became":"manufacturer","example":"Acme","value":"Acme"}],"unused":["A6 \"Ende\""]}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// FuzzTables checks that each file is read or refused, and that all records are within their limits.
func FuzzTables(f *testing.F) {
	f.Add([]byte("Liste;;\nName;αs;\n;125;250\nA;0,1;0,2\n"))
	f.Add([]byte("Produkt: A\nf/Hz;αs [%]\n125;10\n250;20\n"))
	f.Add([]byte("Name,f,αs,αp\nA,500,0.1,\n,1000,0.2,0.25\n\nName,125,125 Hz\nA,1"))
	f.Add(
		[]byte(
			"Hersteller: X\nName;αs, Montage A;;αs, Montage E;\n;125;250;125;250\nA;0,1;0,2;0,3;0,4\nMittelwert;1;1;1;1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := dataset.NewReader([]dataset.Input{table.Input([]dataset.Input{bytesInput("t.csv", text)},
			table.Options{Manufacturer: "M", Account: &table.Account{}})})
		found := false
		for raw, err := range r.Records() {
			found = true
			if err != nil || len(raw.Faults) > 0 {
				continue
			}
			if parsed := dataset.Parse(raw); slices.ContainsFunc(parsed.Faults, isUnforeseen) || parsed.Product == nil &&
				parsed.Faults == nil {
				t.Errorf("%s: %v", raw.JSON, parsed.Faults)
			}
		}
		if !found {
			t.Error("neither a record nor a fault")
		}
	})
}
