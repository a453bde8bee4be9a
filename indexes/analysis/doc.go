// Package analysis turns text into words: normalising, folding to keys, stems, the parts of German compounds, synonyms,
// trigrams. The build and the query share it, so both sides agree on what a word is.
//
// It is pure: it knows no index, no file and no product. Everything in it is safe for concurrent use.
//
// Read key.go first.
package analysis
