// Package synthetic makes catalogues up: source records as long and as varied as real ones, with curves from
// acoustic models. Brands are invented, and every record with coefficients says that they are computed.
//
// It never reads records, and knows no real product. The same seed gives the same bytes, for ever: the sample
// catalogue is made of them.
//
// Read generate.go first, which computes and keeps the coefficients too. A product is decided on in
// product.go and filled in by record.go; package product writes it. tables.yaml has all that there is to
// choose from, and tables.go reads it. dice.go makes the random numbers.
package synthetic
