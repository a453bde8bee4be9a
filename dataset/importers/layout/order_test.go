package layout_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
	"sabine/internal/layouttest"
	"sabine/internal/xlsxtest"
)

// shuffled returns a table with its rows and columns in another order. The header remains above the rows.
func shuffled(r *rand.Rand, table string, rows, columns bool) string {
	var cells [][]string
	for line := range strings.Lines(table) {
		cells = append(cells, strings.Split(strings.TrimSpace(line), ";"))
	}
	if rows {
		below := cells[1:]
		r.Shuffle(len(below), func(i, j int) { below[i], below[j] = below[j], below[i] })
	}
	if columns {
		order := r.Perm(len(cells[0]))
		for i, row := range cells {
			cells[i] = nil
			for _, c := range order {
				cells[i] = append(cells[i], row[c])
			}
		}
	}
	var text strings.Builder
	for _, row := range cells {
		text.WriteString(strings.Join(row, ";") + "\n")
	}
	return text.String()
}

// sayings returns the cells of a sheet's tables with their columns, sorted.
func sayings(s *workbook.Sheet) (all []string) {
	scanner := layout.NewScanner(s, layout.Options{})
	defer scanner.Close()
	for {
		table, _ := scanner.Next()
		if table == nil {
			slices.Sort(all)
			return all
		}
		table.Rows(func(row *layout.Row) bool {
			var cells []string
			for i, cell := range row.Cells {
				cells = append(cells, table.Columns[i].Header+"/"+table.Columns[i].String()+"="+cell.Text)
			}
			slices.Sort(cells)
			all = append(all, strings.Join(cells, "|"))
			return true
		})
	}
}

