package table_test

import (
	"strings"
	"testing"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/table"
)

func TestTheMapNamesSheetsAndFilesOnlyWhereItMust(t *testing.T) {
	of := func(input, sheet, header string) table.AccountEntry {
		return table.AccountEntry{
			Input: input, Sheet: sheet, Layout: columns.Across, Header: []int{1},
			Columns: []table.ColumnAccount{{Header: header, Became: "label"}},
		}
	}
	all := func(tables ...table.AccountEntry) []table.AccountEntry { return tables }
	note := table.AccountEntry{Input: "x/a.xlsx", Sheet: "Hinweise"}
	for _, test := range []struct {
		rule   string
		tables []table.AccountEntry
		want   string // file and sheet of each table
	}{
		{"one table", all(of("a.csv", "", "Name")), "/"},
		{"a sheet", all(of("x/a.xlsx", "Neu", "Name")), "/Neu"},
		{"a sheet next to a sheet without a table", all(of("x/a.xlsx", "Neu", "Name"), note), "/Neu"},
		{"sheets that are alike", all(of("x/a.xlsx", "Neu", "Name"), of("x/a.xlsx", "Alt", "Name")), "/"},
		{
			"equal sheets, next to a sheet without a table",
			all(of("x/a.xlsx", "Neu", "Name"), note, of("x/a.xlsx", "Alt", "Name")), "/Neu /Alt",
		},
		{"sheets that differ", all(of("x/a.xlsx", "Neu", "Name"), of("x/a.xlsx", "Alt", "Titel")), "/Neu /Alt"},
		{"files that are alike", all(of("a.csv", "", "Name"), of("b.csv", "", "Name")), "/"},
		{"files that differ", all(of("x/a.csv", "", "Name"), of("b*.csv", "", "Titel")), `a.csv/ b\*.csv/`},
		{"one sheet of files", all(of("a.xlsx", "Neu", "Name"), of("b.xlsx", "Neu", "Name")), "/Neu"},
	} {
		account := table.Account{Tables: test.tables}
		var got []string
		for _, m := range account.Map().Tables {
			got = append(got, m.File+"/"+m.Sheet)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

// TestTheAccountOfAColumn checks the use of a column, its first value, and the value that was read.
func TestTheAccountOfAColumn(t *testing.T) {
	for _, test := range []struct{ rule, header, cells, want string }{
		{"a text in its form", "Brandklasse", "A2 - s1, d0", "fire_class: A2 - s1, d0: A2-s1,d0"},
		{"the first value", "Farbe", "|rot|blau", "structured_meta: rot: rot"},
		{"without a value", "Farbe", "", "structured_meta: : "},
		{"a length", "Dicke", "4 cm", "thickness: 4 cm: 40"},
		{"an air gap", "Luftspalt [cm]", "20", "air_gap_cm: 20: 200"},
		{"a band in percent", "αs 500 Hz [%]", "85", "alpha_s 500 Hz %: 85: 0.85"},
		{"a band of another quantity", "Streugrad 1 kHz", "0,3", "scatter 1000 Hz: 0,3: 0.3"},
		{"an internal column", "Lagerort", "Halle 1", "-: : "},
	} {
		rows := []string{"Name;" + test.header}
		for i, cell := range strings.Split(test.cells, "|") {
			rows = append(rows, strings.Repeat("A", i+1)+";"+cell)
		}
		for i := range rows {
			rows[i] += []string{";125;250", ";0,1;0,2"}[min(i, 1)]
		}
		var account table.Account
		o := table.Options{Manufacturer: "M", Account: &account}
		_, messages := imported(t, o, csvText(lines(rows...)))
		if len(account.Tables) != 1 || len(account.Tables[0].Columns) != 4 {
			t.Errorf("%s: got %+v, messages %q", test.rule, account.Tables, messages)
			continue
		}
		c := account.Tables[0].Columns[1]
		if got := c.Became + ": " + c.Example + ": " + c.Value; got != test.want || c.Header != test.header ||
			c.Cell != "B1" {
			t.Errorf("%s: got %+v, want %s", test.rule, c, test.want)
		}
	}
}
