package workbook

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// scan reads the elements before and after the rows of a sheet: hidden columns, merged ranges and links. It
// skips the rows, and reads the part to its end, which verifies the checksum. targets maps relations to link
// targets.
func (x *xlsx) scan(part *part, s *Sheet, targets map[string]string) error {
	file, err := part.open()
	if err != nil {
		return err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 64<<10)
	merges, limit := x.merges, error(nil) // merges: number in earlier sheets
	_ = part.tokens(r, func(token xml.Token) (valued bool, err error) {
		e, _ := token.(xml.StartElement)
		switch e.Name.Local {
		case "sheetData":
			return false, skipRows(r)
		case "col":
			s.HiddenColumns = appendHidden(s.HiddenColumns, e)
		case "mergeCell":
			s.Merged = appendRange(s.Merged, attribute(e, "ref"))
			if x.merges = merges + len(s.Merged); x.merges > maxMerged {
				limit = fmt.Errorf("more than %d merged ranges", maxMerged)
			}
		case "filterColumn", "tablePart":
			s.Filtered = true
			return false, nil
		case "hyperlink":
			limit = x.addLinks(s, e, targets)
		default:
			return false, nil
		}
		return true, limit
	}) // reading the rows reports damage in the XML, with its location
	if limit != nil {
		return limit
	}
	slices.Sort(s.HiddenColumns)
	s.HiddenColumns = slices.Compact(s.HiddenColumns)
	slices.SortStableFunc(s.Merged, func(a, b Range) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
	for _, links := range s.links {
		slices.SortStableFunc(links, func(a, b link) int { return cmp.Compare(a.first, b.first) })
	}
	_, err = io.Copy(io.Discard, r)
	return err
}

// skipRows reads up to the end of the rows, "</sheetData>" or "</x:sheetData>", or to io.EOF.
func skipRows(r *bufio.Reader) error {
	const longest = 64 // bytes searched for the end tag
	for {
		_, err := r.Peek(longest + 1)
		b, _ := r.Peek(r.Buffered())
		pass := len(b) - longest
		if i := bytes.Index(b, []byte("Data")); i >= 0 { // part of "sheetData": few cells have a D, most have an s
			start := max(bytes.LastIndexByte(b[:i], '<'), 0)
			if bytes.HasPrefix(b[start:], []byte("</")) && bytes.HasSuffix(b[start:i], []byte("sheet")) {
				_, err = r.Discard(start)
				return err
			}
			pass = i + 1
		} else if err != nil {
			return err
		}
		_, _ = r.Discard(pass)
	}
}

// appendHidden appends the columns of an element like <col min="2" max="3" width="8.43" hidden="1"/> if it
// hides them.
func appendHidden(all []int, e xml.StartElement) []int {
	first, err := strconv.Atoi(attribute(e, "min"))
	last, err2 := strconv.Atoi(attribute(e, "max"))
	hidden := isTrue(attribute(e, "hidden")) || isZero(attribute(e, "width"))
	if !hidden || err != nil || err2 != nil || first < 1 {
		return all
	}
	for column := first; column <= min(last, maxColumns) && len(all) < maxColumns; column++ {
		all = append(all, column)
	}
	return all
}

// isZero reports whether an attribute is a number equal to zero.
func isZero(value string) bool {
	return value != "" && strings.Trim(value, "0.") == ""
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
