// Package importers turns foreign tables and dumps into source records.
//
// It never builds or reads a snapshot, and writes no record that a build would refuse.
//
// Package table reads tables as inputs, and package workbook below it their files. records.go checks the
// records of inputs and writes them. importers.go has what the formats share that are no tables:
// pyroomacoustics.go reads the materials of that library, api.go the API's own answers.
package importers
