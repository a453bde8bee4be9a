//go:build ignore

// Excelize writes the workbooks excelize.xlsx and excelize-stream.xlsx, with github.com/xuri/excelize/v2
// v2.11.0.
package main

import (
	"log"
	"time"

	"github.com/xuri/excelize/v2"
)

func main() {
	day := time.Date(2026, time.January, 31, 0, 0, 0, 0, time.UTC)

	f := excelize.NewFile()
	percent, err := f.NewStyle(&excelize.Style{NumFmt: 10})
	check(err)
	dayFormat, lengthFormat := "dd.mm.yyyy hh:mm", `0.0" mm"`
	dateTime, err := f.NewStyle(&excelize.Style{CustomNumFmt: &dayFormat})
	check(err)
	length, err := f.NewStyle(&excelize.Style{CustomNumFmt: &lengthFormat})
	check(err)
	check(f.SetSheetRow("Sheet1", "A2", &[]any{"Name", "Höhe", 0.05, true, day}))
	check(f.SetCellRichText("Sheet1", "F2", []excelize.RichTextRun{{Text: "α"},
		{Text: "s", Font: &excelize.Font{VertAlign: "subscript"}}, {Text: " nach ISO 354"}}))
	check(f.SetSheetRow("Sheet1", "A4", &[]any{"x", nil, 0.85, nil, 46053 + 12.5/24, 2.5}))
	check(f.SetCellStyle("Sheet1", "C4", "C4", percent))
	check(f.SetCellStyle("Sheet1", "E4", "E4", dateTime))
	check(f.SetCellStyle("Sheet1", "F4", "F4", length))
	check(f.SetCellFormula("Sheet1", "D4", "C4*2"))
	check(f.MergeCell("Sheet1", "A2", "A3"))
	_, err = f.NewSheet("Alte Werte")
	check(err)
	check(f.SetCellStr("Alte Werte", "B1", "y"))
	check(f.SetSheetVisible("Alte Werte", false))
	check(f.AddChartSheet("Chart", &excelize.Chart{Type: excelize.Col,
		Series: []excelize.ChartSeries{{Values: "Sheet1!$C$2:$C$4"}}}))
	check(f.SaveAs("excelize.xlsx"))

	f = excelize.NewFile()
	from1904 := true
	check(f.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &from1904}))
	percent, err = f.NewStyle(&excelize.Style{NumFmt: 10})
	check(err)
	date, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	check(err)
	rows, err := f.NewStreamWriter("Sheet1")
	check(err)
	check(rows.SetRow("A1", []any{"Name", "125 Hz", "Prüfdatum"}))
	check(rows.SetRow("A2", []any{"a < b", 0.05, excelize.Cell{StyleID: date, Value: 44591}}))
	check(rows.SetRow("A3", []any{"c", excelize.Cell{StyleID: percent, Value: 0.85}}))
	check(rows.Flush())
	check(f.SaveAs("excelize-stream.xlsx"))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
