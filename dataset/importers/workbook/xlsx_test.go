package workbook

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sabine/internal/xlsxtest"
)

// styles defines the styles 0 general, 1 percent, 2 a date, 3 a percentage and 4 a date with custom formats,
// 5 a length.
const styles = `<styleSheet xmlns="` + xlsxtest.Spreadsheet +
	`"><numFmts count="4"><numFmt numFmtId="164" formatCode="0.0\ %"/>` +
	`<numFmt numFmtId="165" formatCode="[$-407]d\.\ mmmm\ yyyy;@"/><numFmt numFmtId="166" formatCode="0&quot; mm, 5 % mehr&quot;"/><numFmt numFmtId="167" formatCode="00000"/></numFmts>` +
	`<cellXfs count="7"><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/></cellXfs>` +
	`</styleSheet>`

// book returns a workbook with one sheet, from its sheetData, the elements after it, and shared strings.
func book(rows, behind, shared string) []byte {
	return bookOf(`<worksheet xmlns="`+xlsxtest.Spreadsheet+`"><sheetData>`+rows+`</sheetData>`+behind+`</worksheet>`,
		shared)
}

func bookOf(sheet, shared string) []byte {
	return zipped(xlsxtest.Book{Sheets: []xlsxtest.Sheet{{Name: "S", XML: sheet}}, Styles: styles,
		Shared: shared}.Parts()...)
}

func TestCells(t *testing.T) {
	shared :=
		`<si><t>Name</t></si><si><r><t>αs </t></r><r><rPr><b/></rPr><t xml:space="preserve"> ISO</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si>` +
			`<si><t>Höhe_x000D_&#10;(mm)</t></si><si/>`
	for _, test := range []struct{ rule, cells, want string }{
		{"a number with all digits", `<c><v>0.123456789012345</v></c>`, "#0.123456789012345"},
		{"an exponent", `<c><v>5.0000000000000003E-2</v></c><c><v>1E-05</v></c><c><v>-2.5e+3</v></c>`,
			"#0.05|#0.00001|#-2500"},
		{"digits of binary arithmetic", `<c><v>0.55000000000000004</v></c><c><v>0.30000000000000004</v></c>`,
			"#0.55|#0.30000000000000004"},
		{"a long whole number", `<c><v>12345678901234567890</v></c>`, "#12345678901234567890"},
		{"no number", `<c><v>1.2.3</v></c><c><v>1e999</v></c><c><v>0x10</v></c><c><v>NaN</v></c>`, "1.2.3|1e999|0x10|NaN"},
		{"percentages", `<c s="1"><v>0.85</v></c><c s="3"><v>1E0</v></c><c s="5"><v>3</v></c><c s="99"><v>3</v></c>`,
			"%0.85|%1|3 mm, 5 % mehr|#3"},
		{"numbers that are shown with zeros before them or with a unit",
			`<c s="6"><v>417</v></c><c s="6"><v>123456</v></c><c s="6"><v>-1</v></c><c s="5"><v>2.5</v></c>`,
			"00417|#123456|#-1|2.5 mm, 5 % mehr"},
		{"dates", `<c s="2"><v>46053</v></c><c s="4"><v>46053.5</v></c><c s="2"><v>0.5</v></c><c t="d"><v>2026-01-31</v></c>`,
			"@2026-01-31|@2026-01-31T12:00:00|#0.5|@2026-01-31"},
		{"the leap day that 1900 did not have", `<c s="2"><v>59</v></c><c s="2"><v>60</v></c><c s="2"><v>61</v></c>`,
			"@1900-02-28|@1900-02-28|@1900-03-01"},
		{"truth", `<c t="b"><v>1</v></c><c t="b"><v>0</v></c>`, "TRUE|FALSE"},
		{"errors", `<c t="e"><v>#DIV/0!</v></c>`, "!#DIV/0!"},
		{"shared strings",
			`<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c><c t="s"><v>4</v></c>`,
			"Name|αs  ISO|Höhe\r\n(mm)||!a reference to a missing shared string"},
		{"strings in the cell",
			`<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh><t>no</t></rPh></is></c><c t="str"><v>x_x0041_</v></c>`,
			"ab|xA"},
		{"formulas",
			`<c><f>A1</f><v>3</v></c><c t="str"><f>A2</f><v>x</v></c><c t="str"><f>A3</f><v></v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c>`,
			"#3|x||!#DIV/0!"},
		{"formulas without a value",
			`<c><f>A1</f></c><c><f>A1</f><v></v></c><c t="str"><f>A1</f></c><c><f t="shared" si="0"/></c>`,
			strings.TrimSuffix(
				strings.Repeat("!a formula without a stored value (open the file in a spreadsheet program and save it)|", 4), "|")},
		{"no values", `<c s="1"/><c><v/></c><c><v>1</v></c><c/>`, "||#1"},
		{"places", `<c r="B1"><v>1</v></c><c><v>2</v></c><c r="AA1"><v>3</v></c>`, "|#1|#2" + strings.Repeat("|", 24) + "#3"},
		{"blanks around a number", "<c><v> 1\n</v></c>", "#1"},
	} {
		got, err := show(book("<row>"+test.cells+"</row>", "", shared))
		if want := "S false []\n1:" + test.want + "\n"; err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", test.rule, got, err, want)
		}
	}
}

