// Package workbook reads files with tables as sheets of cells: .xlsx, CSV and TSV, in all common encodings
// and with all common separators.
//
// It never knows what a cell means, writes no record, and changes no value: a stored number has all of its
// digits, even if the spreadsheet program shows fewer.
//
// workbook.go defines cells, rows and sheets, and recognises the file format. Workbooks: archive.go reads
// the parts and sets the limits, xlsx.go reads the sheets, xlsx_scan.go the elements around their rows,
// attached.go links and comments, xlsx_rows.go the rows, numbers.go the number formats. Text: encoding.go,
// separator.go, records.go for the rows, and text.go, which combines them.
package workbook
