package workbook

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
)

// An xlsx is a workbook of which the sheets are still packed.
type xlsx struct {
	input    string
	strings  texts    // the shared ones
	formats  []format // of numbers, by style
	date1904 bool     // days are counted from 1904, not from 1900
	merges   int      // merged ranges of the sheets so far
}

// openXLSX opens a workbook. Each part is read in one pass over the XML as it is unpacked: a library that keeps parts in memory makes a GiB of
// a few KiB of empty styles.
func openXLSX(ctx context.Context, name string, data []byte) (*Book, error) {
	parts, err := openArchive(ctx, data)
	if err != nil {
		return nil, faultOf(name, err)
	}
	x := &xlsx{input: name}
	sheets, err := x.open(parts)
	if isEnd(err) {
		return nil, err
	}
	if err != nil {
		return nil, faultOf(name, err)
	}
	return &Book{Sheets: sheets}, nil
}

// open reads all but the rows. The errors are for people.
func (x *xlsx) open(parts archive) ([]*Sheet, error) {
	main, err := mainPart(parts)
	if err != nil {
		return nil, err
	}
	relations, err := parts.relations(main)
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
		if r.id != "" && !r.is("worksheet") { // a sheet that is a chart, a dialog or a macro
			continue
		}
		sheet := &Sheet{Name: s.name, Hidden: s.state != "" && s.state != "visible"}
		part := parts.take(r.target)
		if part == nil {
			return nil, fmt.Errorf("the sheet %s has no part of its own in the file: the file is damaged", dataset.Quoted(s.name))
		}
		if sheet.Merged, err = x.merged(part); err != nil {
			return nil, fmt.Errorf("the sheet %s is damaged: %w", dataset.Quoted(s.name), err)
		}
		sheet.rows = func(yield func(Row) bool) error { return x.rows(sheet.Name, part, yield) }
		sheets = append(sheets, sheet)
	}
	if len(sheets) == 0 {
		return nil, errors.New("a workbook without a sheet of cells")
	}
	return sheets, nil
}

// mainPart returns the name of the part that lists the sheets.
func mainPart(parts archive) (string, error) {
	if parts["content.xml"] != nil {
		return "", errors.New("an OpenDocument file (.ods), which is not read: save it as .xlsx or CSV")
	}
	relations, err := parts.relations("")
	if err != nil {
		return "", err
	}
	for _, r := range relations {
		if !r.is("officeDocument") || parts[strings.ToLower(r.target)] == nil {
			continue
		}
		switch {
		case strings.HasSuffix(strings.ToLower(r.target), ".bin"):
			return "", errors.New("a binary workbook (.xlsb), which is not read: save it as .xlsx or CSV")
		case strings.Contains(r.target, "word/"), strings.Contains(r.target, "ppt/"):
			return "", errors.New("a text or presentation, not a workbook: save the table as .xlsx or CSV")
		}
		return r.target, nil
	}
	return "", errors.New("a ZIP archive that is no workbook: a table is .xlsx, CSV or TSV")
}

// A listed is one sheet in the workbook's list. id is the relation that names its part.
type listed struct{ name, state, id string }

// listedSheets reads the part that lists the sheets, and whether its days are counted from 1904. Extensions of the format, which lie deeper,
// have elements of the same names.
func (x *xlsx) listedSheets(parts archive, main string) (sheets []listed, err error) {
	parent := ""
	err = parts.elements(main, func(depth int, e xml.StartElement) (err error) {
		switch {
		case depth == 2:
			parent = e.Name.Local
			if days := strings.TrimSpace(attribute(e, "date1904")); parent == "workbookPr" && days != "" {
				if x.date1904, err = strconv.ParseBool(days); err != nil {
					return fmt.Errorf("date1904 is %s, expected 0 or 1", dataset.Quoted(days))
				}
			}
		case parent == "sheets" && e.Name.Local == "sheet":
			sheets = append(sheets, listed{attribute(e, "name"), attribute(e, "state"), attribute(e, "id")})
		}
		return nil
	})
	return sheets, err
}

// sharedStrings reads the texts that cells refer to by number. They lie in blocks of memory, which never move as those of one would that grows.
func sharedStrings(part *part) (all texts, err error) {
	if part == nil { // some programs name a part that they do not write
		return texts{}, nil
	}
	var block strings.Builder
	var current []byte
	size, text, phonetic := 0, false, false
	err = part.walk(func(token xml.Token) (valued bool, err error) {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				text = !phonetic
			case "rPh":
				phonetic = true
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				text = false
			case "rPh":
				phonetic = false
			case "si":
				if block.Cap()-block.Len() < len(current) {
					block = strings.Builder{}
					block.Grow(max(len(current), 64<<10))
				}
				start := block.Len()
				valued = len(current) > 0
				block.Write(current)
				all.add(unescaped(block.String()[start:]))
				size, current = size+len(current), current[:0]
			}
		case xml.CharData:
			if text {
				current = append(current, t...)
			}
		}
		if size+len(current)+16*all.n > maxStrings {
			return false, fmt.Errorf("more than %d MiB of texts", maxStrings>>20)
		}
		return valued, nil
	})
	return all, err
}

// texts are strings by number. They lie in pieces, since a list of millions that grows is in memory twice.
type texts struct {
	pieces [][]string // each of textsPiece
	n      int
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

// merged returns the merged ranges of a sheet. They come after the rows, so the sheet is searched for them without reading the rows, and read
// to its end, which checks what was packed.
func (x *xlsx) merged(part *part) ([]Range, error) {
	file, err := part.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 64<<10)
	for all := []Range(nil); ; {
		if err := skipBehind(r, []byte("mergeCell")); errors.Is(err, io.EOF) {
			x.merges += len(all)
			slices.SortStableFunc(all, func(a, b Range) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
			return all, nil
		} else if err != nil {
			return nil, err
		}
		element, _ := r.ReadSlice('>') // an error comes again
		if _, ref, ok := bytes.Cut(element, []byte(" ref=")); ok && len(ref) > 2 {
			ref, _, _ = bytes.Cut(ref[1:], ref[:1]) // quotes of either kind
			all = appendRange(all, string(ref))
		}
		if x.merges+len(all) > maxMerged {
			return nil, fmt.Errorf("more than %d merged ranges", maxMerged)
		}
	}
}

// appendRange appends a range like "A1:C2".
func appendRange(all []Range, ref string) []Range {
	first, last, _ := strings.Cut(ref, ":")
	var r Range
	var ok, ok2 bool
	r.FirstRow, r.FirstColumn, ok = cellRef(first)
	r.LastRow, r.LastColumn, ok2 = cellRef(last)
	if !ok || !ok2 || r.LastRow < r.FirstRow || r.LastColumn < r.FirstColumn {
		return all
	}
	return append(all, r)
}

// skipBehind reads up to the end of a text, or to io.EOF.
func skipBehind(r *bufio.Reader, text []byte) error {
	for {
		_, err := r.Peek(len(text))
		if err != nil {
			return err
		}
		b, _ := r.Peek(r.Buffered())
		if i := bytes.Index(b, text); i >= 0 {
			_, err = r.Discard(i + len(text))
			return err
		}
		if _, err := r.Discard(len(b) - len(text) + 1); err != nil {
			return err
		}
	}
}

// cellRef reads the name of a cell, "D7": row 7, column 4.
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

// unescaped returns a text with the characters that XML has no form for, which workbooks write like "_x000D_".
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
