package workbook

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sabine/internal/xlsxtest"
)

func TestComments(t *testing.T) {
	for _, test := range []struct {
		rule     string
		comments map[string]string
		want     string
		oldnew   []string
	}{
		{"by row and column", map[string]string{"B10": "c", "B2": "b", "A2": "a & b"}, "[{2 1 a & b} {2 2 b} {10 2 c}]", nil},
		{"in pieces", map[string]string{"A1": "a"}, "[{1 1 Name:\nb}]",
			[]string{"<t>a</t>", "<r><rPr><b/></rPr><t>Name:</t></r><r><t>&#10;b</t></r>"}},
		{"how a text is spoken", map[string]string{"A1": "a"}, "[{1 1 a}]",
			[]string{"<t>a</t>", "<t>a</t><rPh><t>no</t></rPh>"}},
		{"characters without a form in XML", map[string]string{"A1": "a_x000D_b"}, "[{1 1 a\rb}]", nil},
		{"of no cell and without text", map[string]string{"x": "a", "A0": "b", "A1": ""}, "[]", nil},
		{"a part that is not there", map[string]string{"A1": "a"}, "[]", []string{`Target="/xl/comments1.xml"`,
			`Target="/xl/comments2.xml"`}},
		{"a target relative to the sheet", map[string]string{"A1": "a"}, "[{1 1 a}]", []string{`Target="/xl/comments1.xml"`,
			`Target="../comments1.xml"`}},
		{"threads, whose copy is read", map[string]string{"A1": "a"}, "[]", []string{"/comments\"", "/threadedComment\""}},
		{"a long one", map[string]string{"A1": strings.Repeat("ü", 1000)}, "[{1 1 " + strings.Repeat("ü", 500) + "}]", nil},
		{"a long one, cut within a character", map[string]string{"A1": "a" + strings.Repeat("ü", 1000)},
			"[{1 1 a" + strings.Repeat("ü", 499) + "}]", nil},
		{"the strict form", map[string]string{"A1": "a"}, "[{1 1 a}]",
			[]string{xlsxtest.Spreadsheet, "http://purl.oclc.org/ooxml/spreadsheetml/main",
				xlsxtest.Office, "http://purl.oclc.org/ooxml/officeDocument/relationships"}},
	} {
		book := bookOfRows([]any{"a"})
		book.Sheets[0].Comments = test.comments
		s, rows := opened(t, book, test.oldnew...)
		if got := fmt.Sprint(s.Comments); got != test.want || len(rows) != 1 {
			t.Errorf("%s: %s, want %s", test.rule, got, test.want)
		}
	}
}

// TestCommentsHaveALimit checks the limit over all sheets, and that rows are still read.
func TestCommentsHaveALimit(t *testing.T) {
	var book xlsxtest.Book
	many := strings.Repeat(`<comment ref="A1"><text><t>x</t></text></comment>`, maxComments-1)
	for i := range 3 {
		book.Sheets = append(book.Sheets, xlsxtest.Sheet{Name: fmt.Sprint("S", i), Rows: [][]any{{"a"}},
			Comments: map[string]string{"A1": "a", "A2": "b"}})
	}
	data := changed(book.Bytes(), func(s string) string {
		return strings.Replace(s, "<commentList>", "<commentList>"+many, 1)
	})
	b, err := Open("list", bytes.NewReader(data), Options{})
	if err != nil || len(b.Sheets[0].Comments) != maxComments || len(b.Sheets[1].Comments)+len(b.Sheets[2].Comments) != 0 {
		t.Errorf("%v, %v", b, err)
	}
}

func TestDamagedPartsOfASheet(t *testing.T) {
	for part, want := range map[string]string{
		"comments":      "list: xl/comments1.xml is damaged: XML syntax error on line 1: unexpected EOF",
		"Relationships": "list: xl/worksheets/_rels/sheet1.xml.rels is damaged: XML syntax error on line 1: unexpected EOF",
	} {
		book := bookOfRows([]any{"a"})
		book.Sheets[0].Comments = map[string]string{"A1": "a"}
		_, err := show(changed(book.Bytes(), func(s string) string {
			if strings.Contains(s, "<commentList>") || strings.Contains(s, "/comments1.xml\"/></Relationships>") {
				return strings.TrimSuffix(s, "</"+part+">")
			}
			return s
		}))
		if got := faultText(t, err); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
