package workbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"sabine/dataset"
	"sabine/internal/xlsxtest"
)

// show describes a file: one line per row with its number and cells, numbers marked #, percentages %, dates
// @, times ~ and broken cells !.
func show(data []byte) (string, error) {
	known := map[string]bool{"Name": true, "Höhe": true, "125 Hz": true, "250 Hz": true, "αs": true}
	book, err := Open("list", bytes.NewReader(data), Options{Known: func(s string) bool { return known[s] }})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, s := range book.Sheets {
		if s.Name != "" || s.Hidden || s.Merged != nil {
			fmt.Fprintln(&b, s.Name, s.Hidden, s.Merged)
		}
		err := s.Rows(func(r Row) bool {
			fmt.Fprintf(&b, "%d:", r.Number)
			for i, c := range r.Cells {
				b.WriteString(strings.Repeat("|", min(i, 1)) + strings.Trim(string(" #%@~!"[c.Kind]), " ") + c.Text)
			}
			b.WriteString(strings.Repeat(" cut", map[bool]int{true: 1}[r.Cut]) + "\n")
			return true
		})
		if err != nil {
			return b.String(), err
		}
	}
	return b.String(), nil
}

// faultText returns the fault in an error. It fails the test for other errors.
func faultText(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var fault *dataset.Fault
	if !errors.As(err, &fault) {
		t.Fatalf("%v is no fault", err)
	}
	return fault.Error()
}

// zipped returns an archive of uncompressed parts: names and contents alternate.
func zipped(parts ...string) []byte { return xlsxtest.Archive(zip.Store, parts...) }

func inUTF16(s string, high int) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		pair := [2]byte{}
		pair[high], pair[1-high] = byte(u>>8), byte(u)
		b = append(b, pair[:]...)
	}
	return b
}

func TestFilesThatAreNotTables(t *testing.T) {
	old := "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"
	rels := func(target string) string {
		return `<Relationships><Relationship Id="r" Type="http://x/officeDocument" Target="` + target + `"/></Relationships>`
	}
	tests := []struct {
		file string
		data []byte
		want string
	}{
		{"empty", nil, "the file is empty"},
		{"PDF", []byte("%PDF-1.7\n"), "PDF files are not supported: request the table as .xlsx or CSV"},
		{"HTML as .xls", []byte("\xEF\xBB\xBF\n<HTML><table>"),
			"the file is HTML or XML: open it in a spreadsheet program and save it as .xlsx"},
		{"XML of Excel 2003", []byte(`<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>`),
			"the file is HTML or XML: open it in a spreadsheet program and save it as .xlsx"},
		{"protected", append([]byte(old), inUTF16("EncryptedPackage", 1)...),
			"the workbook is encrypted: save it without a password"},
		{"Excel 97", append([]byte(old), inUTF16("Workbook", 1)...),
			"Excel 97 files (.xls) are not supported: save the file as .xlsx or CSV"},
		{"Excel 95", append([]byte(old), inUTF16("Book", 1)...),
			"Excel 97 files (.xls) are not supported: save the file as .xlsx or CSV"},
		{"Word 97", append([]byte(old), inUTF16("WordDocument", 1)...),
			"an Office file that is not a workbook: expected .xlsx, CSV or TSV"},
		{"ZIP", zipped("a.txt", "a"), "a ZIP archive that is not a workbook: expected .xlsx, CSV or TSV"},
		{"ods", zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", ""),
			"OpenDocument files (.ods) are not supported: save the file as .xlsx or CSV"},
		{"xlsb", zipped("_rels/.rels", rels("xl/workbook.bin"), "xl/workbook.bin", "x"),
			"binary workbooks (.xlsb) are not supported: save the file as .xlsx or CSV"},
		{"docx", zipped("_rels/.rels", rels("word/document.xml"), "word/document.xml", "x"),
			"the file is a text document or presentation: save the table as .xlsx or CSV"},
		{"cut ZIP", []byte("PK\x03\x04..."),
			"the workbook or ZIP archive is truncated or damaged: cannot read the list of parts at its end"},
		{"many parts", bytes.Repeat([]byte("PK\x01\x02"), maxParts+1),
			"the ZIP archive has more than 20000 parts, the limit for a workbook"},
	}
	for _, test := range tests {
		_, err := show(test.data)
		if got := faultText(t, err); got != "list: "+test.want {
			t.Errorf("%s: %q, want %q", test.file, got, test.want)
		}
	}
}

func TestErrorsOfReadingAreNotFaults(t *testing.T) {
	want := errors.New("the line is dead")
	for _, start := range []string{"", "PK\x03\x04", "Name,b\n1,2\n"} {
		book, err := Open("list", io.MultiReader(strings.NewReader(start), errReader{want}), Options{})
		if err == nil {
			err = book.Sheets[0].Rows(func(Row) bool { return true })
		}
		if !errors.Is(err, want) {
			t.Errorf("after %q: %v", start, err)
		}
	}
}

type errReader struct{ error }

func (e errReader) Read([]byte) (int, error) { return 0, e.error }

func TestPlaceOf(t *testing.T) {
	for _, test := range []struct{ sheet, want string }{
		{"", "list:9[D7]"}, {"Absorber", "list:9[Absorber!D7]"}, {"Wände_1", "list:9[Wände_1!D7]"},
		{"Tabelle 1", "list:9['Tabelle 1'!D7]"},
		{"it's", "list:9['it''s'!D7]"}, {"2026", "list:9['2026'!D7]"}, {"A1", "list:9['A1'!D7]"}, {"a.b", "list:9[a.b!D7]"},
	} {
		if got := PlaceOf("list", test.sheet, Row{Number: 7, Line: 9}, 4).String(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	for column, want := range map[int]string{1: "A1", 26: "Z1", 27: "AA1", 702: "ZZ1", 703: "AAA1", 16384: "XFD1"} {
		if got := CellName(1, column); got != want {
			t.Errorf("column %d is %s, want %s", column, got, want)
		}
	}
}
