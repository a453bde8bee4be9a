// Package snapshot is the container that indexes lie in: one immutable file of checksummed sections, named by
// the SHA-256 of its content, and the folder of generations with its CURRENT file.
//
// It never knows what is in a section; package indexes does.
//
// Read format.go first: it tells the file byte by byte.
package snapshot
