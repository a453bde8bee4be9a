package layout_test

import (
	"path/filepath"
	"strings"
	"testing"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/internal/layouttest"
)

// tableMap returns a table's map: column names with their meanings.
func tableMap(t *testing.T, lies columns.Layout, header []int, named ...string) *columns.TableMap {
	t.Helper()
	m := columns.TableMap{Layout: lies, Header: header}
	for i := 0; i < len(named); i += 2 {
		m.Columns = append(m.Columns, columns.MapColumn{Header: named[i], Meaning: named[i+1]})
	}
	file := filepath.Join(t.TempDir(), "map.json")
	if err := (&columns.Map{Tables: []columns.TableMap{m}}).Write(file); err != nil {
		t.Fatal(err)
	}
	read, err := columns.ReadMap(file)
	if err != nil {
		t.Fatal(err)
	}
	return &read.Tables[0]
}

func TestAMapLocatesATable(t *testing.T) {
	plain := tableMap(t, columns.Across, []int{1}, "Typ", "label", "f1", "alpha_s 125 Hz", "f2", "alpha_s 250 Hz", "Rest",
		"-")
	for _, test := range []struct {
		rule, table    string
		maps           []*columns.TableMap
		named          bool
		want, messages string
	}{
		{
			"in its rows", layouttest.Lines("Typ;f1;f2;Rest;Farbe", "A;0,1;0,2;x;rot"), []*columns.TableMap{plain}, false,
			layouttest.Rows("Typ=label | f1=alpha_s 125 Hz | f2=alpha_s 250 Hz | Rest=- | Farbe=", "A | 0,1 | 0,2 | x | rot"),
			"",
		},
		{
			"below lines that were added", layouttest.Lines("Liste;;;", "", "Typ;f1;f2;Rest", "A;0,1;0,2;x"),
			[]*columns.TableMap{plain},
			false,
			layouttest.Rows("Typ=label | f1=alpha_s 125 Hz | f2=alpha_s 250 Hz | Rest=-", "A | 0,1 | 0,2 | x"),
			`t.csv:3[A3]: unused cells: A1 "Liste"`,
		},
		{
			"below lines that were added, with columns of another name", layouttest.Lines("Liste;;;", "Typ;f1;f2;Dekor",
				"A;0,1;0,2;x"), []*columns.TableMap{plain}, false,
			layouttest.Rows("Typ=label | f1=alpha_s 125 Hz | f2=alpha_s 250 Hz | Dekor=", "A | 0,1 | 0,2 | x"),
			layouttest.Rows(
				`t.csv:2[A2]: expected the columns of the map in row 1, found none called "Rest"; columns not in the map: "Dekor"; `+
					`these rows are used because they match the most columns`, `t.csv:2[A2]: unused cells: A1 "Liste"`),
		},
		{
			"fewer than half of its columns are none of it", layouttest.Lines("Liste;;;", "Typ;f3;f4;Dekor", "A;0,1;0,2;x"),
			[]*columns.TableMap{plain}, true, "",
			`t.csv: expected the columns of the map in row 1, found none called "f1", "f2", "Rest"; columns not in the map: "f3", "f4", "Dekor"`,
		},
		{
			"a column that was renamed in its rows is a fault", layouttest.Lines("Typ;f1;f2;Reste", "A;0,1;0,2;x"),
			[]*columns.TableMap{plain}, false, "",
			`t.csv: expected the columns of the map in row 1, found none called "Rest" (the nearest ` +
				`is "Reste"); columns not in the map: "Reste"`,
		},
		{
			"a sheet that has none of it is passed over", layouttest.Lines("Name;125", "A;0,1"), []*columns.TableMap{plain},
			false, "",
			"t.csv: expected the columns of the map in row 1, found none of them",
		},
		{
			"a sheet that was asked for must have it", layouttest.Lines("Name;125", "A;0,1"), []*columns.TableMap{plain}, true,
			"",
			"t.csv: expected the columns of the map in row 1, found none of them",
		},
		{
			"two tables", layouttest.Lines("Typ;f1;f2;Rest", "A;0,1;0,2;x", "", "Nr;g1;;", "B;0,3;;"),
			[]*columns.TableMap{plain, tableMap(t, columns.Across, []int{4}, "Nr", "label", "g1", "alpha_s 500 Hz")}, false,
			layouttest.Rows("Typ=label | f1=alpha_s 125 Hz | f2=alpha_s 250 Hz | Rest=-", "A | 0,1 | 0,2 | x", "",
				"Nr=label | g1=alpha_s 500 Hz | = | =", "B | 0,3 |  |"), "",
		},
		{
			"two rows, the second of units", layouttest.Lines("Typ;t;f1", ";cm;", "A;4;0,1"),
			[]*columns.TableMap{tableMap(t, columns.Across, []int{1, 2}, "Typ", "label", "t cm", "thickness_cm", "f1",
				"alpha_s 125 Hz")}, false,
			layouttest.Rows("Typ=label | t cm=thickness_cm | f1=alpha_s 125 Hz", "A | 4 | 0,1"), "",
		},
		{
			"transposed", layouttest.Lines("Typ;A;B", "f1;0,1;0,2", "f2;0,3;0,4"),
			[]*columns.TableMap{tableMap(t, columns.Transposed, []int{1}, "Typ", "label", "f1", "alpha_s 125 Hz", "f2",
				"alpha_s 250 Hz")}, false,
			layouttest.Rows("transposed: Typ=label | f1=alpha_s 125 Hz | f2=alpha_s 250 Hz", "A | 0,1 | 0,3", "B | 0,2 | 0,4"),
			"",
		},
		{
			"long", layouttest.Lines("Typ;f;a", "A;125;0,1", "A;250;0,2"),
			[]*columns.TableMap{tableMap(t, columns.Long, []int{1}, "Typ", "label", "f", "frequency_hz", "a", "alpha_s")}, false,
			layouttest.Rows("long: Typ=label | f=frequency_hz | a=alpha_s", "A | 125 | 0,1", "A | 250 | 0,2"), "",
		},
		{
			"context rows are read as without a map", layouttest.Lines("Hersteller: Acme;;;", "Typ;f1;f2;Rest",
				"A;0,1;0,2;x"),
			[]*columns.TableMap{plain}, false,
			layouttest.Rows("Typ=label | f1=alpha_s 125 Hz | f2=alpha_s 250 Hz | Rest=-",
				"A | 0,1 | 0,2 | x {manufacturer=Acme}"), "",
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			layouttest.Check(t, layouttest.CSV(t, test.table), layout.Options{Maps: test.maps, Named: test.named}, test.want,
				test.messages)
		})
	}
}

