// Package importers converts foreign tables and dumps into source records.
//
// It never builds or reads a snapshot, and never writes a record that a build would refuse.
//
// Package table reads tables as inputs; package workbook opens their files. records.go checks the records of
// inputs and writes them. importers.go contains the common code of the other formats: pyroomacoustics.go
// reads the materials in that library, and api.go reads API responses.
package importers
