// Package xlsxtest writes workbooks for tests and benchmarks, from rows of values or from XML. The program
// does not import it.
package xlsxtest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Namespaces of a workbook's elements and relations.
const (
	Spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	Office      = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

	packages = "http://schemas.openxmlformats.org/package/2006/"
	content  = "application/vnd.openxmlformats-"
)

// A Book is a workbook.
type Book struct {
	Sheets []Sheet
	Styles string // styles part; if "", it is made from the cells
	Shared string // elements of the shared strings
}

// A Sheet is a sheet of cells.
type Sheet struct {
	Name   string
	Hidden bool
	Rows   [][]any  // strings, numbers and Cells; nil and "" write no cell
	Merged []string // ranges such as "A1:B2"
	XML    string   // XML of the entire sheet part, for a sheet without Rows

	HiddenColumns, HiddenRows []int             // 1-based
	Links                     map[string]string // addresses by cell or range, such as "A2" or "A2:A9"
	Comments                  map[string]string // comments by cell
}

// A Cell is a cell with properties other than its value.
type Cell struct {
	Value   any    // a string or a number; nil for none
	Format  string // number format, such as "h:mm"
	Struck  bool   // whether the font is struck through
	Formula string
}

// A style is a cell format. Styles are written if Book.Styles is "".
type style struct {
	format string
	struck bool
}

// Cells returns a row of strings. It replaces strings that strconv can parse by numbers.
func Cells(texts []string) []any {
	cells := make([]any, len(texts))
	for i, text := range texts {
		cells[i] = text
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			cells[i] = n
		}
	}
	return cells
}

// Bytes returns the file of the workbook.
func (b Book) Bytes() []byte { return Archive(zip.Deflate, b.Parts()...) }

// Parts returns alternating names and contents of the parts. Relations to sheets have absolute targets and
// other relations have relative ones. Rows alternate between shared and inline strings unless Shared is set.
// Programs write all of these forms.
func (b Book) Parts() []string {
	var parts []string
	var shared strings.Builder
	shared.WriteString(b.Shared)
	styles, texts := []style{{}}, 0
	share := func(text string) int {
		shared.WriteString(`<si>` + preserved(text) + `</si>`)
		texts++
		return texts - 1
	}
	if b.Shared != "" {
		share = nil
	}
	relations := relation("styles", "styles", "styles.xml") + relation("strings", "sharedStrings", "sharedStrings.xml")
	types := override("xl/workbook.xml", "sheet.main") + override("xl/styles.xml", "styles") +
		override("xl/sharedStrings.xml", "sharedStrings")
	var sheets string
	for i, s := range b.Sheets {
		id, name, state := fmt.Sprint("sheet", i+1), fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), ""
		if s.Hidden {
			state = ` state="hidden"`
		}
		sheets += fmt.Sprintf(`<sheet name="%s" sheetId="%d"%s r:id="%s"/>`, escaped(s.Name), i+1, state, id)
		relations += relation(id, "worksheet", "/"+name)
		types += override(name, "worksheet")
		parts = append(parts, name, s.part(share, &styles))
		attached := ""
		for j, ref := range slices.Sorted(maps.Keys(s.Links)) {
			link := relation(fmt.Sprint("link", j+1), "hyperlink", escaped(s.Links[ref]))
			attached += strings.TrimSuffix(link, "/>") + ` TargetMode="External"/>`
		}
		if len(s.Comments) > 0 {
			comments := fmt.Sprintf("xl/comments%d.xml", i+1)
			attached += relation("comments", "comments", "/"+comments)
			types += override(comments, "comments")
			parts = append(parts, comments, s.comments())
		}
		if attached != "" {
			parts = append(parts, fmt.Sprintf("xl/worksheets/_rels/sheet%d.xml.rels", i+1), relationships(attached))
		}
	}
	if b.Styles == "" {
		b.Styles = stylesPart(styles)
	}
	return append(parts,
		"xl/styles.xml", b.Styles,
		"xl/sharedStrings.xml", `<sst xmlns="`+Spreadsheet+`">`+shared.String()+`</sst>`,
		"[Content_Types].xml", `<Types xmlns="`+packages+`content-types"><Default Extension="rels" ContentType="`+content+
			`package.relationships+xml"/>`+types+`</Types>`,
		"_rels/.rels", relationships(relation("book", "officeDocument", "xl/workbook.xml")),
		"xl/_rels/workbook.xml.rels", relationships(relations),
		"xl/workbook.xml", `<workbook xmlns="`+Spreadsheet+`" xmlns:r="`+Office+`"><sheets>`+sheets+`</sheets></workbook>`)
}

func relation(id, kind, target string) string {
	return fmt.Sprintf(`<Relationship Id="%s" Type="%s/%s" Target="%s"/>`, id, Office, kind, target)
}

func relationships(all string) string {
	return `<Relationships xmlns="` + packages + `relationships">` + all + `</Relationships>`
}