func TestALabelNamesTheProductOfATableWithoutOne(t *testing.T) {
	for _, test := range []struct{ rule, table, want string }{
		{"a file of one curve", layouttest.Lines("f/Hz;αs", "125;0,1", "250;0,2"),
			layouttest.Rows("long: f/Hz=frequency_hz | αs=alpha_s",
				"125 | 0,1 {label=X}", "250 | 0,2 {label=X}")},
		{"before the title", layouttest.Lines("Fjord 40;", "f/Hz;αs", "125;0,1"), "125 | 0,1 {label=X}"},
		{"not before a column", layouttest.Lines("Name;125", "A;0,1"), layouttest.Rows("Name=label | 125=125 Hz", "A | 0,1")},
		{"not before a context row", layouttest.Lines("Produkt: A;", "f/Hz;αs", "125;0,1"), "125 | 0,1 {label=A}"},
	} {
		got, _ := layouttest.Scanned(layouttest.CSV(t, test.table), layout.Options{Label: "X"})
		if len(got) != 1 || !strings.Contains(got[0], test.want) {
			t.Errorf("%s: got %q, want %s", test.rule, got, test.want)
		}
	}
}

func TestTheLabelOfAMapNamesTheProductBeforeTheOptions(t *testing.T) {
	for _, test := range []struct{ rule, table, label, want string }{
		{"a file of one curve", layouttest.Lines("f;a", "125;0,1"), "M", "125 | 0,1 {label=M}"},
		{"without one the options do", layouttest.Lines("f;a", "125;0,1"), "", "125 | 0,1 {label=X}"},
		{"not before a context row", layouttest.Lines("Produkt: A;", "f;a", "125;0,1"), "M", "125 | 0,1 {label=A}"},
	} {
		m := tableMap(t, columns.Long, []int{1}, "f", "frequency_hz", "a", "alpha_s")
		m.Label = test.label
		got, messages := layouttest.Scanned(layouttest.CSV(t, test.table),
			layout.Options{Label: "X", Maps: []*columns.TableMap{m}})
		if want := layouttest.Rows("long: f=frequency_hz | a=alpha_s", test.want); len(got) != 1 || got[0] != want ||
			messages != nil {
			t.Errorf("%s: got %q, messages %q, want %s", test.rule, got, messages, want)
		}
	}
}
