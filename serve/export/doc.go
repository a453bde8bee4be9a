// Package export writes products from a generation in the formats of other programs: NDJSON, CSV for
// spreadsheets, and the material lists of pyroomacoustics and CATT-Acoustic. The method that writes a format
// describes it.
//
// The package does not use HTTP: package serve and the command line provide the writers. Read export.go first;
// materials.go has the code for both simulators.
package export
