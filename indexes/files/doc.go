// Package files knows what a file system leaves to its callers: whether a file is the one it was, how often to ask that,
// how to open a file without waiting for what is none, and how the names in a folder are made durable. It never reads or
// writes what is in a file.
//
// stamp.go has the first two, regular.go the third, sync.go the last.
package files
