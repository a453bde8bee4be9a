package workbook

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sabine/internal/xlsxtest"
)

// opened opens a workbook with changed XML, and reads the rows of its first sheet.
func opened(t *testing.T, book xlsxtest.Book, oldnew ...string) (s *Sheet, rows []Row) {
	t.Helper()
	data := changed(book.Bytes(), strings.NewReplacer(oldnew...).Replace)
	b, err := Open("list", bytes.NewReader(data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s = b.Sheets[0]
	if err := s.Rows(func(r Row) bool { rows = append(rows, r); return true }); err != nil {
		t.Fatal(err)
	}
	return s, rows
}

// bookOfRows returns a workbook with one sheet and the given rows.
func bookOfRows(rows ...[]any) xlsxtest.Book {
	return xlsxtest.Book{Sheets: []xlsxtest.Sheet{{Name: "S", Rows: rows}}}
}

func TestHiddenColumns(t *testing.T) {
	all := make([]int, maxColumns)
	for i := range all {
		all[i] = i + 1
	}
	for _, test := range []struct {
		rule, cols string
		want       []int
	}{
		{"hidden", `<col min="2" max="3" hidden="1"/><col min="5" max="5" width="9" hidden="true"/>`, []int{2, 3, 5}},
		{"of no width", `<col min="2" max="2" width="0" customWidth="1"/><col min="4" max="4" width="0.0"/>`, []int{2, 4}},
		{"shown", `<col min="1" max="1" width="0.5"/><col min="2" max="2"/><col min="3" max="3" width="9" hidden="0"/>`, nil},
		{"all columns, and more", `<col min="1" max="999999999" hidden="1"/>`, all},
		{"in no order, and twice",
			`<col min="7" max="8" hidden="1"/><col min="2" max="2" hidden="1"/><col min="8" max="9" hidden="1"/>`,
			[]int{2, 7, 8, 9}},
		{"ranges that are none",
			`<col min="0" max="9" hidden="1"/><col min="3" max="2" hidden="1"/><col max="2" hidden="1"/><col hidden="1"/>`, nil},
		{"names with prefixes", `<x:col xmlns:x="x" min="2" max="2" hidden="1"/>`, []int{2}},
	} {
		s, rows := opened(t, bookOfRows([]any{"a", 1}), "<sheetData>", "<cols>"+test.cols+"</cols><sheetData>")
		if !reflect.DeepEqual(s.HiddenColumns, test.want) || len(rows) != 1 {
			t.Errorf("%s: %v, want %v", test.rule, s.HiddenColumns, test.want)
		}
	}
	overlapping := strings.Repeat(`<col min="1" max="16384" hidden="1"/>`, 100_000)
	if s, _ := opened(t, bookOfRows([]any{"a"}), "<sheetData>", "<cols>"+overlapping+"</cols><sheetData>"); len(
		s.HiddenColumns) != maxColumns {
		t.Errorf("columns that overlap: %d", len(s.HiddenColumns))
	}
}

func TestHiddenRows(t *testing.T) {
	for attributes, want := range map[string]bool{
		``: false, `hidden="1"`: true, `hidden="true"`: true, `hidden="0"`: false, `ht="0" customHeight="1"`: true,
		`ht="15.75"`: false,
		`ht="0.5"`:   false, `ht="x"`: false, `hidden="1" ht="15"`: true,
	} {
		_, rows := opened(t, bookOfRows([]any{"a"}, []any{"b"}), `<row r="1">`, `<row r="1" `+attributes+`>`)
		if len(rows) != 2 || rows[0].Hidden != want || rows[1].Hidden {
			t.Errorf("%s: %+v, want %v and a row that is shown", attributes, rows, want)
		}
	}
}

func TestStruckRows(t *testing.T) {
	struck := func(value any) xlsxtest.Cell { return xlsxtest.Cell{Value: value, Struck: true} }
	const run, struckRun = `<r><t>a</t></r>`, `<r><rPr><b/><strike/></rPr><t>b</t></r>`
	for _, test := range []struct {
		rule   string
		row    []any
		want   bool
		oldnew []string
	}{
		{"all cells", []any{struck("a"), struck(1.5), xlsxtest.Cell{Value: 0.5, Format: "h:mm", Struck: true}}, true, nil},
		{"all cells that have a value", []any{struck("a"), nil, xlsxtest.Cell{}, struck(1)}, true, nil},
		{"all but one", []any{struck("a"), 1, struck(2)}, false, nil},
		{"none", []any{"a", 1}, false, nil},
		{"a font with a false strike", []any{struck("a")}, false, []string{"<strike/>", `<strike val="0"/>`}},
		{"a font with a true strike", []any{struck("a")}, true, []string{"<strike/>", `<strike val="1"/>`}},
		{"a font of conditional formats", []any{struck("a")}, false, []string{"<fonts><font/><font>", "<dxfs><font/><font>",
			"</font></fonts>", "</font></dxfs>"}},
		{"a font that the workbook lacks", []any{struck("a")}, false, []string{`fontId="1"`, `fontId="7"`}},
		{"a text in pieces, all of them", []any{"text", struck(1)}, true, []string{`<t xml:space="preserve">text</t>`,
			struckRun + struckRun}},
		{"a text in pieces, one of them", []any{"text", struck(1)}, false, []string{`<t xml:space="preserve">text</t>`,
			struckRun + run}},
		{"a text in pieces, the last one", []any{"text", struck(1)}, false, []string{`<t xml:space="preserve">text</t>`,
			run + struckRun}},
		{"how a text is spoken", []any{"text"}, true, []string{`<t xml:space="preserve">text</t>`,
			struckRun + `<rPh sb="0" eb="1"><t>no</t></rPh>`}},
	} {
		// every second row uses shared strings
		_, rows := opened(t, bookOfRows([]any{"Name"}, test.row, []any{"other"}), test.oldnew...)
		if len(rows) != 3 || rows[0].Struck || rows[1].Struck != test.want || rows[2].Struck {
			t.Errorf("%s: %+v, want the second row %v", test.rule, rows, test.want)
		}
	}
}

func TestTimes(t *testing.T) {
	rows := [][]any{{xlsxtest.Cell{Value: 0.5, Format: "h:mm"}, xlsxtest.Cell{Value: 1.25, Format: "[h]:mm"},
		xlsxtest.Cell{Value: 46053.5, Format: "d/m/yy h:mm"},
		xlsxtest.Cell{Value: 0.5, Format: "0.0"}, xlsxtest.Cell{Value: "a", Format: "h:mm"},
		xlsxtest.Cell{Value: "5.0000000000000003E-2", Format: "mm:ss"}}}
	data := bookOfRows(rows...).Bytes()
	if got, err := show(data); err != nil ||
		got != "S false []\n1:~0.5|~1.25|@2026-01-31T12:00:00|#0.5|a|5.0000000000000003E-2\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTheEndOfTheRowsIsFound checks any position in the buffer, and any text in cells.
func TestTheEndOfTheRowsIsFound(t *testing.T) {
	for before := 64<<10 - 300; before < 64<<10+20; before++ {
		sheet := `<worksheet><sheetData><row><c t="inlineStr"><is><t>sheetData> ` + strings.Repeat("x", before) +
			`</t></is></c></row></sheetData>` +
			`<mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>`
		b, err := Open("list", bytes.NewReader(bookOf(sheet, "")), Options{})
		if err != nil || fmt.Sprint(b.Sheets[0].Merged) != "[{1 1 2 2}]" {
			t.Fatalf("%d bytes: %v, %v", before, b, err)
		}
	}
	for rule, sheet := range map[string]string{
		"a long prefix":  `<a-long-prefix-of-names:worksheet xmlns:a-long-prefix-of-names="x"><a-long-prefix-of-names:sheetData></a-long-prefix-of-names:sheetData><mergeCell ref="A1:B2"/></a-long-prefix-of-names:worksheet>`,
		"a blank":        `<worksheet><sheetData></sheetData ><mergeCell ref="A1:B2"/></worksheet>`,
		"no rows at all": `<worksheet><mergeCell ref="A1:B2"/></worksheet>`,
	} {
		if b, err := Open("list", bytes.NewReader(bookOf(sheet, "")), Options{}); err != nil || len(b.Sheets[0].Merged) != 1 {
			t.Errorf("%s: %v, %v", rule, b, err)
		}
	}
}
