package workbook

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sabine/internal/xlsxtest"
)

// linksOf returns the links in the first cells of a sheet: "A1=https://.."
func linksOf(s *Sheet) string {
	var all []string
	for row := range 10 {
		for column := range 5 {
			if target := s.Link(row+1, column+1); target != "" {
				all = append(all, CellName(row+1, column+1)+"="+target)
			}
		}
	}
	return strings.Join(all, " ")
}

func TestLinks(t *testing.T) {
	const a = "https://example.com/a"
	one := map[string]string{"A2": a}
	for _, test := range []struct {
		rule   string
		links  map[string]string
		want   string
		oldnew []string
	}{
		{"cells", map[string]string{"A2": a, "B1": "HTTP://b?c=1&d=2"}, "B1=HTTP://b?c=1&d=2 A2=" + a, nil},
		{"ranges", map[string]string{"B2:C3": a, "A1:A1": "http://b"}, "A1=http://b B2=" + a + " C2=" + a + " B3=" + a +
			" C3=" + a, nil},
		{"a range over the rest of the sheet", map[string]string{"E10:XFD1048576": a}, "E10=" + a, nil},
		{"a fragment", one, "A2=" + a + "#b", []string{`r:id="link1"`, `location="b" r:id="link1" display="x &gt; y"`}},
		{"in the workbook", one, "", []string{`r:id="link1"`, `location="S!A1"`}},
		{"in the workbook, with a relation", one, "", []string{` TargetMode="External"`, ""}},
		{"to something else", map[string]string{"A1": "mailto:a@example.com", "A2": "file:///c:/a", "A3": `..\a.pdf`,
			"A4": "https:a", "A5": "javascript://a", "B1": ""}, "", nil},
		{"without a relation of theirs", one, "", []string{`r:id="link1"`, `r:id="link2"`}},
		{"of no cell", map[string]string{"A0": a, "x": a, "B2:A1": a, "A1:": a}, "", nil},
		{"names with prefixes", one, "A2=" + a, []string{"<hyperlink ", "<x:hyperlink ", "<worksheet ",
			`<worksheet xmlns:x="x" `}},
		{"the strict form", one, "A2=" + a, []string{xlsxtest.Spreadsheet, "http://purl.oclc.org/ooxml/spreadsheetml/main",
			xlsxtest.Office, "http://purl.oclc.org/ooxml/officeDocument/relationships"}},
	} {
		book := bookOfRows([]any{"a"})
		book.Sheets[0].Links = test.links
		s, _ := opened(t, book, test.oldnew...)
		if got := linksOf(s); got != test.want {
			t.Errorf("%s: %s, want %s", test.rule, got, test.want)
		}
	}
}

func TestLinksOfFormulas(t *testing.T) {
	for formula, want := range map[string]string{
		`HYPERLINK("https://a/b?c=1&d=2","text")`: "https://a/b?c=1&d=2", `hyperlink( "http://a" ; B1)`: "http://a",
		`HYPERLINK("http://a")`:     "http://a",
		`HYPERLINK("#S!A1","text")`: "", `HYPERLINK("mailto:a@example.com")`: "", `HYPERLINK("https://a/"&B1,"text")`: "",
		`HYPERLINK(B1)`:        "",
		`HYPERLINK("https://a`: "", `HYPERLINK("https://a"`: "", `HYPERLINK(`: "", `HYPERLINK`: "", `A1`: "",
		`IF(A1,HYPERLINK("https://a"))`: "",
	} {
		for _, value := range []any{"text", 1, nil} {
			book := bookOfRows([]any{"a"}, []any{nil, xlsxtest.Cell{Value: value, Formula: formula}})
			s, _ := opened(t, book)
			if want := strings.Repeat("B2=", min(len(want), 1)) + want; linksOf(s) != want {
				t.Errorf("%s with the value %v: %q, want %q", formula, value, linksOf(s), want)
			}
		}
	}
	book := bookOfRows([]any{xlsxtest.Cell{Value: "a", Formula: `HYPERLINK("https://formula")`},
		"HYPERLINK(\"https://text\")"})
	book.Sheets[0].Links = map[string]string{"A1": "https://cell", "B1": "https://other"}
	if s, _ := opened(t, book); linksOf(s) != "A1=https://formula B1=https://other" {
		t.Errorf("a cell with both: %s", linksOf(s))
	}
	text := &Sheet{}
	if text.Link(1, 1) != "" {
		t.Error("a link in CSV")
	}
}

// TestLinksHaveALimit checks the limit, which a product list with many links does not reach.
func TestLinksHaveALimit(t *testing.T) {
	const few, long = `<hyperlink ref="A1:XFD1048576" r:id="link1"/>`,
		"more than 1048576 links, or 128 MiB of addresses"
	formula := `<row><c><f>HYPERLINK("https://` + strings.Repeat("x", 2000) + `")</f><v>1</v></c></row>`
	for _, test := range []struct{ rule, elements, rows, want string }{
		{"ranges over all columns", strings.Repeat(few, maxLinks/maxColumns), "", ""},
		{"too many ranges over all columns", strings.Repeat(few, maxLinks/maxColumns+1), "",
			`list: the sheet "S" is damaged: ` + long},
		{"formulas", "", strings.Repeat(formula, 3000), ""},
		{"formulas after links", strings.Repeat(few, maxLinks/maxColumns), formula,
			`list[S!A2]: the sheet is truncated or damaged here: ` + long},
	} {
		book := bookOfRows([]any{"a"})
		book.Sheets[0].Links = map[string]string{"A1": "http://a"}
		_, err := show(changed(book.Bytes(), strings.NewReplacer(`<hyperlink ref="A1" r:id="link1"/>`, test.elements,
			"</sheetData>", test.rows+"</sheetData>").Replace))
		if got := faultText(t, err); got != test.want {
			t.Errorf("%s: %q, want %q", test.rule, got, test.want)
		}
	}
	var relations, elements strings.Builder
	const many = maxListed + 50_000 // more than other relation lists can contain
	for i := range many {
		fmt.Fprintf(&relations,
			`<Relationship Id="r%d" Type="x/hyperlink" Target="https://example.com/products/%d" TargetMode="External"/>`, i, i)
		fmt.Fprintf(&elements, `<hyperlink ref="A%d" r:id="r%d"/>`, many-i, i)
	}
	parts := xlsxtest.Book{Sheets: []xlsxtest.Sheet{{Name: "S",
		XML: `<worksheet xmlns:r="r"><sheetData/><hyperlinks/></worksheet>`}}}.Parts()
	parts = append(parts, "xl/worksheets/_rels/sheet1.xml.rels", "<Relationships>"+relations.String()+"</Relationships>")
	parts[1] = strings.Replace(parts[1], "<sheetData/><hyperlinks/>", "<sheetData></sheetData>"+elements.String(), 1)
	b, err := Open("list", bytes.NewReader(zipped(parts...)), Options{})
	if err != nil || b.Sheets[0].Link(many, 1) != "https://example.com/products/0" ||
		b.Sheets[0].Link(1, 1) != fmt.Sprint("https://example.com/products/", many-1) {
		t.Errorf("many links: %v", err)
	}
}
