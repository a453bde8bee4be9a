// Package grid contains the buffered rows of a sheet during the search for a table: the text in cells, with
// merged cells filled and abbreviations expanded, upright or transposed, in one block or several. It also
// reads single lines that are not rows of values: a key with its value, a title, a set-up, a company.
//
// It never decides where a table is, or what its columns are: package header does.
//
// Read grid.go first, then look.go for the looks of a cell's text. blocks.go separates data sheets that are
// next to or below each other. facts.go defines the facts in lines, keys.go and mounting.go read a line,
// context.go reads all lines above a table, and tally.go counts unused cells.
package grid