func TestSheets(t *testing.T) {
	for _, test := range []struct {
		rule, want string
		data       []byte
	}{
		{"rows without numbers and values", "S false []\n1:#1\n7:#2\n8:#3\n", book(
			`<row><c><v>1</v></c></row><row/><row r="7"><c><v>2</v></c></row><row><c><v>3</v></c></row><row><c s="1"/></row>`,
			"", "")},
		{"merged ranges", "S false [{1 1 2 1} {1 2 1 4}]\n1:mergeCells\n",
			book(`<row><c t="inlineStr"><is><t>mergeCells</t></is></c></row>`,
				`<mergeCells count="3"><mergeCell ref="A1:A2"/> <mergeCell ref="B1:D1"></mergeCell><mergeCell ref="x"/></mergeCells><row><c><v>1</v></c></row>`, "")},
		{"merged ranges by their first row", "S false [{1 2 1 3} {3 1 4 1}]\n1:#1\n", book(`<row><c><v>1</v></c></row>`,
			`<mergeCells><mergeCell ref="A3:A4"/><mergeCell ref="B1:C1"/></mergeCells>`, "")},
		{"names with prefixes", "S false [{1 1 2 2}]\n1:#1\n", bookOf(`<x:worksheet xmlns:x="`+xlsxtest.Spreadsheet+
			`"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c>`+
			`</x:row></x:sheetData><x:mergeCells><x:mergeCell ref="A1:B2"/></x:mergeCells></x:worksheet>`, "")},
		{"the strict form", "S false []\n1:@2026-01-31|%0.85\n",
			changed(book(`<row><c s="2" t="d"><v>2026-01-31T00:00:00</v></c><c s="1"><v>0.85</v></c></row>`, "", ""),
				func(s string) string {
					s = strings.ReplaceAll(s, xlsxtest.Spreadsheet, "http://purl.oclc.org/ooxml/spreadsheetml/main")
					return strings.ReplaceAll(s, xlsxtest.Office, "http://purl.oclc.org/ooxml/officeDocument/relationships")
				})},
		{"days from 1904", "S false []\n1:@2026-01-31\n", changed(book(`<row><c s="2"><v>44591</v></c></row>`, "", ""),
			func(s string) string {
				return strings.Replace(s, "<sheets>", `<workbookPr date1904="1"/><sheets>`, 1)
			})},
		{"extensions of the list of sheets do not apply to the workbook", "S false []\n1:@2026-01-31\n",
			changed(book(`<row><c s="2"><v>44591</v></c></row>`, "", ""), func(s string) string {
				return strings.NewReplacer("<sheets>",
					`<workbookPr date1904="true"/><mc:AlternateContent><mc:Choice><sheets><sheet name="T" r:id="none"/></sheets></mc:Choice></mc:AlternateContent><sheets>`,
					"</workbook>", `<extLst><ext><x15:workbookPr date1904="0"/></ext></extLst></workbook>`).Replace(s)
			})},
		{"names of parts in another case", "S false []\n1:x\n",
			changed(book(`<row><c t="s"><v>0</v></c></row>`, "", "<si><t>x</t></si>"), func(s string) string {
				return strings.ReplaceAll(s, "sharedStrings.xml", "SharedStrings.xml")
			})},
	} {
		if got, err := show(test.data); err != nil || got != test.want {
			t.Errorf("%s: %q, %v; want %q", test.rule, got, err, test.want)
		}
	}
}