func override(part, kind string) string {
	return fmt.Sprintf(`<Override PartName="/%s" ContentType="%sofficedocument.spreadsheetml.%s+xml"/>`, part, content,
		kind)
}

// stylesPart returns the styles part. The first style applies to cells without a style.
func stylesPart(styles []style) string {
	var formats, cells strings.Builder
	for i, s := range styles {
		font, format := 0, 0
		if s.struck {
			font = 1
		}
		if s.format != "" {
			format = 164 + i // first free number
			fmt.Fprintf(&formats, `<numFmt numFmtId="%d" formatCode="%s"/>`, format, escaped(s.format))
		}
		fmt.Fprintf(&cells, `<xf numFmtId="%d" fontId="%d"/>`, format, font)
	}
	return `<styleSheet xmlns="` + Spreadsheet + `"><numFmts>` + formats.String() + `</numFmts>` +
		`<fonts><font/><font><strike/></font></fonts>` +
		`<cellXfs>` + cells.String() + `</cellXfs></styleSheet>`
}

// comments returns the comments part of the sheet.
func (s Sheet) comments() string {
	var b strings.Builder
	for _, ref := range slices.Sorted(maps.Keys(s.Comments)) {
		fmt.Fprintf(&b, `<comment ref="%s" authorId="0"><text><t>%s</t></text></comment>`, ref, escaped(s.Comments[ref]))
	}
	return `<comments xmlns="` + Spreadsheet + `"><authors><author/></authors>` +
		`<commentList>` + b.String() + `</commentList></comments>`
}

func preserved(text string) string { return `<t xml:space="preserve">` + escaped(text) + `</t>` }

// part returns a sheet's XML and adds the styles of its cells to styles. share returns the number of a shared
// string. If share is nil, the sheet has no shared strings.
func (s Sheet) part(share func(string) int, styles *[]style) string {
	if len(s.Rows) == 0 {
		return s.XML
	}
	var b strings.Builder
	b.WriteString(`<worksheet xmlns="` + Spreadsheet + `" xmlns:r="` + Office + `">`)
	if len(s.HiddenColumns) > 0 {
		b.WriteString(`<cols>`)
		for _, n := range s.HiddenColumns {
			fmt.Fprintf(&b, `<col min="%d" max="%d" width="9" hidden="1"/>`, n, n)
		}
		b.WriteString(`</cols>`)
	}
	b.WriteString(`<sheetData>`)
	for y, row := range s.Rows {
		hidden := ""
		if slices.Contains(s.HiddenRows, y+1) {
			hidden = ` hidden="1"`
		}
		fmt.Fprintf(&b, `<row r="%d"%s>`, y+1, hidden)
		for x, value := range row {
			ref := column(x) + strconv.Itoa(y+1)
			c, special := value.(Cell)
			if special {
				if value = c.Value; c.Formula != "" {
					c.Formula = `<f>` + escaped(c.Formula) + `</f>`
				}
				own := style{c.Format, c.Struck}
				if !slices.Contains(*styles, own) {
					*styles = append(*styles, own)
				}
				ref += fmt.Sprintf(`" s="%d`, slices.Index(*styles, own))
			}
			switch text, isText := value.(string); {
			case !special && (value == nil || isText && text == ""):
			case value == nil:
				fmt.Fprintf(&b, `<c r="%s">%s</c>`, ref, c.Formula)
			case isText && c.Formula != "":
				fmt.Fprintf(&b, `<c r="%s" t="str">%s<v>%s</v></c>`, ref, c.Formula, escaped(text))
			case isText && share != nil && y%2 == 1:
				fmt.Fprintf(&b, `<c r="%s" t="s"><v>%d</v></c>`, ref, share(text))
			case isText:
				fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is>%s</is></c>`, ref, preserved(text))
			default:
				fmt.Fprintf(&b, `<c r="%s">%s<v>%v</v></c>`, ref, c.Formula, value)
			}
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData>`)
	if len(s.Merged) > 0 {
		b.WriteString(`<mergeCells><mergeCell ref="` + strings.Join(s.Merged, `"/><mergeCell ref="`) + `"/></mergeCells>`)
	}
	if len(s.Links) > 0 {
		b.WriteString(`<hyperlinks>`)
		for i, ref := range slices.Sorted(maps.Keys(s.Links)) {
			fmt.Fprintf(&b, `<hyperlink ref="%s" r:id="link%d"/>`, ref, i+1)
		}
		b.WriteString(`</hyperlinks>`)
	}
	b.WriteString(`</worksheet>`)
	return b.String()
}

// column returns the name of a column; column 0 is A.
func column(x int) string {
	name := string(rune('A' + x%26))
	if x >= 26 {
		return column(x/26-1) + name
	}
	return name
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // writes to a strings.Builder do not fail
	return b.String()
}

// Archive returns a ZIP archive of parts, given as alternating names and contents. It panics on an error.
func Archive(method uint16, parts ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: parts[i], Method: method})
		if err == nil {
			_, err = io.WriteString(f, parts[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
