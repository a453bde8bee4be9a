// Package grid has the rows of a sheet that are held while a table is searched: the texts of their cells,
// merged cells filled and abbreviations explained, as they lie or turned by a quarter, in one block or
// several. And it reads what one line of them says that is no row of values: a key with its value, a title,
// how the specimens were set up, which company it is of.
//
// It never decides where a table is, or what a column of one is: package header does.
//
// Read grid.go first. Then look.go: what the text of a cell may be. blocks.go parts data sheets that are
// beside or below each other. Of lines: facts.go has what they say, keys.go and mounting.go how one is read,
// context.go how all above a table are, and tally.go counts what is used for nothing.
package grid