func TestTheOrderOfRowsAndColumnsMakesNoDifference(t *testing.T) {
	for _, test := range []struct {
		rule, table   string
		rows, columns bool
	}{
		{"of values", layouttest.Lines("Name;Hersteller;Dicke;125;250", "A;Acme;40;0,1;0,2", "B;Acme;20;0,3;0,4",
			"C;Other;;;1,01"),
			true, true},
		{"of quantities", layouttest.Lines("Name;Typ;Kennwert;500;1000", "A;x;αs;0,1;0,2", "A;y;s;0,3;0,4",
			"B;z;T1;1,3;1,4"), true,
			true},
		{"of set-ups", layouttest.Lines("Name;Montage;Luftspalt;125;250", "A;E;40;0,1;0,2", "A;A;0;0,3;0,4", "B;E;;0,3;0,4"),
			true,
			true},
		{"of a row a band", layouttest.Lines("Name;Frequenz;αs", "A;125;0,1", "A;250;0,2", "B;125;0,3", "B;250;0,4"), true,
			true},
		{"of means and limits", layouttest.Lines("Nr.;Name;Dicke;125", "1;A;40;0,1", "2;Grenzwert;;0,2", "3;B;20;0,2",
			"4;Mittelwert;30;0,3"), true, true},
		{"of master data", layouttest.Lines("Artikelnummer;Bezeichnung;αw;Brandklasse", "4711;A;0,65;A2", "4712;B;0,8;B"),
			true, true},
		{"of columns that are left out", layouttest.Lines("Name;Preis;Farbe;125;250", "A;12;rot;0,1;0,2",
			"B;13;blau;0,3;0,4"), true,
			true},
		{"of ditto marks, among columns", layouttest.Lines("Name;Farbe;125;250", "A;rot;0,1;0,2", "B;dto.;dto.;0,4",
			"C;dto.;0,2;dto."), false, true},
		{"of rows of the product above, among columns", layouttest.Lines("Name;Montage;125;250", "A;E;0,1;0,2", ";A;0,3;0,4",
			"B;E;0,5;0,6"), false, true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			want := sayings(layouttest.CSV(t, test.table))
			if len(want) < 2 {
				t.Fatalf("%d rows", len(want))
			}
			for seed := range uint64(20) {
				r := rand.New(rand.NewPCG(seed, 30))
				text := shuffled(r, test.table, test.rows, test.columns)
				if got := sayings(layouttest.CSV(t, text)); !slices.Equal(got, want) {
					t.Fatalf("%s\ngot\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		})
	}
}

// FuzzTables reads complete files. Each file must result in tables or faults, and each row must have a cell
// for each column and a location for each cell.
func FuzzTables(f *testing.F) {
	f.Add([]byte("Liste;;\nName;αs;\n;125;250\nA;0,1;0,2\n"), false)
	f.Add([]byte("Produkt: A\nf/Hz;αs [%]\n125;10\n250;20\n"), false)
	f.Add([]byte("Name,f,αs,αp\nA,500,0.1,\n,1000,0.2,0.25\n\nName,125,125 Hz\nA,1"), true)
	f.Add(
		[]byte(
			"Hersteller: X\nName;αs, Montage A;;αs, Montage E;\n;125;250;125;250\nA;0,1;0,2;0,3;0,4\nMittelwert;1;1;1;1\n"),
		true)
	f.Add(
		[]byte(
			"Fjord\n;Platte A;Platte B\nArt.-Nr.;4711;4712\nDicke: 20 mm;;\nStreugrad;;\n125 Hz;0,1;dto.\n250 Hz;Ø;0,4\n"),
		false)
	f.Add([]byte("Artikelnummer;Bezeichnung;αw\n4711;A;0,65\n\n* Hinweis\nName;;500;630\nB;αs;0,3;0,4\n"), true)
	f.Fuzz(func(t *testing.T, text []byte, hidden bool) {
		book, err := workbook.Open("t.csv", strings.NewReader(string(text)), workbook.Options{})
		if err != nil {
			return
		}
		sheet := book.Sheets[0]
		if hidden {
			sheet.HiddenColumns, sheet.Merged = []int{2}, []workbook.Range{{FirstRow: 1, FirstColumn: 1, LastRow: 3,
				LastColumn: 2}}
		}
		scanner := layout.NewScanner(sheet, layout.Options{Input: "t.csv", Label: "X"})
		defer scanner.Close()
		for range 10_000 {
			table, err := scanner.Next()
			if table == nil || err != nil {
				return
			}
			end := table.Rows(func(row *layout.Row) bool {
				if len(row.Cells) != len(table.Columns) {
					t.Errorf("%d cells, %d columns", len(row.Cells), len(table.Columns))
				}
				for i := range row.Cells {
					if table.Place(row.Number, row.Line, i+1).Cell == "" {
						t.Errorf("cell %d has no place", i+1)
					}
				}
				for _, f := range row.Context {
					if f.Number <= len(table.Columns) || table.Place(row.Number, row.Line, f.Number).Cell == "" {
						t.Errorf("fact %q has number %d and no place", f.Cell.Text, f.Number)
					}
				}
				return true
			})
			if len(end.HasValue) != len(table.Columns) || end.Err != nil && end.Rows == 0 && len(table.Columns) == 0 {
				t.Errorf("end %+v", end)
			}
		}
		t.Error("tables without end")
	})
}

// TestTheFirstHeaderThatFits checks the search in many rows: at most 200 rows can be above a table.
func TestTheFirstHeaderThatFits(t *testing.T) {
	for _, test := range []struct {
		rule   string
		before int
		want   []string
	}{
		{"below few lines", 50, []string{layouttest.Rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2")}},
		{"below many lines", 450, []string{layouttest.Rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0,1 | 0,2")}},
	} {
		got, _ := layouttest.Scanned(layouttest.CSV(t, strings.Repeat("Text;;\n", test.before)+"Name;125;250\nA;0,1;0,2\n"),
			layout.Options{})
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q", test.rule, got)
		}
	}
}

// TestRowsWithoutAHeaderAreSearchedUpToALimit checks the limit. Without it, reading names would be slow.
func TestRowsWithoutAHeaderAreSearchedUpToALimit(t *testing.T) {
	sheet := xlsxtest.Sheet{Name: "S"}
	for i := range 3000 {
		sheet.Rows = append(sheet.Rows, []any{"Farbe", fmt.Sprint(i, strings.Repeat("x", 1000)), "rot"})
	}
	text := xlsxtest.Book{Sheets: []xlsxtest.Sheet{sheet}}.Bytes()
	_, messages := layouttest.Scanned(layouttest.SheetsOf(t, "t.xlsx", text)[0], layout.Options{Input: "t.xlsx"})
	const want = "no header found before the search limit was reached: select the sheet with the table"
	if len(messages) == 0 || !strings.HasSuffix(messages[0], want) {
		t.Errorf("messages %.200q, want %s", messages, want)
	}
}
