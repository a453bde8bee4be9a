package workbook

import (
	"bytes"
	"encoding/csv"
	"io"

	"sabine/dataset"
)

// openText reads CSV or TSV.
func openText(name string, r io.Reader, head []byte, o Options) (*Book, error) {
	rows := csv.NewReader(r)
	rows.Comma = separatorOf(head, o.Known)
	rows.FieldsPerRecord = -1
	rows.ReuseRecord = true
	sheet := &Sheet{rows: func(yield func(Row) bool) error {
		var cells []Cell
		for number := 1; ; number++ {
			texts, err := rows.Read()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return &dataset.Fault{Place: dataset.Place{Input: name, Index: -1, Offset: -1}, Problem: "not CSV: " + err.Error()}
			}
			line, _ := rows.FieldPos(0)
			cells = cells[:0]
			for _, text := range texts {
				cells = append(cells, Cell{Text: text})
			}
			if !yield(Row{Number: number, Line: line, Cells: cells}) {
				return nil
			}
		}
	}}
	return &Book{Sheets: []*Sheet{sheet}}, nil
}

// separatorOf finds what separates the columns: what makes most cells of the first row known.
func separatorOf(head []byte, known func(string) bool) rune {
	best, most := ',', -1
	for _, separator := range []rune{',', ';', '\t'} {
		rows := csv.NewReader(bytes.NewReader(head))
		rows.Comma = separator
		cells, _ := rows.Read()
		understood := 0
		for _, cell := range cells {
			if known(cell) {
				understood++
			}
		}
		if understood > most {
			best, most = separator, understood
		}
	}
	return best
}
