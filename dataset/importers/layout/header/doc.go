// Package header finds the rows of a grid that name the columns of a table, and resolves what each column is:
// by its name, by the words above it, by a map, or by its cells where the name does not tell.
//
// It reads no rows of values but to judge names by them, and returns none: package layout does.
//
// Read header.go first: how names are searched and joined. score.go says how well they fit the rows below;
// mapped.go takes them from a map. Then resolve.go, which has the order in which columns are resolved:
// quantity.go, columns whose cells say what the coefficients are; names.go, columns that only their cells
// explain, as a table, and what names the products; pivot.go, lines of transposed tables, and set-ups side by
// side.
package header
