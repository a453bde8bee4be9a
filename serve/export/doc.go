// Package export writes products from a generation in the formats of other programs: NDJSON, CSV for
// spreadsheets, and the material lists of pyroomacoustics and CATT-Acoustic. Each format is described at the
// method that writes it.
//
// The package does not use HTTP: package serve provides the writers, also for the command line. Read
// export.go first; materials.go contains the code for both simulators.
package export
