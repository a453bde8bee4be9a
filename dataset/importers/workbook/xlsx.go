package workbook

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sabine/dataset"
)

// An xlsx is a workbook whose sheets are still packed.
type xlsx struct {
	input    string
	strings  texts    // shared strings
	formats  []format // number formats, by style
	date1904 bool     // whether days count from 1904 and not from 1900
	merges   int      // number of merged ranges so far
	links    int      // number of links so far, as for maxLinks
	comments int      // number of comments so far
}

// openXLSX opens a workbook. It reads each part in one pass over the XML while it is unpacked, because a
// library that retains parts in memory needs a GiB for a few KiB of empty styles.
func openXLSX(ctx context.Context, name string, data []byte) (*Book, error) {
	parts, err := openArchive(ctx, data)
	if err != nil {
		return nil, FileFault(name, err.Error())
	}
	x := &xlsx{input: name}
	sheets, err := x.open(parts)
	if isContextEnd(err) {
		return nil, err
	}
	if err != nil {
		return nil, FileFault(name, err.Error())
	}
	return &Book{Sheets: sheets}, nil
}

// open reads everything except the rows. Its errors are messages for users.
func (x *xlsx) open(parts archive) ([]*Sheet, error) {
	main, err := mainPart(parts)
	if err != nil {
		return nil, err
	}
	relations, err := parts.relations(main, maxSmall)
	if err != nil {
		return nil, err
	}
	byID := map[string]relation{}
	for _, r := range relations {
		byID[r.id] = r
		switch {
		case r.is("styles"):
			x.formats, err = formatsOf(parts.take(r.target))
		case r.is("sharedStrings"):
			x.strings, err = sharedStrings(parts.take(r.target))
		}
		if err != nil {
			return nil, fmt.Errorf("%s is damaged: %w", r.target, err)
		}
	}
	list, err := x.listedSheets(parts, main)
	if err != nil {
		return nil, err
	}
	var sheets []*Sheet
	for _, s := range list {
		r := byID[s.id]
		if r.id != "" && !r.is("worksheet") { // a chart, a dialog or a macro
			continue
		}
		sheet := &Sheet{Name: s.name, Hidden: s.state != "" && s.state != "visible", links: map[int][]link{}}
		part := parts.take(r.target)
		if part == nil {
			return nil, fmt.Errorf("the file is damaged: it has no part for the sheet %s",
				dataset.Quoted(s.name))
		}
		targets, err := x.attached(parts, r.target, sheet)
		if err != nil {
			return nil, err
		}
		if err := x.scan(part, sheet, targets); err != nil {
			return nil, fmt.Errorf("the sheet %s is damaged: %w", dataset.Quoted(s.name), err)
		}
		sheet.Rows = func(yield func(Row) bool) error { return x.rows(sheet, part, yield) }
		sheets = append(sheets, sheet)
	}
	if len(sheets) == 0 {
		return nil, errors.New("the workbook has no sheet with cells")
	}
	return sheets, nil
}

// mainPart returns the name of the part that lists the sheets.
func mainPart(parts archive) (string, error) {
	if parts["content.xml"] != nil {
		return "", errors.New("OpenDocument files (.ods) are not supported: save the file as .xlsx or CSV")
	}
	relations, err := parts.relations("", maxSmall)
	if err != nil {
		return "", err
	}
	for _, r := range relations {
		if !r.is("officeDocument") || parts[strings.ToLower(r.target)] == nil {
			continue
		}
		switch {
		case strings.HasSuffix(strings.ToLower(r.target), ".bin"):
			return "", errors.New("binary workbooks (.xlsb) are not supported: save the file as .xlsx or CSV")
		case strings.Contains(r.target, "word/"), strings.Contains(r.target, "ppt/"):
			return "", errors.New("the file is a text document or presentation: save the table as .xlsx or CSV")
		}
		return r.target, nil
	}
	return "", errors.New("a ZIP archive that is not a workbook: expected .xlsx, CSV or TSV")
}

// A sheetEntry is an entry in the sheet list. id is the relation that names its part.
type sheetEntry struct{ name, state, id string }

