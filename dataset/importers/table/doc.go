// Package table turns the tables that people keep into source records: whatever the file is, whichever way the table lies in it, whatever its
// columns are called in German or English.
//
// It never reads files itself, which is the work of workbook, writes no snapshot, and loses nothing without a word: what no rule knows goes to
// structured_meta and is named. What it makes of a table depends on the rows, not on their order.
//
// Read table.go first: files, and their sheets. The way of a cell:
//
//	grid.go      the first rows of a sheet, as they are held; look.go, what their cells look like; transpose.go, where bands go downwards
//	layout.go    which of the rows are the header; score.go, how well it fits the rows below
//	sheet.go     the rows of a sheet, from one table to the next; begin.go, what is settled before the first row of one
//	titles.go    what the lines above a table say of it; setups.go, what the groups above its bands do
//	column.go    what a column is for, by its name; names.csv has the names, field.go the fields that they fill, band.go the names of bands
//	quantity.go  which quantity a title, a sheet's name or a cell speaks of; fold.go, spellings; settle.go, what columns together tell
//	rows.go      the rows below the header, completed: merged.go, by the cells above that they are merged with
//	context.go   what the rows of a table have in common; values.go, what the cells of a row say; curves.go, its coefficients;
//	             percent.go, percentages that contradict themselves
//	forms.go     the forms of texts: ratings, classes, dates, addresses; length.go, lengths; number.go, numbers
//	reading.go   what one row says of a product and of a set-up of it
//	product.go   which rows are of one product; keep.go, what is kept of them; words.go, the vocabulary's words
//	entry.go     its set-ups become the entries: entry_id.go, their order and ids; unite.go, their bands; perband.go, what is said of single bands
//	size.go      texts that are too large for a record
//	record.go    the record: entry_write.go, its entries; meta.go, what has no field of its own; practical.go, αp; declared.go, ratings
//	notes.go     what is doubtful about several rows alike, told once
//	map.go       what each column is, held fast in a file: map_read.go checks it, mapped.go reads tables by it
//	account.go   what each column became; told.go keeps it while rows are read; template.go, a table to fill in
package table
