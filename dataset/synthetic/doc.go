// Package synthetic makes catalogues up: source records as long and as varied as real ones, with curves from acoustic
// models. Brands are invented, and every record with coefficients says that they are computed.
//
// It never reads records, and knows no real product. The same seed gives the same bytes, for ever: the sample catalogue
// is made of them.
//
// Read generate.go first. A record is decided on in product.go, worded in text.go and written in record.go and
// entries.go. What there is to choose from stands in tables/, which tables.go reads, and in brands.go. curves.go makes
// the coefficients, dice.go the chance.
package synthetic
