// Package snapshot reads and writes snapshot files and the folders that contain them. A snapshot is an
// immutable file of sections with checksums. It is named after the SHA-256 of its content. A folder contains
// one snapshot for each generation, and a CURRENT file with the name of the current generation.
//
// The package does not interpret the content of sections, which is the task of package indexes. Read
// format.go first. It describes the file byte by byte.
package snapshot
