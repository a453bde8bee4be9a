// Package xlsxtest writes workbooks for tests and benchmarks, of rows of values or of XML that a test spells out itself. The program does not
// import it.
package xlsxtest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The namespaces of a workbook's elements and of its relations.
const (
	Spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	Office      = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

	packages = "http://schemas.openxmlformats.org/package/2006/"
	content  = "application/vnd.openxmlformats-"
)

// A Book is a workbook.
type Book struct {
	Sheets []Sheet
	Styles string // the part of the styles; "": an empty one
	Shared string // the elements of the shared strings
}

// A Sheet is a sheet of cells.
type Sheet struct {
	Name   string
	Hidden bool
	Rows   [][]any  // strings and numbers; nil and "" are no cells
	Merged []string // ranges such as "A1:B2"
	XML    string   // the whole part of a sheet without rows
}

// Cells returns a row of texts, in which those that strconv reads as numbers are numbers.
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

// Parts returns the names and contents of the parts in turn. The relations to the sheets have absolute targets and the others
// relative ones, and every second row has shared strings unless Shared is set, since programs write both.
func (b Book) Parts() []string {
	styles := b.Styles
	if styles == "" {
		styles = `<styleSheet xmlns="` + Spreadsheet + `"/>`
	}
	parts := []string{"xl/styles.xml", styles}
	shared, texts := b.Shared, 0
	share := func(text string) int {
		shared += `<si><t xml:space="preserve">` + escaped(text) + `</t></si>`
		texts++
		return texts - 1
	}
	if b.Shared != "" {
		share = nil
	}
	relations := relation("styles", "styles", "styles.xml") + relation("strings", "sharedStrings", "sharedStrings.xml")
	types := override("xl/workbook.xml", "sheet.main") + override("xl/styles.xml", "styles") + override("xl/sharedStrings.xml", "sharedStrings")
	var sheets string
	for i, s := range b.Sheets {
		id, name, state := fmt.Sprint("sheet", i+1), fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), ""
		if s.Hidden {
			state = ` state="hidden"`
		}
		sheets += fmt.Sprintf(`<sheet name="%s" sheetId="%d"%s r:id="%s"/>`, escaped(s.Name), i+1, state, id)
		relations += relation(id, "worksheet", "/"+name)
		types += override(name, "worksheet")
		parts = append(parts, name, s.part(share))
	}
	return append(parts,
		"xl/sharedStrings.xml", `<sst xmlns="`+Spreadsheet+`">`+shared+`</sst>`,
		"[Content_Types].xml", `<Types xmlns="`+packages+`content-types"><Default Extension="rels" ContentType="`+content+`package.relationships+xml"/>`+types+`</Types>`,
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
	return fmt.Sprintf(`<Override PartName="/%s" ContentType="%sofficedocument.spreadsheetml.%s+xml"/>`, part, content, kind)
}

// part returns the XML of a sheet. share returns the number of a shared string; nil: there are none.
func (s Sheet) part(share func(string) int) string {
	if len(s.Rows) == 0 {
		return s.XML
	}
	var b strings.Builder
	b.WriteString(`<worksheet xmlns="` + Spreadsheet + `"><sheetData>`)
	for y, row := range s.Rows {
		fmt.Fprintf(&b, `<row r="%d">`, y+1)
		for x, value := range row {
			switch text, isText := value.(string); {
			case value == nil || isText && text == "":
			case isText && share != nil && y%2 == 1:
				fmt.Fprintf(&b, `<c r="%s%d" t="s"><v>%d</v></c>`, column(x), y+1, share(text))
			case isText:
				fmt.Fprintf(&b, `<c r="%s%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, column(x), y+1, escaped(text))
			default:
				fmt.Fprintf(&b, `<c r="%s%d"><v>%v</v></c>`, column(x), y+1, value)
			}
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData>`)
	if len(s.Merged) > 0 {
		b.WriteString(`<mergeCells><mergeCell ref="` + strings.Join(s.Merged, `"/><mergeCell ref="`) + `"/></mergeCells>`)
	}
	b.WriteString(`</worksheet>`)
	return b.String()
}

// column returns the name of a column, A for 0.
func column(x int) string {
	name := string(rune('A' + x%26))
	if x >= 26 {
		return column(x/26-1) + name
	}
	return name
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder takes everything
	return b.String()
}

// Archive returns a ZIP archive of parts, names and contents in turn. It panics if it cannot be written.
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
