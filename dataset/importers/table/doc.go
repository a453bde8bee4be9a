// Package table turns the tables that people keep into source records: whatever the file is, whichever way the table lies in it, whatever its
// columns are called in German or English.
//
// It never reads files itself, which is the work of workbook, writes no snapshot, and loses nothing without a word: what no rule knows goes to
// structured_meta and is named. What it makes of a table depends on the rows, not on their order.
//
// Read table.go first. The way of a cell:
//
//	sheet.go     where the table lies in a sheet: which rows name the columns, whether bands go across or down; rows to readings
//	column.go    what a column is for, by its name; names.csv has the names, field.go the fields that they fill
//	values.go    what a cell says: coefficients, lengths, ratings, dates
//	reading.go   what one row says of a product and of a set-up of it
//	product.go   the readings of one product become a record; entry.go, its set-ups the entries; words.go, its values the vocabulary's words
//	mapping.go   what each column became, which can be written to a file and held fast
package table
