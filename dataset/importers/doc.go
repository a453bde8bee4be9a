// Package importers turns foreign tables and dumps into source records.
//
// It never builds or reads a snapshot, and writes no record that a build would refuse.
//
// importers.go has what all formats share: what an entry says of a product, the identity that it gets, the record that
// is written. csv.go reads tables, with columns.go, which tells what a column is for by the names in columns.csv, and
// quantity.go, which tells absorption from scattering. pyroomacoustics.go reads the materials of that library, api.go the API's own answers.
package importers
