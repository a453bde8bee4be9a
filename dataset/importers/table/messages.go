package table

import (
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/workbook"
)

// unknown returns a warning about published columns, if any, that neither a rule nor a map knows.
func unknown(t *layout.Table, end *layout.End) []dataset.Fault {
	var headers []string
	for i := range t.Columns {
		c := &t.Columns[i]
		_, isMapped := t.Map.Lookup(c.Header)
		if end.HasValue[i] && c.LeftOut == "" && !c.Ignored && !c.Known() && c.Header != "" && !isMapped {
			headers = append(headers, c.Header)
		}
	}
	if len(headers) == 0 {
		return nil
	}
	return []dataset.Fault{{
		Place:   t.Columns[0].Place,
		Problem: "unknown columns are published in structured_meta under their names: " + quotedList(headers),
	}}
}

// maxQuoted is the maximum number of strings quoted in a message.
const maxQuoted = 100

// quotedList joins strings for a message.
func quotedList(list []string) string {
	var quoted []string
	for _, text := range list[:min(len(list), maxQuoted)] {
		quoted = append(quoted, dataset.Quoted(text))
	}
	return grid.Listed(quoted, len(list))
}

// emptyFault returns the fault for a file without rows to read.
func (im *importing) emptyFault(input string, book *workbook.Book, f *found) *dataset.Fault {
	fault := workbook.FileFault(input, "")
	switch {
	case f.sheets == 0:
		fault.Problem = im.noSheet(book)
	case f.unmapped != nil:
		return f.unmapped
	case f.tables > 0:
		fault.Problem = "no rows below the header"
	case f.likely == nil:
		fault.Problem = "the file is empty: expected a row of column names"
	default:
		fault.Place.Cell = f.likelySheet
		fault.Problem = "no header found: expected a row of column names, such as a name or an article " +
			"number, and bands such as 125 Hz or 1k; the most likely rows, with ? after unknown names: " +
			strings.Join(f.likely, "; ")
	}
	return fault
}

// noSheet returns the problem with a file without a sheet to read.
func (im *importing) noSheet(book *workbook.Book) string {
	var names []string
	for _, s := range book.Sheets {
		names = append(names, s.Name)
	}
	sheets, isText := quotedList(names), names[0] == ""
	switch {
	case im.o.Map != nil && isText:
		return "the map has no table for this file"
	case im.o.Map != nil:
		return "the map has no table for any sheet in this file: " + sheets
	case im.o.Sheet != "" && isText:
		return "no sheet " + dataset.Quoted(im.o.Sheet) + ": a text file has no sheets"
	case im.o.Sheet != "":
		return "no sheet " + dataset.Quoted(im.o.Sheet) + ", expected one of: " + sheets
	}
	return "all sheets are hidden: " + sheets + "; select a sheet by name to read it"
}
