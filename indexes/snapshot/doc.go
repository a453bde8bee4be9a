// Package snapshot reads and writes snapshot files and the folders that contain them. A snapshot is one
// immutable file of sections with checksums, and its name is the SHA-256 of its content. A folder contains
// one snapshot for each generation, and a CURRENT file that names one of them.
//
// The package never interprets the content of a section: package indexes does. Read format.go first, which
// describes the file byte by byte.
package snapshot
