// Package workbook reads the files in which people keep tables, as sheets of cells: .xlsx, CSV and TSV, in
// the encodings and with the separators that programs write them with.
//
// It never knows what a cell means, writes no record, and changes no value: a number that a workbook has
// stored comes with all of its digits, however few of them the program shows.
//
// workbook.go has what a cell, a row and a sheet are, and tells the files apart. Workbooks: archive.go has
// the parts and the limits, xlsx.go the sheets, xlsx_scan.go what is around their rows, attached.go links and
// comments, xlsx_rows.go the rows, numbers.go what numbers are. Text: encoding.go, separator.go, records.go
// the rows, text.go all three.
package workbook
