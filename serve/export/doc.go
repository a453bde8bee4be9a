// Package export writes products of a generation in the forms that other programs take: their details a line
// each, a table for spreadsheets, and the material lists of pyroomacoustics and CATT-Acoustic, each described
// where it is written.
//
// Read export.go first; materials.go has what both simulators share. The package never speaks HTTP: package
// serve streams what it writes, and the command line prints it.
package export