// TestWorkbooksOfExcelize reads the files in testdata that the library excelize wrote: testdata/excelize.go
// is the program.
func TestWorkbooksOfExcelize(t *testing.T) {
	for file, want := range map[string]string{
		"excelize.xlsx": "Sheet1 false [{2 1 3 1}]\n2:Name|Höhe|#0.05|TRUE|@2026-01-31|αs nach ISO 354\n" +
			"4:x||%0.85|!a formula without a stored value (open the file in a spreadsheet program and save " +
			"it)|@2026-01-31T12:30:00|2.5 mm\n" +
			"Alte Werte true []\n1:|y\n",
		"excelize-stream.xlsx": "Sheet1 false []\n1:Name|125 Hz|Prüfdatum\n2:a < b|#0.05|@2026-01-31\n3:c|%0.85\n",
	} {
		if got, err := show(fileOf(t, file)); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", file, got, err, want)
		}
	}
}

// fileOf returns a file in testdata.
func fileOf(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDamagedWorkbooks(t *testing.T) {
	row := `<row r="1"><c r="A1"><v>1</v></c></row>`
	ended := "S false []\n1:#1\n"
	begin := `<worksheet><sheetData>`
	here := "the sheet is truncated or damaged here: "
	for _, test := range []struct {
		rule, want, fault string
		data              []byte
	}{
		{"cut off between rows", ended, "list[S!A1]: " + here + "XML syntax error on line 1: unexpected EOF",
			bookOf(begin+row, "")},
		{"cut off in a cell", ended, "list[S!B2]: " + here + "XML syntax error on line 1: unexpected EOF",
			bookOf(begin+row+`<row r="2"><c r="B2"><v>1`, "")},
		{"no XML at all", "S false []\n", "list[S!A1]: " + here + "unexpected EOF", bookOf("", "")},
		{"tags that do not match", "S false []\n", "list[S!A1]: " + here +
			"XML syntax error on line 1: element <v> closed by </c>",
			bookOf(begin+`<row><c><v>1</c></v></row>`, "")},
		{"a row too far", "S false []\n", "list[S!A1048577]: " + here + "more than 1048576 rows",
			book(`<row r="1048577"/>`, "", "")},
		{"a column too far", "S false []\n", `list[S!A1]: ` + here + `invalid cell "XFE1" in row 1`,
			book(`<row><c r="XFE1"/></row>`, "", "")},
		{"a cell of another row", "S false []\n", `list[S!A1]: ` + here + `invalid cell "A2" in row 1`,
			book(`<row><c r="A2"/></row>`, "", "")},
		{"a cell twice", "S false []\n", "list[S!A1]: " + here + "a cell is to the left of the previous cell",
			book(`<row><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>`, "", "")},
		{"deep XML", "S false []\n", "list[S!A1]: " + here + "elements are nested more than 100 levels deep",
			bookOf(begin+strings.Repeat("<a>", 1000)+strings.Repeat("</a>", 1000)+`</sheetData></worksheet>`, "")},
		{"a value without an end", "S false []\n", "list[S!A1]: " + here + "an XML token of more than 4 MiB",
			book(`<row><c><v>`+strings.Repeat("1", maxRow+1)+`</v></c></row>`, "", "")},
		{"shared strings cut off", "",
			"list: xl/sharedStrings.xml is damaged: XML syntax error on line 1: element <si> closed by </sst>",
			book(row, "", "<si>")},
		{"a sheet without a part", "", `list: the file is damaged: it has no part for the sheet "S"`,
			changed(book(row, "", ""), func(s string) string { return strings.Replace(s, "sheet1.xml", "sheet2.xml", 1) })},
		{"a list of sheets cut off", "", "list: xl/workbook.xml is damaged: XML syntax error on line 1: unexpected EOF",
			changed(book(row, "", ""), func(s string) string { return strings.TrimSuffix(s, "</workbook>") })},
		{"days from no year", "", `list: xl/workbook.xml is damaged: date1904 is "yes", expected 0 or 1`,
			changed(book(row, "", ""), func(s string) string {
				return strings.Replace(s, "<sheets>", `<workbookPr date1904="yes"/><sheets>`, 1)
			})},
		{"too many sheets", "", "list: xl/workbook.xml is damaged: too many elements in the list of sheets",
			changed(book(row, "", ""), func(s string) string {
				return strings.Replace(s, "<sheets>", "<sheets>"+strings.Repeat("<sheet/>", maxParts), 1)
			})},
		{"too many elements", "", "list: xl/workbook.xml is damaged: too many elements in the list of sheets",
			changed(book(row, "", ""), func(s string) string {
				return strings.Replace(s, "<sheets>", strings.Repeat("<a/>", maxListed)+"<sheets>", 1)
			})},
		{"too long a list of sheets", "", "list: xl/workbook.xml unpacks to more than 8 MiB, the limit for this part",
			changed(book(row, "", ""), func(s string) string {
				return strings.Replace(s, "<sheets>", "<!--"+strings.Repeat(" ", maxSmall)+"--><sheets>", 1)
			})},
		{"only a chart", "", "list: the workbook has no sheet with cells",
			changed(book(row, "", ""), func(s string) string { return strings.Replace(s, "/worksheet\"", "/chartsheet\"", 1) })},
	} {
		got, err := show(test.data)
		if fault := faultText(t, err); got != test.want || fault != test.fault {
			t.Errorf("%s: %q, %s\nwant %q, %s", test.rule, got, fault, test.want, test.fault)
		}
	}
}

// TestBomb checks that the limit applies before anything is unpacked. The archive's list declares 64 MiB for
// each part.
func TestBomb(t *testing.T) {
	var parts []string
	for i := range 17 {
		parts = append(parts, fmt.Sprint("xl/media/", i), "0")
	}
	data := zipped(parts...)
	for i := range data {
		if bytes.HasPrefix(data[i:], []byte("PK\x01\x02")) {
			copy(data[i+24:], []byte{0, 0, 0, 4})
		}
	}
	_, err := show(data)
	if got, want := faultText(t, err), "list: the file unpacks to more than 1024 MiB, the limit for a workbook"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEveryTruncationIsAFault checks that no row is lost without a message.
func TestEveryTruncationIsAFault(t *testing.T) {
	data := fileOf(t, "excelize.xlsx")
	for end := 2; end < len(data); end += 97 {
		if _, err := show(data[:end]); err == nil {
			t.Fatalf("%d of %d bytes: no fault", end, len(data))
		}
	}
	sheet := `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`
	for end := range len(sheet) + 1 {
		if _, err := show(bookOf(sheet[:end], "")); (err == nil) != (end == len(sheet)) {
			t.Errorf("a sheet of %q: %v", sheet[:end], err)
		}
	}
}

// TestEveryDamageOfTheSheetIsAFault flips packed bytes. The archive contains a checksum for each part.
func TestEveryDamageOfTheSheetIsAFault(t *testing.T) {
	data := book(`<row><c><v>1</v></c></row>`, "", "")
	start := bytes.Index(data, []byte("xl/worksheets/sheet1.xml")) + len("xl/worksheets/sheet1.xml")
	length := bytes.Index(data[start:], []byte("PK\x07\x08"))
	for i := start; i < start+length; i++ {
		damaged := bytes.Clone(data)
		damaged[i] ^= 0x10
		if got, err := show(damaged); err == nil {
			t.Errorf("byte %d: %q without a fault", i, got)
		}
	}
}

// TestDates checks the days in both systems, and times, which are rounded to seconds.
func TestDates(t *testing.T) {
	for _, test := range []struct{ days, from1900, from1904 string }{
		{"0.999", "", ""},
		{"1", "1900-01-01", "1904-01-02"},
		{"59", "1900-02-28", "1904-02-29"},
		{"59.9999999", "1900-02-28", "1904-03-01"}, // day 60 from 1900 did not exist
		{"60", "1900-02-28", "1904-03-01"},
		{"61", "1900-03-01", "1904-03-02"},
		{"36585", "2000-02-29", "2004-03-01"},
		{"46053.520833333336", "2026-01-31T12:30:00", "2030-02-01T12:30:00"},
		{"46053.99998842592", "2026-01-31T23:59:59", "2030-02-01T23:59:59"},
		{"46053.000005", "2026-01-31", "2030-02-01"},
		{"46053.000006", "2026-01-31T00:00:01", "2030-02-01T00:00:01"},
		{"2957003", "9995-12-30", "9999-12-31"},
		{"2957004", "9995-12-31", ""},
		{"2958465", "9999-12-31", ""},
		{"2958465.999999", "", ""},
		{"2958466", "", ""},
		{"1e300", "", ""}, {"-1", "", ""}, {"NaN", "", ""}, {"", "", ""},
	} {
		for date1904, want := range map[bool]string{false: test.from1900, true: test.from1904} {
			if got, ok := (&xlsx{date1904: date1904}).date(test.days); ok != (want != "") || ok && got != want {
				t.Errorf("day %s, from 1904 %v: %q %v, want %q", test.days, date1904, got, ok, want)
			}
		}
	}
}

func TestFormatsOfNumbers(t *testing.T) {
	for code, want := range map[string]Kind{ // Text: a number with a suffix
		"General": Number, "0.00": Number, "0%": Percent, `0.0" %"`: Text, `0\%`: Text, "# ??/??": Number,
		"dd/mm/yyyy": Date, "mmm-yy": Date,
		"mmmm": Date, "h:mm": Time, "[h]:mm:ss": Time, "[h]": Time, "[mm]:ss.0": Time, "h:mm AM/PM": Time,
		"[$-F400]h:mm:ss\\ AM/PM": Time,
		"mm:ss":                   Time, `0" h"`: Text, `0\ \s`: Text, "h:mm;[Red]0": Time, "yyyy-mm-dd hh:mm": Date,
		"hh:mm dd/mm": Date,
		"[Red]0.00":   Number, `0" mm"`: Text, `"ca. "0`: Number, "0.00;[Red]0%": Number, `"open`: Number,
		"_-* #,##0.00": Number, "yyyy": Date, "0.0E+00": Number, "@": Number,
	} {
		got := formatOf(code)
		if got.suffix != "" {
			got.kind = Text
		}
		if got.kind != want {
			t.Errorf("%s is %+v, want %d", code, got, want)
		}
	}
	for number, want := range map[string]Kind{
		"": Number, "0": Number, "9": Percent, "14": Date, "17": Date, "18": Time, "21": Time, "22": Date, "37": Number,
		"45": Time, "47": Time,
		"48": Number,
	} {
		if got := kindOfBuiltIn(number); got != want {
			t.Errorf("the built-in format %s is %d, want %d", number, got, want)
		}
	}
}

// changed returns a workbook with changed parts.
func changed(data []byte, change func(string) string) []byte {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		panic(err)
	}
	var parts []string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			panic(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			panic(err)
		}
		parts = append(parts, f.Name, change(string(content)))
	}
	return zipped(parts...)
}
