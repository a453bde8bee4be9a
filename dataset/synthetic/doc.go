// Package synthetic generates catalogues: source records that are as long and as varied as real records, with
// curves from acoustic models. Brands are invented. Each record with coefficients states that they are
// computed.
//
// It never reads records and contains no real product. A seed always produces the same bytes, because the
// sample catalogue is also generated.
//
// Read generate.go first. It also computes and caches the curves. product.go invents a product, and record.go
// fills its record. tables.yaml contains the choices, tables.go reads them, and dice.go draws random numbers.
package synthetic
