package table_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/importers/table"
	"sabine/indexes/snapshot"
	"sabine/internal/xlsxtest"
)

// row maps column names to the cells in a row.
type row map[string]string

var bands = strings.Fields("125 250 500 1000 2000 4000")

// randomRows draws products, most with several set-ups. A set-up is in one row, or its bands are in two. Rows
// have typical irregularities: different spellings of a name or a manufacturer, a remark for one set-up,
// duplicates.
func randomRows(r *rand.Rand) (rows []row) {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	for product := range 3 + r.IntN(4) {
		name := fmt.Sprint("Paneel ", product)
		article := pick("", fmt.Sprint("P-", product))
		colour := pick("", "weiß", "grau")
		for setUp := range 1 + r.IntN(3) {
			var parts [2]row
			for i := range parts {
				parts[i] = row{
					"Artikelnummer": article, "Bezeichnung": name, "Hersteller": pick("Acme GmbH", "ACME GmbH"), "Farbe": colour,
					"Montage": "E-" + strconv.Itoa(200*(setUp/2+1)), "Dicke [mm]": strconv.Itoa(20 * (setUp%2 + 1)),
					"Luftspalt [mm]": "50",
				}
			}
			remark := pick("", "", "nachgemessen")
			split := r.IntN(len(bands))
			for i, band := range bands {
				part := parts[min(1, i/(split+1))]
				part["αs "+band+" Hz"] = fmt.Sprintf("0.%02d", r.IntN(100))
			}
			for _, part := range parts {
				part["Bemerkung"] = remark
				if article != "" {
					part["Bezeichnung"] = pick(name, name+" neu")
				}
				for range 1 + r.IntN(5)/4 {
					rows = append(rows, part)
				}
			}
		}
	}
	return rows
}

// strewn distributes rows over tables in several files, CSV and workbooks, with their columns in different
// orders.
func strewn(t *testing.T, r *rand.Rand, rows []row) (inputs []dataset.Input) {
	header := strings.Split("Artikelnummer;Bezeichnung;Hersteller;Farbe;Bemerkung;Montage;Dicke [mm];Luftspalt [mm]", ";")
	for _, band := range bands {
		header = append(header, "αs "+band+" Hz")
	}
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	var tables [][][]string
	for len(rows) > 0 {
		r.Shuffle(len(header), func(i, j int) { header[i], header[j] = header[j], header[i] })
		cells := [][]string{append([]string(nil), header...)}
		n := 1 + r.IntN(len(rows))
		for _, row := range rows[:n] {
			var line []string
			for _, name := range header {
				line = append(line, row[name])
			}
			cells = append(cells, line)
		}
		tables, rows = append(tables, cells), rows[n:]
	}
	for len(tables) > 0 {
		name, n := fmt.Sprint("list", len(tables)), 1+r.IntN(len(tables))
		if r.IntN(2) == 0 {
			inputs, tables = append(inputs, csvInput(t, name+".csv", tables[0])), tables[1:]
		} else {
			inputs, tables = append(inputs, xlsxInput(name+".xlsx", tables[:n])), tables[n:]
		}
	}
	return inputs
}

// csvInput returns a table as a German spreadsheet program saves it.
func csvInput(t *testing.T, name string, cells [][]string) dataset.Input {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	w.Comma = ';'
	for _, line := range cells {
		for i := range line {
			line[i] = strings.Replace(line[i], "0.", "0,", 1)
		}
		if err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	return bytesInput(name, text.Bytes())
}

// xlsxInput returns a workbook with a table in each sheet, and with stored numbers.
func xlsxInput(name string, tables [][][]string) dataset.Input {
	var book xlsxtest.Book
	for i, table := range tables {
		sheet := xlsxtest.Sheet{Name: fmt.Sprint("Sheet", i+1)}
		for _, line := range table {
			sheet.Rows = append(sheet.Rows, xlsxtest.Cells(line))
		}
		book.Sheets = append(book.Sheets, sheet)
	}
	return bytesInput(name, book.Bytes())
}

// csvText returns a CSV file.
func csvText(text string) dataset.Input { return bytesInput("t.csv", []byte(text)) }

func bytesInput(name string, text []byte) dataset.Input {
	return dataset.Input{Name: name, Size: int64(len(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text)), nil
	}}
}

// hashOf returns the snapshot name for the given tables.
func hashOf(t *testing.T, inputs []dataset.Input) string {
	t.Helper()
	report, err := compiler.Build(context.Background(), compiler.Options{
		Inputs: table.Inputs(inputs, table.Options{}), Folder: snapshot.Folder{Dir: t.TempDir()},
	})
	if err != nil {
		t.Fatal(err)
	}
	return report.File
}

func TestTheOrderOfRowsColumnsSheetsAndFilesMakesNoDifference(t *testing.T) {
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 14))
		rows := randomRows(r)
		inputs := strewn(t, r, rows)
		want, _ := imported(t, table.Options{}, inputs...)
		again := strewn(t, r, rows)
		r.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		if got, _ := imported(t, table.Options{}, again...); !slices.Equal(got, want) {
			t.Errorf("seed %d: %d rows in another order make\n%s\nwant\n%s", seed, len(rows), strings.Join(got, "\n"),
				strings.Join(want, "\n"))
		}
		if seed > 0 {
			continue // a build takes longer than all other steps
		}
		if got, want := hashOf(t, again), hashOf(t, inputs); got != want {
			t.Errorf("%d rows in another order make %s, want %s", len(rows), got, want)
		}
	}
}
