// Package cells reads the rows of a table: a table and a row in; fields, curves and faults out. It knows the
// forms of values, such as lengths, ratings, fire classes, dates and addresses, and weighs which quantity a
// coefficient is of.
//
// It never looks at more than one row, but for what a whole table shows of its units, and knows nothing of
// products.
//
// Read row.go first, then evidence.go: the order in which a table's words for its coefficients are weighed,
// and why. reader.go goes through a row, curves.go makes its curves, measures.go reads lengths and ratings,
// setup.go what words for a set-up say, forms.go all other texts with the words of words.csv; findings.go
// collects what is doubtful.
package cells
