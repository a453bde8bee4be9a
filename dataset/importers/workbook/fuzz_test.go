package workbook

import (
	goruntime "runtime"
	"testing"
	"time"
)

// FuzzOpen reads complete files. Reading must end, use memory in proportion to the file, and return the same
// results for the same bytes.
func FuzzOpen(f *testing.F) {
	f.Add(fileOf(f, "excelize.xlsx"))
	f.Add(
		book(`<row><c r="B1" t="s"><v>0</v></c><c t="inlineStr"><is><t>a</t></is></c><c s="1"><f>A1</f><v>1E-2</v></c></row>`,
			`<mergeCells><mergeCell ref="A1:B2"/></mergeCells>`, `<si><t>Name</t></si>`))
	table := "Name;Höhe;125 Hz\r\n\"Würfel, \"\"groß\"\"\";12\" Panel;0,5\n"
	for _, text := range []string{table, "\xEF\xBB\xBF" + table, "Name\tH\xF6he\rx", "sep=|\na|b\n",
		"\xFF\xFE" + string(inUTF16(table, 1)), string(inUTF16(table, 0))} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		start := time.Now()
		first, err := show(data)
		if err != nil {
			_ = faultText(t, err)
		}
		goruntime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20+uint64(len(data))*2000 ||
			time.Since(start) > 5*time.Second {
			t.Errorf("%d bytes of file took %d bytes of memory and %v", len(data), used, time.Since(start))
		}
		if again, _ := show(data); again != first {
			t.Errorf("%q, and then %q", first, again)
		}
	})
}

// FuzzSheet reads any XML as a sheet.
func FuzzSheet(f *testing.F) {
	f.Add(
		[]byte(
			`<worksheet><sheetData><row r="2"><c r="B2" t="s"><v>0</v></c><c><f>A1</f></c></row></sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>`))
	f.Add(
		[]byte(
			`<worksheet><sheetData><row><c t="inlineStr"><is><r><t>a_x0041_</t></r><rPh><t>b</t></rPh></is></c><c s="2"><v>46053.25</v></c></row></sheetData></worksheet>`))
	f.Fuzz(func(t *testing.T, sheet []byte) {
		if _, err := show(bookOf(string(sheet), `<si><t>Name</t></si>`)); err != nil {
			_ = faultText(t, err)
		}
	})
}