// listedSheets reads the part that lists the sheets, and whether days count from 1904. Extensions of the
// format use the same element names at deeper levels.
func (x *xlsx) listedSheets(parts archive, main string) (sheets []sheetEntry, err error) {
	parent := ""
	err = parts.elements(main, maxSmall, func(depth int, e xml.StartElement) (err error) {
		switch {
		case depth == 2:
			parent = e.Name.Local
			if days := strings.TrimSpace(attribute(e, "date1904")); parent == "workbookPr" && days != "" {
				if x.date1904, err = strconv.ParseBool(days); err != nil {
					return fmt.Errorf("date1904 is %s, expected 0 or 1", dataset.Quoted(days))
				}
			}
		case parent == "sheets" && e.Name.Local == "sheet":
			sheets = append(sheets, sheetEntry{attribute(e, "name"), attribute(e, "state"), attribute(e, "id")})
		}
		return nil
	})
	return sheets, err
}

// sharedStrings reads the strings that cells refer to by number. Their blocks of memory never move, unlike
// one growing block.
func sharedStrings(part *part) (all texts, err error) {
	if part == nil { // some programs name a part that they do not write
		return texts{}, nil
	}
	var block strings.Builder
	var current []byte
	var k textState
	size := 0
	struck, hasPlain := false, false // whether this piece, and whether not all pieces of the string, are struck out
	err = part.walk(func(token xml.Token) (valued bool, err error) {
		k.follow(token)
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "strike" {
				struck = !isFalse(attribute(t, "val"))
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "r":
				struck = false
			case "si":
				if valued = len(current) > 0; valued && !hasPlain {
					all.struck = append(all.struck, all.n)
				}
				if block.Cap()-block.Len() < len(current) {
					block = strings.Builder{}
					block.Grow(max(len(current), 64<<10))
				}
				start := block.Len()
				block.Write(current)
				all.add(unescaped(block.String()[start:]))
				size, current, hasPlain = size+len(current), current[:0], false
			}
		case xml.CharData:
			if k.inText {
				current, hasPlain = append(current, t...), hasPlain || !struck
			}
		}
		if size+len(current)+16*all.n > maxStrings {
			return false, fmt.Errorf("more than %d MiB of shared strings", maxStrings>>20)
		}
		return valued, nil
	})
	return all, err
}

// A textState follows the elements around a string. inText is true in elements with letters or a value, and
// false in phonetic elements.
type textState struct{ inText, phonetic bool }

func (k *textState) follow(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		k.phonetic = k.phonetic || t.Name.Local == "rPh"
		k.inText = (t.Name.Local == "t" || t.Name.Local == "v") && !k.phonetic
	case xml.EndElement:
		k.phonetic = k.phonetic && t.Name.Local != "rPh"
		k.inText = false
	}
}

// texts are strings by number. They are in pieces, because a growing list of millions would be in memory
// twice.
type texts struct {
	pieces [][]string // textsPiece strings in each
	n      int
	struck []int // strings that are struck out in all of their pieces, ascending
}

const textsPiece = 1 << 14

func (t *texts) add(s string) {
	if t.n%textsPiece == 0 {
		t.pieces = append(t.pieces, nil)
	}
	last := len(t.pieces) - 1
	t.pieces[last] = append(t.pieces[last], s)
	t.n++
}

func (t *texts) at(i int) string { return t.pieces[i/textsPiece][i%textsPiece] }

// cellRef parses a cell name, "D7": row 7, column 4.
func cellRef(name string) (row, column int, ok bool) {
	i := 0
	for ; i < len(name) && i < 3 && name[i]|0x20 >= 'a' && name[i]|0x20 <= 'z'; i++ {
		column = column*26 + int(name[i]|0x20-'a') + 1
	}
	digits := i
	for ; i < len(name) && i < digits+7 && name[i] >= '0' && name[i] <= '9'; i++ {
		row = row*10 + int(name[i]-'0')
	}
	return row, column, i == len(name) && row >= 1 && row <= maxRows && column >= 1 && column <= maxColumns
}

// unescaped decodes characters that XML cannot represent, which workbooks write like "_x000D_".
func unescaped(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if i+7 <= len(s) && s[i] == '_' && s[i+1] == 'x' && s[i+6] == '_' {
			if code, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil {
				b.WriteRune(rune(code))
				i += 7
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}
