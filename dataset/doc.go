// Package dataset knows what a product is: the source record, its vocabularies, how records are read from every
// container form and validated, the sample catalogue, the synthetic generator and the importers of foreign tables.
//
// It never writes snapshot files, searches or speaks HTTP.
//
// What a record may publish is bounded, field by field and in all, so that every answer of the API is: limits.go has the
// numbers and their reasons.
//
// Read product.go first, then reader.go, parse.go and check.go: a record is read by Reader, turned into a Product by
// Parse and held against the rest of the catalogue by Checker.
package dataset
